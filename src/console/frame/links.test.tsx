import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { renderInFrame } from '../../../test/support/console-ledger.ts';
import type { ConsoleFrame } from '../console-page.ts';
import type { readOverview } from '../overview/read.ts';
import { LatestCommissions } from '../overview/view.tsx';
import type { CommissionRow } from '../reports/select-entries.ts';
import { CommissionLink } from './links.tsx';

const FRAME = {
  navigation: [{ tabs: [{ view: 'commissions' }] }],
  query: { filters: [] },
  timeZone: 'UTC',
} as unknown as ConsoleFrame;

const buildRow = (changes: Partial<CommissionRow>) =>
  ({
    partner: 'kit',
    account: 'second',
    id: 'c-1',
    status: 'approved',
    amount: 1_200,
    reversedAmount: 0,
    currency: 'USD',
    converted: null,
    bookedAt: 0,
    page: null,
    ...changes,
  }) as CommissionRow;

const renderLatest = (row: CommissionRow) =>
  renderInFrame(
    <LatestCommissions
      model={{ latest: [row], now: 0 } as unknown as Awaited<ReturnType<typeof readOverview>>}
    />,
    FRAME,
  );

it.each(['c-1', 'a/b', 'a\\b', '..', ''])('the latest commissions lead to %j as every list does', (id) => {
  const row = buildRow({ id });
  const [, href] = /href="([^"]*)"/.exec(renderToStaticMarkup(<CommissionLink row={row} />)) ?? [];
  expect(renderLatest(row)).toContain(`<a href="${href}"><span class="money`);
});

it('the latest commissions show an amount of an unknown status not as approved', () => {
  expect(renderLatest(buildRow({ status: 'approved' }))).toContain('money-approved');
  expect(renderLatest(buildRow({ status: 'unknown' }))).not.toContain('money-approved');
});
