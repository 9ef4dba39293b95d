/** The keys of the console, as its help and the documentation list them; those of the views are in `CONSOLE_VIEWS`. */
export const CONSOLE_KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K or /', 'Find a view, a page, a partner, a campaign, an action'],
  ['← →', 'Previous and next period'],
  ['D E W F T N', 'Today, yesterday, the last 7, 28, 30, 91 days'],
  ['M P Y L A', 'This month, last month, this year, 12 months, all time'],
  ['C', 'Any two days'],
  ['X', 'Compare, or not'],
  ['R', 'Live'],
  ['Alt + click', 'Everything but this value'],
  ['Esc', 'Close, or clear the filters'],
];
