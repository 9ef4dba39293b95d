const REPORT = { isShareable: true, hasPeriod: true, showsMoney: true };
const OTHER = { isShareable: false, hasPeriod: false, showsMoney: false };

/**
 * Views of the console. Those with `hasPeriod` show
 * a period and take filters; those with `showsMoney` are for operators who may see amounts.
 */
export const CONSOLE_VIEWS = [
  { key: 'overview', name: 'Overview', ...REPORT },
  { key: 'pages', name: 'Pages', ...REPORT },
  { key: 'placements', name: 'Places', ...REPORT },
  { key: 'sources', name: 'Sources', ...REPORT },
  { key: 'campaigns', name: 'Campaigns', ...REPORT },
  { key: 'assessment', name: 'Assessment', ...REPORT },
  { key: 'commissions', name: 'Commissions', ...REPORT, isShareable: false },
  { key: 'unmatched', name: 'Unmatched', ...OTHER, showsMoney: true },
  { key: 'expected', name: 'Expected', ...OTHER, showsMoney: true },
  { key: 'partners', name: 'Partners', ...REPORT },
  { key: 'content', name: 'Content', ...OTHER },
  { key: 'messages', name: 'Messages', ...OTHER },
  { key: 'import', name: 'Connections', ...OTHER, showsMoney: true },
  { key: 'activity', name: 'Activity', ...OTHER },
  { key: 'settings', name: 'Settings', ...OTHER },
] as const;

/** Key of a view of the console. */
export type ConsoleViewKey = (typeof CONSOLE_VIEWS)[number]['key'];

/** A page of a door: a view, or the path below one, with further words by which it is found. */
export interface ConsoleTab {
  readonly view: ConsoleViewKey;
  readonly rest?: string;
  readonly name: string;
  readonly words?: string;
}

/** The entries of the navigation, each with its tabs: every view is one of them. */
export const CONSOLE_DOORS: readonly { readonly name: string; readonly tabs: readonly ConsoleTab[] }[] = [
  {
    name: 'Overview',
    tabs: [{ view: 'overview', name: 'Today', words: 'what to do tasks money' }],
  },
  {
    name: 'Money',
    tabs: [
      { view: 'commissions', name: 'Commissions' },
      { view: 'expected', name: 'Expected', words: 'payments due months forecast cash' },
      { view: 'unmatched', name: 'Unmatched' },
    ],
  },
  {
    name: 'Partners',
    tabs: [
      { view: 'partners', name: 'Programs' },
      { view: 'import', name: 'Connections', words: 'import & sync networks postbacks reports csv' },
    ],
  },
  {
    name: 'Pages',
    tabs: [
      { view: 'pages', name: 'Ranking' },
      { view: 'placements', name: 'Places', words: 'placements' },
    ],
  },
  { name: 'Sources', tabs: [{ view: 'sources', name: 'Sources', words: 'channels crawlers' }] },
  {
    name: 'Campaigns',
    tabs: [
      { view: 'campaigns', name: 'Verdicts', words: 'campaigns ads profit' },
      { view: 'import', rest: 'costs', name: 'Costs', words: 'import ads spend csv' },
    ],
  },
  { name: 'Assessment', tabs: [{ view: 'assessment', name: 'Assessment', words: 'answers' }] },
  {
    name: 'Content',
    tabs: [
      { view: 'content', name: 'Pieces', words: 'content articles pages files' },
      {
        view: 'content',
        rest: 'attention',
        name: 'Needs attention',
        words: 'what to update first claims prices',
      },
      {
        view: 'content',
        rest: 'live-pages',
        name: 'Pages to open',
        words: 'sources live opened transcribed',
      },
      { view: 'content', rest: 'prices', name: 'Prices', words: 'offers sheet check still the same' },
      { view: 'content', rest: 'images', name: 'Images', words: 'pictures' },
      { view: 'content', rest: 'links', name: 'Links', words: 'watch health' },
      { view: 'content', rest: 'missing', name: 'Missing links', words: 'named not linked' },
      { view: 'content', rest: 'replace', name: 'Find and replace', words: 'search all texts' },
    ],
  },
  { name: 'Messages', tabs: [{ view: 'messages', name: 'Messages', words: 'contact mail' }] },
  {
    name: 'Settings',
    tabs: [
      { view: 'settings', name: 'Site and people', words: 'settings forms' },
      { view: 'activity', name: 'Activity', words: 'changes log' },
      {
        view: 'import',
        rest: 'move-in',
        name: 'Move in',
        words: 'import wordpress ghost substack medium markdown',
      },
    ],
  },
];

/** The tab that a path of a view is on: that of the path itself before that of the whole view. */
export function findTab(view: ConsoleViewKey, rest: readonly string[]): ConsoleTab | undefined {
  const tabs = CONSOLE_DOORS.flatMap((door) => door.tabs).filter((tab) => tab.view === view);
  return tabs.find((tab) => tab.rest === rest[0]) ?? tabs.find((tab) => tab.rest === undefined);
}

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
