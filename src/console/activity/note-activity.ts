import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import type { ActivitySubject } from '../../stores/activity.ts';
import type { ConsoleSite } from '../console-site.ts';

/**
 * Adds a change of an operator to the log, after it was made: `noteActivity(site, viewer, 'content', 'Saved
 * content/site.yaml.', buildFileAddress('site.yaml'))`. The text is one sentence without amounts, passwords, tokens and
 * email addresses, because every operator may read it. `href` is a path of the console or of the site. Never rejects:
 * what was changed is not undone because the log cannot be written.
 */
export async function noteActivity(
  { clock, log, operators: { activity } }: ConsoleSite,
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

/**
 * Shows visitors the content files that an operator has changed, and notes the change. `files` are paths below the content
 * folder, also of those that were removed; `text` is the sentence of the log. Never rejects.
 */
export async function noteContentChange(
  site: ConsoleSite,
  viewer: ConsoleViewer,
  files: readonly string[],
  text: string,
  href = '',
): Promise<void> {
  const isImage = files.every((file) => file.startsWith('images/'));
  await Promise.all([
    noteActivity(site, viewer, isImage ? 'images' : 'content', text, href),
    site.content.applyEdits(files),
  ]);
}
