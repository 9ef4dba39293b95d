import { expect, it } from 'vitest';
import { readShippedNetworks } from '../../../content-files/networks.ts';
import type { MessageFields } from '../ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../ledger/commission-terms.ts';
import { parseNetworkMessage as parse } from './parse-message.ts';

const networks = readShippedNetworks();
const parseNetworkMessage = (fields: MessageFields, terms: CommissionTerms) =>
  parse(fields, terms, networks, 0);

it.each(['.50', '1e3', '0x10', '40,00'])(
  'the impact.com payout %j is refused, not taken as cents',
  (payout) => {
    const fields = { ActionId: '7', Payout: payout, Currency: 'USD' };
    expect(parseNetworkMessage(fields, { ...DEFAULT_TERMS, network: 'impact' }).kind).toBe('invalid');
  },
);

const parseDub = (earnings: string) => {
  const data = { id: 'cm_1', earnings, currency: 'usd' };
  return parseNetworkMessage({ event: 'commission.created', data }, { ...DEFAULT_TERMS, network: 'dub' });
};

it.each(['12.50', '1250.5', '0.01'])('cents of %j are refused, not rounded', (earnings) => {
  expect(parseDub(earnings)).toMatchObject({
    kind: 'invalid',
    detail: expect.stringContaining('whole minor'),
  });
});

it.each(['1250', '1250.', '1250.00'])('cents of %j are whole', (earnings) =>
  expect(parseDub(earnings)).toMatchObject({ kind: 'reports', reports: [{ amount: 1250 }] }),
);

it('FirstPromoter may report fractions of a cent, which are rounded', () => {
  const fields = {
    event: { type: 'reward_created' },
    data: { id: 7, amount: 3970.5, conversion_amount: 9925.25, unit: 'cash', currency: 'USD' },
  };
  expect(parseNetworkMessage(fields, { ...DEFAULT_TERMS, network: 'firstpromoter' })).toMatchObject({
    reports: [{ amount: 3971, saleAmount: 9925 }],
  });
});
