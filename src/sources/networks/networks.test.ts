import { expect, it } from 'vitest';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { parseNetworkMessage } from './networks.ts';

it.each(['.50', '1e3', '0x10', '40,00'])(
  'the impact.com payout %j is refused, not read as cents',
  (payout) => {
    const fields = { ActionId: '7', Payout: payout, Currency: 'USD' };
    expect(parseNetworkMessage(fields, { ...DEFAULT_TERMS, network: 'impact' }).kind).toBe('invalid');
  },
);
