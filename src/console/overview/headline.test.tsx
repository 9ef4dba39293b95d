import { expect, it } from 'vitest';
import {
  buildViewRequest,
  createConsoleLedger,
  renderInFrame,
} from '../../../test/support/console-ledger.ts';
import type { PeriodComparison } from '../reports/comparison.ts';
import { HeadlineFigures } from './headline.tsx';
import { readOverview } from './read.ts';

const COMPARED: PeriodComparison = {
  range: { from: '2025-08-01', to: '2025-10-31' },
  asOf: Date.parse('2025-12-28T12:00:00Z'),
  isRunning: true,
  moneyBegins: null,
  eventsBegin: null,
  arrivedShare: 0.31,
  changes: {
    confirmed: { now: 4_000, before: 8_000, isChance: true },
    pending: { now: 0, before: 0, isChance: true },
    expected: { now: 4_000, before: 1_000, isChance: false },
    reversed: 'unknown',
    clicks: { now: 12, before: 12, isChance: true },
    epc: 'immature',
  },
};

/** The text of the tiles and of the note below them, without definitions. */
async function read(compared: PeriodComparison | null): Promise<string> {
  const site = await createConsoleLedger();
  const { query, ...request } = buildViewRequest();
  const model = await readOverview(site, {
    ...request,
    query: { ...query, clock: 'booking', currency: 'USD' },
  });
  const content = <HeadlineFigures model={{ ...model, compared }} />;
  const html = renderInFrame(content, { query, viewer: { kind: 'share', id: 's-1' } });
  return html
    .replace(/<span role="tooltip".*?<\/span><\/span>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

it('every figure of money names its clock, and every change says whether it may be chance', async () => {
  const text = await read(COMPARED);
  for (const name of ['Confirmed', 'Expected', 'Reversed', 'Found its click'])
    expect(text).toContain(`${name} by booking day`);
  expect(text).toContain('Per click so far by click day');
  expect(text).toContain('−50% from $80, may be chance');
  expect(text).toContain('+300% from $10, beyond chance');
  expect(text).toContain('as before, 12');
  expect(text).toContain('too early to compare');
  expect(text).toContain(
    'Compared with Aug 1 – Oct 31, 2025 as it stood on Dec 28, 2025, 12:00, at the same age.',
  );
  expect(text).toContain('About 31% of the money of these clicks has usually arrived by now');
});

it('a change without eight earlier weeks is not told from chance', async () => {
  const clicks = { now: 24, before: 12, isChance: null };
  const text = await read({ ...COMPARED, changes: { ...COMPARED.changes, clicks } });
  expect(text).toContain('+100% from 12, cannot be told yet');
  expect(text).toContain('cannot be told without eight weeks of data before both periods.');
  expect(await read(COMPARED)).not.toContain('cannot be told');
});

it('a time before the first data is named instead of compared', async () => {
  const none = {
    confirmed: 'no-data',
    pending: 'no-data',
    expected: 'no-data',
    reversed: 'no-data',
  } as const;
  const changes = { ...none, clicks: 'no-data', epc: 'no-data' } as const;
  const begins = { moneyBegins: '2025-10-03', eventsBegin: '2025-10-03' };
  const text = await read({ ...COMPARED, ...begins, changes });
  expect(text).toContain('There are no earlier data: they begin on Oct 3, 2025.');
  expect(text).not.toMatch(/Compared with|chance|% {2}from/);
  expect(await read(null)).not.toMatch(/chance|no earlier data/);
});
