import { expect, it } from 'vitest';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { findConflicts } from '../../core/commissions/ledger/build-ledger.ts';
import { buildExplanation, formatExplanation, formatUnmatched } from './reports.ts';

it('explains each report in the currency that it names, and one that names none in that of its commission', () => {
  const yen = { currency: 'JPY', amount: 1_500 };
  const other = { currency: 'EUR', amount: 900, eventTime: 3, changeTime: 3, status: 'approved' } as const;
  const silent = { currency: 'USD', amount: 200_000, unstated: ['currency'], status: 'approved' } as const;
  const explain = (...reports: Parameters<typeof buildSampleEntry>[0]) =>
    formatExplanation(buildExplanation(buildSampleEntry(reports)));
  const text = explain(
    { ...yen, status: 'pending', eventTime: 1, changeTime: 1 },
    { ...silent, eventTime: 1, changeTime: 2 },
  );
  expect(text).toContain('approved, 2000 JPY\n');
  expect(text.match(/pending, 1500 JPY$/m)).not.toBeNull();
  expect(text).toMatch(/ by \w+, .*: approved, 2000 JPY \(no currency stated\)$/m);
  expect(explain({ ...yen, eventTime: 1, changeTime: 1 }, other)).toMatch(/ by \w+, .*: \w+, 1500 JPY$/m);
});

it('explains what a report did not state, and lists a commission whose times and arrivals disagree', () => {
  const none = { amount: 0, unstated: ['amount', 'currency'] } as const;
  const entry = buildSampleEntry([
    { changeTime: Date.UTC(2025, 9, 2) },
    { ...none, status: 'paid' },
    { status: 'reversed', changeTime: Date.UTC(2025, 9, 8) },
    { status: 'approved', amount: 7_955, changeTime: Date.UTC(2025, 9, 7) },
    { status: 'approved', amount: 7_955, changeTime: Date.UTC(2025, 9, 12) },
  ]);
  const text = formatExplanation(buildExplanation(entry));
  const arrived = '  report    arrived 2025-11-20T00:53:20.000Z by postback, ';
  expect(text).toContain(`${arrived}stated time 2025-10-12T00:00:00.000Z: approved, 79.55 USD\n`);
  expect(text).toContain(`${arrived}no time stated: paid, no amount stated\n`);
  expect(text).not.toContain(' 0.00 USD');
  expect(text).toContain('highlevel 1001: approved, 79.55 USD');
  const told = 'the times of the reports and their arrival tell different orders';
  expect(text).toContain(`to check    ${told}\n`);
  const conflicts = [{ partner: 'highlevel', id: '1001', conflicts: findConflicts(entry) }];
  expect(formatUnmatched([], { currencies: {}, differences: [], conflicts })).toContain(
    `highlevel 1001: ${told}; see explain`,
  );
});
