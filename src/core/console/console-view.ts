const REPORT = { isShareable: true, hasPeriod: true, showsMoney: true };
const OTHER = { isShareable: false, hasPeriod: false, showsMoney: false };

/**
 * Views of the console, in the order of its navigation. `letter` opens the view after `g`; those with `hasPeriod` show
 * a period and take filters; those with `showsMoney` are for operators who may see amounts.
 */
export const CONSOLE_VIEWS = [
  { key: 'overview', name: 'Overview', letter: 'o', ...REPORT },
  { key: 'pages', name: 'Pages', letter: 'p', ...REPORT },
  { key: 'placements', name: 'Placements', letter: 'l', ...REPORT },
  { key: 'sources', name: 'Sources', letter: 'r', ...REPORT },
  { key: 'campaigns', name: 'Campaigns', letter: 'a', ...REPORT },
  { key: 'assessment', name: 'Assessment', letter: 'q', ...REPORT },
  { key: 'journeys', name: 'Journeys', letter: 'j', ...REPORT },
  { key: 'commissions', name: 'Commissions', letter: 'c', ...REPORT, isShareable: false },
  { key: 'unmatched', name: 'Unmatched', letter: 'u', ...OTHER, showsMoney: true },
  { key: 'partners', name: 'Partners', letter: 'n', ...REPORT },
  { key: 'live', name: 'Live', letter: 'v', ...OTHER },
  { key: 'content', name: 'Content', letter: 't', ...OTHER },
  { key: 'messages', name: 'Messages', letter: 'm', ...OTHER },
  { key: 'import', name: 'Import & sync', letter: 'i', ...OTHER, showsMoney: true },
  { key: 'activity', name: 'Activity', letter: 'y', ...OTHER },
  { key: 'settings', name: 'Settings', letter: 's', ...OTHER },
] as const;

/** Key of a view of the console. */
export type ConsoleViewKey = (typeof CONSOLE_VIEWS)[number]['key'];

/** A view with the path below it. */
export interface ConsoleViewPath {
  readonly view: ConsoleViewKey;
  readonly rest: readonly string[];
}

/** The view at a path below the console; null without one. The overview is at the path of the console itself. */
export function findConsoleView([name, ...rest]: readonly string[]): ConsoleViewPath | null {
  if (name === undefined) return { view: 'overview', rest };
  const found = CONSOLE_VIEWS.find(({ key }) => key === name && key !== 'overview');
  return found === undefined ? null : { view: found.key, rest };
}
