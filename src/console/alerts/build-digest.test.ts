import { describe, expect, it } from 'vitest';
import type { CommissionReport, ReportRow } from '../../core/commissions/credit/commission-report.ts';
import { NO_MONEY } from '../../core/commissions/metric-definitions.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { Task } from '../../core/console/task.ts';
import { buildDigest, type DigestFrequency, findDueDigest } from './build-digest.ts';

const find = (
  iso: string,
  frequency: DigestFrequency = 'daily',
  timeZone = 'UTC',
  hour = 7,
  weekStart: WeekStart = 'monday',
) => findDueDigest(Date.parse(iso), { frequency, hour, timeZone, weekStart });

it('is due each day from its hour until the day ends, and is about the day before', () => {
  expect(find('2026-11-20T06:59:59Z')).toBeNull();
  const period = { key: 'daily:2026-11-20', from: '2026-11-19', to: '2026-11-19' };
  expect(find('2026-11-20T07:00:00Z')).toEqual(period);
  expect(find('2026-11-20T23:59:59Z')).toEqual(period);
  expect(find('2026-11-21T00:00:00Z')).toBeNull();
});

it('is due on Mondays when it is weekly, and is about the week before', () => {
  expect(find('2026-11-20T12:00:00Z', 'weekly')).toBeNull();
  expect(find('2026-11-23T12:00:00Z', 'weekly')).toEqual({
    key: 'weekly:2026-11-23',
    from: '2026-11-16',
    to: '2026-11-22',
  });
});

it('is due on Sundays when the week starts on Sunday', () => {
  expect(find('2026-11-23T12:00:00Z', 'weekly', 'UTC', 7, 'sunday')).toBeNull();
  expect(find('2026-11-22T12:00:00Z', 'weekly', 'UTC', 7, 'sunday')).toEqual({
    key: 'weekly:2026-11-22',
    from: '2026-11-15',
    to: '2026-11-21',
  });
});

it('follows the days of the time zone', () => {
  // 20 November, 7:30 in Auckland (UTC+13).
  expect(find('2026-11-19T18:30:00Z', 'daily', 'Pacific/Auckland')?.key).toBe('daily:2026-11-20');
  expect(find('2026-11-19T17:59:00Z', 'daily', 'Pacific/Auckland')).toBeNull();
});

describe.each([
  ['the clock skips its hour', '2026-03-29T00:00:00Z', 2],
  ['the clock shows its hour twice', '2026-10-25T00:00:00Z', 2],
  ['the clock changes before its hour', '2026-03-29T00:00:00Z', 7],
])('on a day on which %s', (_, from, hour) => {
  it('is due once, in one stretch', () => {
    const start = Date.parse(from);
    // Every five minutes of the UTC day and the hour before it.
    const keys = Array.from({ length: 13 * 24 }, (_unused, index) => {
      const now = new Date(start - 3_600_000 + index * 300_000).toISOString();
      return find(now, 'daily', 'Europe/Berlin', hour)?.key ?? '';
    });
    const changes = keys.filter((key, index) => index > 0 && key !== keys[index - 1]);
    expect(changes.filter((key) => key === `daily:${from.slice(0, 10)}`)).toHaveLength(1);
  });
});

const buildRow = (key: string, clicks: number, approved = 0, pending = 0, currency = 'USD'): ReportRow => ({
  key,
  clicks,
  conversions: 0,
  payments: 0,
  currencies: approved + pending === 0 ? {} : { [currency]: { ...NO_MONEY, approved, pending, unknown: 0 } },
});
const REPORT: CommissionReport = {
  rows: [buildRow('kit', 1_204, 41_200, 18_000), buildRow('evil', 3)],
  total: buildRow('total', 1_207, 42_200, 18_000),
  labelled: buildRow('labelled', 0),
  withoutJourney: buildRow('without journey', 0),
  unmatched: buildRow('unmatched', 0, 1_000),
};
const buildTask = (key: string, text: string, amount: number | null): Task => ({
  key,
  kind: key,
  text,
  amount,
  currency: amount === null ? null : 'USD',
  href: '/console',
});
const TASKS = [
  buildTask('unmatched', 'A click is suggested for 3 commissions in USD.', 11_700),
  buildTask('disk', 'The disk is almost full.', null),
];
const build = (
  report = REPORT,
  tasks: readonly Task[] = TASKS,
  currency: string | null = null,
  rateDay: string | null = null,
) =>
  buildDigest({
    currency,
    rateDay,
    period: { key: 'weekly:2026-11-23', from: '2026-11-16', to: '2026-11-22' },
    report,
    names: new Map([
      ['kit', 'Kit'],
      ['evil', '<b>Evil</b>'],
    ]),
    tasks,
    siteName: 'Signpost',
    consoleUrl: 'https://example.com/console',
    now: 5,
  });

it('says what was booked, with how many clicks, and what found no click', () => {
  const { id, subject, text } = build();
  expect([id, subject]).toEqual(['digest:weekly:2026-11-23', 'Signpost: Nov 16 – Nov 22']);
  expect(
    text,
  ).toBe(`Nov 16 – Nov 22: $422.00 approved and $180.00 pending were booked, with 1,207 clicks. $10.00 of it found no click.

Partner · Clicks · Approved · Paid · Pending · Reversed
Kit · 1,204 · $412.00 · $0.00 · $180.00 · $0.00
<b>Evil</b> · 3 ·  ·  ·  · 
Without a click ·  · $10.00 · $0.00 · $0.00 · $0.00

What to do today:
- $117.00: A click is suggested for 3 commissions in USD.
- The disk is almost full.

https://example.com/console`);
});

it('says what is the same of several subjects once', () => {
  const text = 'A link to Kit is broken: the host does not exist.';
  const others = Array.from({ length: 10 }, (_, index) => buildTask(`task-${index}`, `Task ${index}.`, null));
  const digest = build(REPORT, [buildTask('link:1', text, null), buildTask('link:2', text, null), ...others]);
  expect(digest.text).toContain(`- ${text} (2 of these)\n- Task 0.`);
  expect(digest.text.match(/Kit is broken/g)).toHaveLength(1);
  expect(digest.text).toContain('- Task 8.\nand 1 more\n');
});

it('has one total in the reporting currency, and names what has no rate', () => {
  const currencies = { ...buildRow('', 0, 0, 900, 'CHF').currencies, ...REPORT.total.currencies };
  const { text } = build({ ...REPORT, total: { ...REPORT.total, currencies } }, TASKS, 'USD', '2026-11-20');
  expect(text).toContain(
    '$422.00 approved and $180.00 pending; CHF\u00a00.00 approved and CHF\u00a09.00 pending (no rate) were booked, with 1,207 clicks.',
  );
  expect(text).toContain('are in USD at the rates of their own days; the newest rate is of Nov 20, 2026.');
});

it('ends its HTML with a link to the console, after the table', () => {
  const { html } = build();
  const [, after = ''] = (html ?? '').split('</table>');
  expect(after).toContain('<a href="https://example.com/console">https://example.com/console</a>');
});

it('escapes names in its HTML', () => {
  const { html } = build();
  expect(html).toContain('&lt;b&gt;Evil&lt;/b&gt;');
  expect(html).not.toContain('<b>');
});

it('says that nothing was earned', () => {
  const { text } = build({
    rows: [],
    total: buildRow('total', 1),
    labelled: buildRow('labelled', 0),
    unmatched: buildRow('unmatched', 0),
    withoutJourney: buildRow('without journey', 0),
  });
  expect(text).toContain('Nov 16 – Nov 22: 1 click and no commission.');
  expect(text).not.toContain('Partner');
});

it('names ten tasks and how many more there are, and says when there is nothing to do', () => {
  const many = Array.from({ length: 13 }, (_, index) => buildTask(`task-${index}`, `Task ${index}.`, null));
  const { text } = build(REPORT, many);
  expect(text).toContain('- Task 9.\nand 3 more\n');
  expect(build(REPORT, []).text).toContain('\n\nWhat to do today: nothing.\n\n');
});
