import type { ConsoleViewer } from '../../core/console/operator.ts';
import {
  ACTIVITY_SUBJECTS,
  type ActivityEntry,
  type ActivitySubject,
  MAX_ACTIVITY,
} from '../../stores/activity.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  type Column,
  countListPages,
  exported,
  formatTimeCell,
  parseListPage,
  ROWS_PER_PAGE,
} from '../figures/columns.ts';

/**
 * Adds a change of an operator to the log, after it was made: `noteActivity(site, viewer, 'content', 'Saved
 * content/site.yaml.', buildFileAddress('site.yaml'))`. The text is one sentence without amounts, passwords, tokens and
 * email addresses, because every operator may read it. `href` is a path of the console or of the site. Never rejects:
 * what was changed is not undone because the log cannot be written.
 */
export async function noteActivity(
  { activity, clock, log }: Pick<ConsoleSite, 'activity' | 'clock' | 'log'>,
  viewer: ConsoleViewer,
  subject: ActivitySubject,
  text: string,
  href = '',
): Promise<void> {
  const operator = viewer.kind === 'operator' ? viewer.name : '';
  try {
    await activity.add({ time: clock.now(), operator, subject, text, href });
  } catch (error) {
    log.error('a change of an operator could not be noted', { operator: viewer.id, subject, error });
  }
}

export const ACTIVITY_COLUMNS: readonly Column<ActivityEntry>[] = [
  exported('time', ({ time }) => formatTimeCell(time)),
  exported('operator', ({ operator }) => operator),
  exported('subject', ({ subject }) => subject),
  exported('change', ({ text }) => text),
  exported('address', ({ href }) => href),
];

/** Reads what operators have changed, newest first. */
export async function readActivity({ activity }: ConsoleSite, { parameters }: ViewRequest) {
  const subject = parseSubject(parameters.get('about'));
  const total = await activity.count(subject);
  const pages = countListPages(total);
  const page = Math.min(parseListPage(parameters), pages);
  const rows = await activity.read(subject, { offset: (page - 1) * ROWS_PER_PAGE, limit: ROWS_PER_PAGE });
  return { rows, subject, subjects: ACTIVITY_SUBJECTS, max: MAX_ACTIVITY, total, page, pages };
}

/** Reads every entry about a subject. */
export async function readAllActivity({ activity }: ConsoleSite, { parameters }: ViewRequest) {
  const subject = parseSubject(parameters.get('about'));
  return { rows: await activity.read(subject, { offset: 0, limit: MAX_ACTIVITY }) };
}

function parseSubject(text: string | null): ActivitySubject | null {
  return ACTIVITY_SUBJECTS.find((subject) => subject === text) ?? null;
}
