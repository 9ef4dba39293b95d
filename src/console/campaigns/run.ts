import { isCostPeriod } from '../../core/commissions/cost/campaign-cost.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';
import { setCost } from '../../server/commissions/cost-import.ts';
import type { campaignActions, Handlers } from '../actions.ts';
import { runCosts } from '../import/costs.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney } from '../reports/format.ts';

/** Stores what campaigns have cost, and what was spent beyond ads. */
export const runCampaigns: Handlers<typeof campaignActions.actions> = {
  async 'set-cost'({ clock, settings, money: { costs, rollups } }, typed, { query }) {
    const location = `${buildConsoleAddress('campaigns', query)}#costs`;
    const result = await setCost({ costs, rollups }, typed, {
      now: clock.now(),
      timeZone: settings.TIME_ZONE,
    });
    if ('problem' in result)
      return { location, message: `${result.problem} Nothing was changed.`, isError: true };
    const { campaign, amount, isReported } = result;
    const code = typed.currency.toUpperCase();
    const unknown = isReported ? '' : ' No visit of this campaign is known yet: check its name.';
    return {
      location,
      message: `${campaign} cost ${formatMoney(amount, code)} in ${typed.period}.${unknown}`,
      isError: false,
      note: `Changed the cost of ${campaign} in ${typed.period}.`,
    };
  },
  ...runCosts,
  async 'add-expense'({ clock, newId, money: { costs } }, typed, { query }) {
    const location = `${buildConsoleAddress('campaigns', query)}#costs`;
    const currency = typed.currency.toUpperCase();
    const amount = /^[A-Z]{3}$/.test(currency) ? parseDecimalAmount(typed.amount, currency) : null;
    const problem =
      typed.name === ''
        ? 'Name what was paid for.'
        : amount === null || amount <= 0
          ? 'The cost has to be an amount such as 412.50, with its currency.'
          : isCostPeriod(typed.period)
            ? null
            : 'The period has to be a day or a month, such as 2026-11-20 or 2026-11.';
    if (problem !== null || amount === null)
      return { location, message: `${problem} Nothing was changed.`, isError: true };
    const { name, period } = typed;
    await costs.writeExpense({ id: newId(), name, period, amount, currency }, clock.now());
    const message = `${name} cost ${formatMoney(amount, currency)} in ${period}.`;
    return { location, message, isError: false, note: `Added the cost of ${name} in ${period}.` };
  },
  async 'remove-expense'({ money: { costs } }, { id }, { query }) {
    const location = `${buildConsoleAddress('campaigns', query)}#costs`;
    const isRemoved = await costs.removeExpense(id);
    const message = isRemoved ? 'The cost was removed.' : 'There is no such cost any more.';
    return { location, message, isError: !isRemoved, note: 'Removed a cost.' };
  },
};
