import { getLocalDay } from '../../core/commissions/local-time.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';
import type { Handlers, moneyActions } from '../actions.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { readOwed } from '../reports/cash.ts';
import { formatMoney } from '../reports/format.ts';
import { sumOf } from '../reports/payments.ts';
import { isDay } from '../reports/range.ts';

/** How much of what a partner reports a payment was for: what is open of it, and what was already said to have arrived. */
async function findCovered(
  site: ConsoleSite,
  { partner, account, currency, day }: Record<'partner' | 'account' | 'currency' | 'day', string>,
): Promise<number> {
  const { received, owed } = await readOwed(site);
  const isOwn = (one: Record<'partner' | 'account' | 'currency', string>) =>
    one.partner === partner && one.account === account && one.currency === currency;
  const open = [...received.filter(({ arrival }) => arrival === null), ...owed].filter(
    (one) => isOwn(one) && one.day === day,
  );
  const known = received.find(({ arrival }) => arrival !== null && isOwn(arrival) && arrival.dueDay === day);
  return (known?.arrival?.covers ?? 0) + sumOf(open, ({ amount }) => Math.max(0, amount));
}

/** Stores which payments arrived. */
export const runMoney: Handlers<typeof moneyActions.actions> = {
  async arrived(site, typed, { query }) {
    const { partner, account, currency, day, arrivedDay } = typed;
    const location = `${buildConsoleAddress('money', query)}#received`;
    const arrivedCurrency = typed.arrivedCurrency.toUpperCase();
    const isCode = (code: string) => /^[A-Z]{3}$/.test(code);
    const amount = isCode(arrivedCurrency) ? parseDecimalAmount(typed.amount, arrivedCurrency) : null;
    const covers = await findCovered(site, typed);
    const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
    const problem =
      covers <= 0
        ? 'There is no such payment any more.'
        : amount === null || amount <= 0
          ? 'The amount has to be what stands on the account, such as 1234.50.'
          : !isDay(arrivedDay)
            ? 'The day has to be one such as 2026-11-20.'
            : arrivedDay > today
              ? 'The day is still to come.'
              : null;
    if (problem !== null || amount === null)
      return { location, message: `${problem} Nothing was changed.`, isError: true };
    const arrival = { partner, account, currency, dueDay: day, covers, arrivedDay, amount, arrivedCurrency };
    await site.money.arrivals.write(arrival, site.clock.now());
    const name = site.content.read().partners.get(partner)?.name ?? partner;
    return {
      location,
      message: `${formatMoney(amount, arrivedCurrency)} of ${name} arrived on ${arrivedDay}.`,
      isError: false,
      note: `A payment of ${name} arrived on ${arrivedDay}.`,
    };
  },
  async 'not-arrived'(site, { partner, account, currency, day }, { query }) {
    const location = `${buildConsoleAddress('money', query)}#received`;
    await site.money.arrivals.remove({ partner, account, currency, dueDay: day });
    return {
      location,
      message: 'The payment counts as not arrived again.',
      isError: false,
      note: 'Took back that a payment arrived.',
    };
  },
};
