import { expect, it } from 'vitest';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { buildExplanation, formatExplanation } from './reports.ts';

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
  expect(text.match(/ by \w+: approved, 2000 JPY$/m)).not.toBeNull();
  expect(explain({ ...yen, eventTime: 1, changeTime: 1 }, other)).toMatch(/ by \w+: \w+, 1500 JPY$/m);
});
