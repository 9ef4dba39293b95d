const REPORT = { isShareable: true, hasPeriod: true, showsMoney: true };
const OTHER = { isShareable: false, hasPeriod: false, showsMoney: false };

/**
 * Views of the console. Those with `hasPeriod` show
 * a period and take filters; those with `showsMoney` are for operators who may see amounts.
 */
export const CONSOLE_VIEWS = [
  { key: 'overview', name: 'Today', ...REPORT },
  { key: 'week', name: 'This week', ...OTHER },
  { key: 'money', name: 'Due', ...OTHER, showsMoney: true },
  { key: 'commissions', name: 'Commissions', ...REPORT, isShareable: false },
  { key: 'unmatched', name: 'Not matched', ...OTHER, showsMoney: true },
  { key: 'pages', name: 'Pages', ...REPORT },
  { key: 'sources', name: 'Sources', ...REPORT },
  { key: 'campaigns', name: 'Campaigns', ...REPORT },
  { key: 'partners', name: 'Partners', ...REPORT },
  { key: 'content', name: 'Content', ...OTHER },
  { key: 'messages', name: 'Messages', ...OTHER },
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

/** A door of the navigation with its tabs: every view is one of them. */
export interface ConsoleDoor {
  readonly name: string;
  /** What the door is about: the money, who brings it, what is done for it. */
  readonly group: 'money' | 'earners' | 'work';
  readonly tabs: readonly ConsoleTab[];
}

/** The entries of the navigation. */
export const CONSOLE_DOORS: readonly ConsoleDoor[] = [
  {
    name: 'Overview',
    group: 'money',
    tabs: [
      { view: 'overview', name: 'Today', words: 'what to do tasks money' },
      { view: 'week', name: 'This week', words: 'activity changes log' },
    ],
  },
  {
    name: 'Money',
    group: 'money',
    tabs: [
      { view: 'money', name: 'Due', words: 'payments overdue received cash' },
      { view: 'commissions', name: 'Commissions' },
      { view: 'unmatched', name: 'Not matched', words: 'no click unmatched' },
    ],
  },
  { name: 'Pages', group: 'earners', tabs: [{ view: 'pages', name: 'Pages', words: 'ranking places' }] },
  {
    name: 'Sources',
    group: 'earners',
    tabs: [
      { view: 'sources', name: 'Sources', words: 'channels crawlers' },
      { view: 'campaigns', name: 'Campaigns', words: 'ads costs profit' },
    ],
  },
  {
    name: 'Partners',
    group: 'earners',
    tabs: [{ view: 'partners', name: 'Partners', words: 'programs networks postbacks reports csv' }],
  },
  {
    name: 'Content',
    group: 'work',
    tabs: [
      { view: 'content', name: 'Pieces', words: 'articles pages files drafts' },
      { view: 'content', rest: 'prices', name: 'Prices', words: 'offers sheet check still the same' },
      { view: 'content', rest: 'images', name: 'Images', words: 'pictures' },
      { view: 'content', rest: 'links', name: 'Links', words: 'broken missing check' },
    ],
  },
  {
    name: 'Messages',
    group: 'work',
    tabs: [{ view: 'messages', name: 'Messages', words: 'contact mail' }],
  },
  {
    name: 'Settings',
    group: 'work',
    tabs: [
      { view: 'settings', name: 'Settings', words: 'site people address mail currency' },
      { view: 'settings', rest: 'brand', name: 'Brand', words: 'logo colors typeface look' },
    ],
  },
];

/** The tab that a path of a view is on: that of the path itself before that of the whole view. */
export function findTab(view: ConsoleViewKey, rest: readonly string[]): ConsoleTab | undefined {
  // The brand is a file, and has a tab of its own.
  if (view === 'content' && rest.join('/') === 'brand.yaml') return findTab('settings', ['brand']);
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
