import { expect, it } from 'vitest';
import type { CommissionReport, ReportRow } from '../../core/commissions/commission-report.ts';
import { buildDigest } from './build-digest.ts';

const buildRow = (key: string, clicks: number, approved = 0, pending = 0, currency = 'USD'): ReportRow => ({
  key,
  clicks,
  conversions: 0,
  currencies: approved + pending === 0 ? {} : { [currency]: { approved, pending, reversed: 0, unknown: 0 } },
});
const REPORT: CommissionReport = {
  rows: [buildRow('kit', 1_204, 41_200, 18_000), buildRow('evil', 3)],
  total: buildRow('total', 1_207, 42_200, 18_000),
  unmatched: buildRow('unmatched', 0, 1_000),
};
const build = (report = REPORT) =>
  buildDigest({
    period: { key: 'weekly:2026-11-23', from: '2026-11-16', to: '2026-11-22' },
    report,
    names: new Map([
      ['kit', 'Kit'],
      ['evil', '<b>Evil</b>'],
    ]),
    alerts: [{ key: 'disk', title: 'The disk is almost full.', detail: '', view: 'settings' }],
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

Partner · Clicks · Approved · Pending · Reversed
Kit · 1,204 · $412.00 · $180.00 · $0.00
<b>Evil</b> · 3 ·  ·  · 
Without a click ·  · $10.00 · $0.00 · $0.00

Needs attention:
- The disk is almost full.

https://example.com/console`);
});

it('escapes names in its HTML', () => {
  const { html } = build();
  expect(html).toContain('&lt;b&gt;Evil&lt;/b&gt;');
  expect(html).not.toContain('<b>');
});

it('says that nothing was earned', () => {
  const { text } = build({ rows: [], total: buildRow('total', 1), unmatched: buildRow('unmatched', 0) });
  expect(text).toContain('Nov 16 – Nov 22: 1 click and no commission.');
  expect(text).not.toContain('Partner');
});
