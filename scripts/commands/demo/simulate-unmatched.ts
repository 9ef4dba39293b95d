import { DAY_MS } from '../../../src/core/clock.ts';
import { getDemoProgram } from './demo-programs.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DemoCommission } from './simulate-commissions.ts';

/**
 * Commissions of clicks before the first event, of links without a click id, bonuses, and tests of a network.
 * `start` and `now` are the beginning and the end of the data, in ms since 1970.
 */
export function simulateUnmatched(
  partners: readonly string[],
  { start, now }: { readonly start: number; readonly now: number },
  random: SeededRandom,
): DemoCommission[] {
  const build = (partner: string, at: number, fields: Partial<DemoCommission>): DemoCommission => ({
    partner,
    nativeId: random.uuid().slice(0, 8),
    kind: 'sale',
    currency: getDemoProgram(partner).currency,
    token: '',
    clickId: null,
    clickTime: null,
    isTest: false,
    states: [{ status: 'approved', amount: getDemoProgram(partner).amounts[0]?.[0] ?? 0, time: at }],
    ...fields,
  });
  const days = (count: number) => count * DAY_MS;
  return partners.flatMap((partner, index) => {
    // Small programs first: what is without a click must not outweigh what recent clicks have earned so far.
    const place = partners.length - 1 - index;
    return [
      ...[4, 11, 19].map((day) =>
        build(partner, start + days(day + index), {
          token: random.uuid(),
          clickTime: start - days(6 + day),
        }),
      ),
      build(partner, now - days(9 + 25 * place), { kind: 'bonus' }),
      build(partner, now - days(6 + 17 * place), { token: 'sidebar' }),
      build(partner, now - days(20 + 31 * index), { isTest: true, token: 'test' }),
    ];
  });
}
