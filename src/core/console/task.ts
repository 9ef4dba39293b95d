/** Something that the operator can do today, with the money that depends on it. */
export interface Task {
  /** Names its subject, the same for as long as the task lasts: `overdue:kit:2026-10`. */
  readonly key: string;
  /** What kind of task it is: `overdue`. `TASK_KINDS` orders the kinds. */
  readonly kind: string;
  /** One sentence: what happened, with its figures. */
  readonly text: string;
  /** What it means and what to do; left out where the text says it. */
  readonly detail?: string | undefined;
  /** Money at stake in minor units of `currency`; null when it is not known. */
  readonly amount: number | null;
  /** ISO code; null without an amount. */
  readonly currency: string | null;
  /** The weeks before, the oldest first, where the task is about a change. */
  readonly trend?: readonly number[] | undefined;
  /** Where it is done: a path of the console with its query. */
  readonly href: string;
  /** How bad it is where no amount says so, for example the number of messages; more is worse. */
  readonly level?: number | undefined;
}

/** What the list of tasks is called: on the overview, in the digest. */
export const TASKS_TITLE = 'What to do today';

/** Kinds of tasks, the most urgent first; a kind that is not listed comes after them. */
export const TASK_KINDS: readonly string[] = [
  'disk-full',
  'data',
  'uncomputed',
  'payee',
  'unread',
  'sync',
  'silent',
  'link',
  'overdue',
  'no-leads',
  'no-sub-id',
  'unmatched',
  'campaign',
  'page',
  'message',
  'undelivered',
  'disk',
  'backup',
  'held-deletions',
  'content',
  'placeholders',
  'rates',
  'offer',
  'prices',
  'live-pages',
  'external-links',
  'claims',
];

/** While nothing is stored, every figure of every other task becomes wrong. */
const FIRST_KIND = 'disk-full';

/**
 * Orders tasks: by the money that depends on them, then those whose amount is not known by the urgency of their kind.
 * `getValue` gives an amount (minor units) in the one currency in which all are compared, or null where there is no
 * rate; such amounts follow those that can be compared, currency by currency.
 */
export function orderTasks(
  tasks: readonly Task[],
  getValue: (amount: number, currency: string) => number | null,
): readonly Task[] {
  const ranked = tasks.map((task) => ({ task, rank: rankTask(task, getValue) }));
  return ranked
    .sort((one, other) => compareRanks(one.rank, other.rank) || compareTexts(one.task.key, other.task.key))
    .map(({ task }) => task);
}

interface TaskRank {
  /** 0: before all others. 1: by value. 2: by currency and amount. 3: by kind. */
  readonly group: 0 | 1 | 2 | 3;
  readonly currency: string;
  readonly amount: number;
  readonly kind: number;
}

function rankTask(
  { kind: name, amount, currency }: Task,
  getValue: (amount: number, currency: string) => number | null,
): TaskRank {
  const place = TASK_KINDS.indexOf(name);
  const kind = place < 0 ? TASK_KINDS.length : place;
  if (name === FIRST_KIND) return { group: 0, currency: '', amount: 0, kind };
  if (amount === null || currency === null) return { group: 3, currency: '', amount: 0, kind };
  const value = getValue(amount, currency);
  return value === null
    ? { group: 2, currency, amount, kind }
    : { group: 1, currency: '', amount: value, kind };
}

function compareRanks(one: TaskRank, other: TaskRank): number {
  return (
    one.group - other.group ||
    compareTexts(one.currency, other.currency) ||
    other.amount - one.amount ||
    one.kind - other.kind
  );
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** For how long a task can be snoozed. */
export const SNOOZE_CHOICES = [
  { key: 'day', name: '1 day' },
  { key: 'week', name: '1 week' },
  { key: 'month', name: '1 month' },
] as const;
export type SnoozeChoice = (typeof SNOOZE_CHOICES)[number]['key'];

/** A task that is not shown until a time, as it was when the operator snoozed it. */
export interface TaskSnooze extends Pick<Task, 'key' | 'amount' | 'currency'> {
  /** When the task returns, ms since 1970. */
  readonly until: number;
  readonly level: number;
}

/** An amount that grows by less than this share is the same one: estimates change every day. */
const WORSE_SHARE = 0.1;

/** Whether a task is still snoozed: its time has not come, and it has not become worse. `now`: ms since 1970. */
export function isSnoozed(task: Task, snooze: TaskSnooze, now: number): boolean {
  return now < snooze.until && !isWorse(task, snooze);
}

/** A task is worse with a higher level, an amount that has become known, or one that grew by more than a tenth. */
function isWorse({ amount, currency, level = 0 }: Task, snooze: TaskSnooze): boolean {
  if (level > snooze.level) return true;
  if (amount === null) return false;
  if (snooze.amount === null || snooze.currency !== currency) return true;
  return amount - snooze.amount > Math.abs(snooze.amount) * WORSE_SHARE;
}
