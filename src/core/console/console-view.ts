/**
 * Views of the console, in the order of its navigation. `letter` opens the view after `g`; those with `hasPeriod` show
 * a period and take filters; those with `showsMoney` are for operators who may see amounts.
 */
export const CONSOLE_VIEWS = [
  { key: 'overview', name: 'Overview', letter: 'o', isShareable: true, hasPeriod: true, showsMoney: true },
  { key: 'pages', name: 'Pages', letter: 'p', isShareable: true, hasPeriod: true, showsMoney: true },
  {
    key: 'placements',
    name: 'Placements',
    letter: 'l',
    isShareable: true,
    hasPeriod: true,
    showsMoney: true,
  },
  { key: 'sources', name: 'Sources', letter: 'r', isShareable: true, hasPeriod: true, showsMoney: true },
  { key: 'campaigns', name: 'Campaigns', letter: 'a', isShareable: true, hasPeriod: true, showsMoney: true },
  {
    key: 'assessment',
    name: 'Assessment',
    letter: 'q',
    isShareable: true,
    hasPeriod: true,
    showsMoney: true,
  },
  { key: 'journeys', name: 'Journeys', letter: 'j', isShareable: true, hasPeriod: true, showsMoney: true },
  {
    key: 'commissions',
    name: 'Commissions',
    letter: 'c',
    isShareable: false,
    hasPeriod: true,
    showsMoney: true,
  },
  {
    key: 'unmatched',
    name: 'Unmatched',
    letter: 'u',
    isShareable: false,
    hasPeriod: false,
    showsMoney: true,
  },
  { key: 'partners', name: 'Partners', letter: 'n', isShareable: true, hasPeriod: true, showsMoney: true },
  { key: 'live', name: 'Live', letter: 'v', isShareable: false, hasPeriod: false, showsMoney: false },
  { key: 'content', name: 'Content', letter: 't', isShareable: false, hasPeriod: false, showsMoney: false },
  { key: 'messages', name: 'Messages', letter: 'm', isShareable: false, hasPeriod: false, showsMoney: false },
  {
    key: 'import',
    name: 'Import & sync',
    letter: 'i',
    isShareable: false,
    hasPeriod: false,
    showsMoney: true,
  },
  { key: 'activity', name: 'Activity', letter: 'y', isShareable: false, hasPeriod: false, showsMoney: false },
  { key: 'settings', name: 'Settings', letter: 's', isShareable: false, hasPeriod: false, showsMoney: false },
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
