import { expect, it } from 'vitest';
import { buildViewRequest } from '../../../test/support/console-ledger.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { formatReport } from '../../commands/commissions/reports.ts';
import { buildCommissionReport, type ReportQuery } from '../../core/commissions/credit/commission-report.ts';
import type { ConsoleQuery } from './query.ts';
import { describeWithoutJourney } from './without-journey.ts';

const { query } = buildViewRequest();
const filter = (value: string) =>
  ({ filters: [{ dimension: 'journey', value, isNot: false }] }) satisfies Partial<ConsoleQuery>;
const shares = { visits: { all: 1_204, without: 458 }, money: { all: 10_000, without: 1_400 } };
const none = { visits: { all: 1_204, without: 0 }, money: { all: 10_000, without: 0 } };
const VISITS =
  '38% of 1,204 visits came without journey: nothing was stored in the browser, so a typed address counts as another visit.';
const MONEY = '14% of this money is without journey';

it.each([
  ['campaigns', {}, `${VISITS} ${MONEY}: the models agree there by construction.`],
  ['pages', {}, `${VISITS} ${MONEY}.`],
  [
    'sources',
    {},
    `${VISITS} Clicks per visit: of 746 visits with journey (62%). ${MONEY}: the models agree there by construction.`,
  ],
  ['pages', filter('without'), 'Of 458 visits without journey (38%). 14% of the money is without journey.'],
  ['sources', filter('with'), 'Of 746 visits with journey (62%). 14% of the money is without journey.'],
  ['pages', filter('all'), `${VISITS} ${MONEY}.`],
] as const)('says in %s with %j: %s', (view, change, text) =>
  expect(describeWithoutJourney(shares, view, { ...query, ...change })).toBe(text),
);

it('says nothing where every visit has a journey, and nothing of visits that other filters leave', () => {
  expect(describeWithoutJourney(none, 'sources', query)).toBe('');
  expect(describeWithoutJourney({ ...shares, visits: null }, 'pages', query)).toBe(`${MONEY}.`);
});

const free = { pages: ['blog', '/pricing'], entryPage: 'blog', isFree: true } as const;
const entries = [
  buildSampleEntry([{ nativeId: '1', status: 'approved', amount: 1_500 }], free),
  buildSampleEntry([{ nativeId: '2', amount: 1_500 }]),
  buildSampleEntry([{ nativeId: '3', amount: 9_000 }], null),
];

it('reports of the command line say what share of the money of clicks is without journey', () => {
  const options = { by: 'campaign', model: 'last', from: 0, to: 1e14 } as const;
  const report = (by: ReportQuery['by']) => {
    const own = { ...options, by, timeZone: 'UTC', answerField: '' };
    return formatReport(buildCommissionReport(entries, new Map(), own), own, 'table')
      .split('\n')
      .at(-2);
  };
  expect(report('campaign')).toBe(
    '50% of USD money of known clicks is without journey: the models agree there by construction.',
  );
  expect(report('partner')).toBe('50% of USD money of known clicks is without journey.');
});
