import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { isSnoozed, orderTasks, TASK_KINDS, type Task, type TaskSnooze } from './task.ts';

const buildTask = (fields: Partial<Task> = {}): Task => ({
  key: 'backup',
  kind: 'backup',
  text: 'The last backup is old.',
  amount: null,
  currency: null,
  href: '/console/settings',
  ...fields,
});

/** Only dollars have a value, so that other currencies cannot be compared. */
const inDollars = (amount: number, currency: string) => (currency === 'USD' ? amount : null);
const order = (tasks: readonly Task[]) => orderTasks(tasks, inDollars).map(({ key }) => key);

const money = (key: string, kind: string, amount: number, currency = 'USD') =>
  buildTask({ key, kind, amount, currency });

it('orders by money, then other currencies by amount, then what has no amount by its kind', () => {
  const tasks = [
    buildTask({ key: 'claims', kind: 'claims' }),
    money('overdue', 'overdue', 50_000),
    buildTask({ key: 'unknown', kind: 'of another part' }),
    money('euro', 'overdue', 90_000, 'EUR'),
    money('unmatched', 'unmatched', 60_000),
    money('more euro', 'page', 95_000, 'EUR'),
    buildTask({ key: 'unread', kind: 'unread' }),
    money('same amount', 'silent', 50_000),
  ];
  expect(order(tasks)).toEqual([
    'unmatched',
    'same amount',
    'overdue',
    'more euro',
    'euro',
    'unread',
    'claims',
    'unknown',
  ]);
});

it('a disk on which nothing is stored comes before all money', () => {
  const tasks = [money('overdue', 'overdue', 5_000_000), buildTask({ key: 'disk', kind: 'disk-full' })];
  expect(order(tasks)).toEqual(['disk', 'overdue']);
});

const anyTask = fc
  .record({
    kind: fc.constantFrom(...TASK_KINDS, 'of another part'),
    amount: fc.option(fc.integer({ min: -5, max: 5 })),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  })
  .map(({ amount, currency, kind }) =>
    buildTask({ kind, amount, currency: amount === null ? null : currency }),
  );

it('orders the same tasks the same way, however they come, and loses none', async () => {
  const shuffled = fc
    .array(anyTask, { maxLength: 12 })
    .map((tasks) => tasks.map((task, index) => ({ ...task, key: `${index}` })))
    .chain((tasks) => fc.tuple(fc.constant(tasks), fc.shuffledSubarray(tasks, { minLength: tasks.length })));
  await forAll(1, [shuffled], ([tasks, others]) => {
    const keys = order(tasks);
    expect(keys).toEqual(order(others));
    expect(keys.toSorted()).toEqual(tasks.map(({ key }) => key).toSorted());
  });
});

describe('a snoozed task', () => {
  const NOW = 1_000;
  const snooze = (fields: Partial<TaskSnooze> = {}): TaskSnooze => ({
    key: 'backup',
    until: NOW + 1,
    amount: null,
    currency: null,
    level: 0,
    ...fields,
  });
  const USD = { currency: 'USD' };

  it.each([
    ['before its time', {}, {}, true],
    ['at its time', {}, { until: NOW }, false],
    ['with the same level', { level: 3 }, { level: 3 }, true],
    ['with a higher level', { level: 4 }, { level: 3 }, false],
    ['with a lower level', { level: 2 }, { level: 3 }, true],
    ['whose amount has become known', { ...USD, amount: 1 }, {}, false],
    ['whose amount is not known any more', {}, { ...USD, amount: 1 }, true],
    ['whose amount grew by a tenth', { ...USD, amount: 110 }, { ...USD, amount: 100 }, true],
    ['whose amount grew by more', { ...USD, amount: 111 }, { ...USD, amount: 100 }, false],
    ['whose amount is smaller', { ...USD, amount: 1 }, { ...USD, amount: 100 }, true],
    ['in another currency', { currency: 'EUR', amount: 1 }, { ...USD, amount: 100 }, false],
    ['that was worth nothing', { ...USD, amount: 1 }, { ...USD, amount: 0 }, false],
  ])('%s', (_, task, stored, isHidden) => {
    expect(isSnoozed(buildTask(task), snooze(stored), NOW)).toBe(isHidden);
  });
});
