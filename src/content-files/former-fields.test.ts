import { expect, it } from 'vitest';
import { leaveOutFormer } from './former-fields.ts';

it('leaves the charges of a provider out of calculators, keeps what a reader enters, and names each', () => {
  const fields = [{ name: 'seats', charge: 'x.seat' }, { name: 'tools' }];
  const raw = { calculators: { one: { base: [], fields }, two: { fields: [{ name: 'cost' }] } } };
  const { value, former } = leaveOutFormer('calculators.yaml', raw);
  expect(value).toEqual({
    calculators: { one: { fields: [{ name: 'tools' }] }, two: { fields: [{ name: 'cost' }] } },
  });
  expect(former.map(({ path }) => path)).toEqual([
    ['calculators', 'one', 'base'],
    ['calculators', 'one', 'fields', 0],
  ]);
});
