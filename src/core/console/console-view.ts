/**
 * Views of the console, in the order of its navigation. `letter` opens the view after `g`; those with `hasPeriod` show
 * a period and take filters.
 */
export const CONSOLE_VIEWS = [
  { key: 'overview', name: 'Overview', segment: '', letter: 'o', isShareable: true, hasPeriod: true },
  { key: 'pages', name: 'Pages', segment: 'pages', letter: 'p', isShareable: true, hasPeriod: true },
  {
    key: 'placements',
    name: 'Placements',
    segment: 'placements',
    letter: 'l',
    isShareable: true,
    hasPeriod: true,
  },
  {
    key: 'campaigns',
    name: 'Campaigns',
    segment: 'campaigns',
    letter: 'a',
    isShareable: true,
    hasPeriod: true,
  },
  {
    key: 'assessment',
    name: 'Assessment',
    segment: 'assessment',
    letter: 'q',
    isShareable: true,
    hasPeriod: true,
  },
  { key: 'journeys', name: 'Journeys', segment: 'journeys', letter: 'j', isShareable: true, hasPeriod: true },
  {
    key: 'commissions',
    name: 'Commissions',
    segment: 'commissions',
    letter: 'c',
    isShareable: false,
    hasPeriod: true,
  },
  {
    key: 'unmatched',
    name: 'Unmatched',
    segment: 'unmatched',
    letter: 'u',
    isShareable: false,
    hasPeriod: false,
  },
  { key: 'partners', name: 'Partners', segment: 'partners', letter: 'n', isShareable: true, hasPeriod: true },
  { key: 'live', name: 'Live', segment: 'live', letter: 'v', isShareable: false, hasPeriod: false },
  { key: 'content', name: 'Content', segment: 'content', letter: 't', isShareable: false, hasPeriod: false },
  {
    key: 'messages',
    name: 'Messages',
    segment: 'messages',
    letter: 'm',
    isShareable: false,
    hasPeriod: false,
  },
  {
    key: 'import',
    name: 'Import & sync',
    segment: 'import',
    letter: 'i',
    isShareable: false,
    hasPeriod: false,
  },
  {
    key: 'settings',
    name: 'Settings',
    segment: 'settings',
    letter: 's',
    isShareable: false,
    hasPeriod: false,
  },
] as const;

/** Key of a view of the console. */
export type ConsoleViewKey = (typeof CONSOLE_VIEWS)[number]['key'];
