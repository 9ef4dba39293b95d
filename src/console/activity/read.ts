import {
  ACTIVITY_SUBJECTS,
  type ActivityEntry,
  type ActivitySubject,
  MAX_ACTIVITY,
} from '../../stores/activity.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { type Column, column, exported, formatTimeCell } from '../reports/columns.ts';
import { readListTable } from '../reports/list.ts';

const SUBJECT_NAMES: Readonly<Record<ActivitySubject, string>> = {
  content: 'Content',
  images: 'Images',
  access: 'Access',
  settings: 'Settings',
  commissions: 'Commissions',
  messages: 'Messages',
};

export const ACTIVITY_COLUMNS: readonly Column<ActivityEntry>[] = [
  column('time', 'Time', ({ time }) => formatTimeCell(time)),
  column('operator', 'Person', ({ operator }) => operator, { onPhone: 'lead' }),
  column('subject', 'About', ({ subject }) => SUBJECT_NAMES[subject].toLowerCase(), { onPhone: 'hidden' }),
  column('change', 'Change', ({ text }) => text, { sort: null, onPhone: 'plain' }),
  exported('address', ({ href }) => href),
];

const ALL = { offset: 0, limit: MAX_ACTIVITY };

/** Reads what operators have changed, newest first. */
export async function readActivity({ operators: { activity } }: ConsoleSite, request: ViewRequest) {
  return readListTable(await activity.read(null, ALL), ACTIVITY_COLUMNS, request, {
    usual: { column: 'time', isDescending: true },
    title: ({ text }) => text,
    words: ({ operator }) => operator,
    filter: {
      name: 'about',
      label: 'All changes',
      options: Object.entries(SUBJECT_NAMES),
      has: ({ subject }, value) => subject === value,
    },
  });
}

/** Reads every entry about a subject. */
export async function readAllActivity({ operators: { activity } }: ConsoleSite, { parameters }: ViewRequest) {
  const about = parameters.get('about');
  return { rows: await activity.read(ACTIVITY_SUBJECTS.find((one) => one === about) ?? null, ALL) };
}
