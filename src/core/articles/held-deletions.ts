import { DAY_MS } from '../clock.ts';

/** Articles that their source no longer has and that are still shown, because a damaged source looks the same. */
export interface HeldDeletions {
  /** In the order of the alphabet. */
  readonly slugs: readonly string[];
  /** When the first of them was missed; ms since 1970. */
  readonly since: number;
}

/** How long deletions are held back that the operator does not accept. */
export const HOLD_MS = 3 * DAY_MS;

/** How long a deletion counts: a source that loses articles step by step must not lose them all. */
export const DELETION_WINDOW_MS = DAY_MS;

/**
 * How many of `count` articles may go within a day without the operator: a tenth, or three of a small site, but never
 * more than half. More at once is as likely a damaged table, a folder that is not mounted or a wrong filter.
 */
export function limitDeletions(count: number): number {
  return Math.min(Math.max(3, Math.floor(count / 10)), Math.floor(count / 2));
}

/** Describes held deletions in two sentences for the log, `/readyz` and the console. `known`: articles that are shown. */
export function describeHeld({ slugs, since }: HeldDeletions, known: number): string {
  const articles = `${slugs.length} of ${known} ${known === 1 ? 'article is' : 'articles are'}`;
  return (
    `${articles} missing from the source since ${formatMinute(since)} and still shown, because a damaged source looks ` +
    `the same. They are removed on ${formatMinute(since + HOLD_MS)}, or when you accept the deletion.`
  );
}

function formatMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
