import { expect, it } from 'vitest';
import { buildSampleJourney, buildStoredFact } from '../../../test/support/sample-commissions.ts';
import { buildLedger } from '../../core/commissions/ledger/build-ledger.ts';
import type { StoredFact } from '../../core/commissions/ledger/commission-fact.ts';
import { buildCells, passesFilters } from './select-entries.ts';

const CLICK = '0b7f1e9a-52a1-4c37-9d0a-6f2b7d1c8e11';

const journey = buildSampleJourney({
  clickId: CLICK,
  clickTime: Date.parse('2026-11-01T10:00:00Z'),
  touches: [
    { campaign: { utm_source: 'google', utm_medium: 'cpc' }, time: 1 },
    { campaign: { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'may' }, time: 2 },
  ],
  answers: { businessType: 'agency', challenges: 'leads,costs' },
});

const fact = (fields: Partial<StoredFact>) =>
  buildStoredFact({
    nativeId: 'c-1',
    status: 'approved',
    token: CLICK,
    clickId: CLICK,
    changeTime: 1,
    eventTime: Date.parse('2026-11-15T10:00:00Z'),
    arrivedAt: Date.parse('2026-11-20T10:00:00Z'),
    ...fields,
  });

const entries = buildLedger({
  facts: [
    fact({}),
    fact({ nativeId: 'c-2', token: '', clickId: null, sequence: 2, currency: 'EUR', status: 'pending' }),
  ],
  decisions: [],
  journeys: [journey],
  terms: new Map(),
  firstEventTime: null,
});

const QUERY = { model: 'last', filters: [] } as const;

const select = (change: Partial<Parameters<typeof passesFilters>[1]>) =>
  buildCells(entries, 'UTC').flatMap((cell, index) =>
    passesFilters(cell, { ...QUERY, ...change }) ? [`c-${index + 1}`] : [],
  );

it.each([
  ['partner', 'highlevel', ['c-1', 'c-2']],
  ['status', 'pending', ['c-2']],
  ['page', '/pricing', ['c-1']],
  ['page', '/', []],
  ['placement', '/pricing hero', ['c-1']],
  ['campaign', 'letter / email / may', ['c-1']],
  ['campaign', 'google / cpc / (none)', []],
  ['answer', 'agency', ['c-1']],
  ['answer', 'challenges costs', ['c-1']],
] as const)('the filter %s is %s selects %j, and its opposite the others', (dimension, value, found) => {
  expect(select({ filters: [{ dimension, value, isNot: false }] })).toEqual(found);
  const others = ['c-1', 'c-2'].filter((id) => !found.some((other) => other === id));
  expect(select({ filters: [{ dimension, value, isNot: true }] })).toEqual(others);
});

it('campaigns are those that the model names', () => {
  const filter = { dimension: 'campaign', value: 'google / cpc / (none)', isNot: false } as const;
  expect(select({ model: 'first', filters: [filter] })).toEqual(['c-1']);
});
