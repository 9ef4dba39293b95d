import {
  ACTIVITY_SUBJECTS,
  type ActivityEntry,
  type ActivitySubject,
  MAX_ACTIVITY,
} from '../../stores/activity.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { type Column, exported, formatTimeCell, locateListPage } from '../reports/columns.ts';

export const ACTIVITY_COLUMNS: readonly Column<ActivityEntry>[] = [
  exported('time', ({ time }) => formatTimeCell(time)),
  exported('operator', ({ operator }) => operator),
  exported('subject', ({ subject }) => subject),
  exported('change', ({ text }) => text),
  exported('address', ({ href }) => href),
];

/** Reads what operators have changed, newest first. */
export async function readActivity({ operators: { activity } }: ConsoleSite, { parameters }: ViewRequest) {
  const subject = parseSubject(parameters.get('about'));
  const { place, rows } = locateListPage(await activity.count(subject), parameters);
  const found = await activity.read(subject, rows);
  return { ...place, rows: found, subject, subjects: ACTIVITY_SUBJECTS, max: MAX_ACTIVITY };
}

/** Reads every entry about a subject. */
export async function readAllActivity({ operators: { activity } }: ConsoleSite, { parameters }: ViewRequest) {
  const subject = parseSubject(parameters.get('about'));
  return { rows: await activity.read(subject, { offset: 0, limit: MAX_ACTIVITY }) };
}

function parseSubject(text: string | null): ActivitySubject | null {
  return ACTIVITY_SUBJECTS.find((subject) => subject === text) ?? null;
}
