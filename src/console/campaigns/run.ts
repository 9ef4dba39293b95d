import { setCost } from '../../server/commissions/cost-import.ts';
import type { campaignActions, Handlers } from '../actions.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney } from '../reports/format.ts';

/** Stores what a campaign has cost. */
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
};
