import type { Handlers, unmatchedActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';

interface Decided {
  readonly partner: string;
  readonly account: string;
  readonly id: string;
}
/** What a decision has done, as a sentence; `isError` when it has done nothing. */
type Decide<Fields> = (
  commissions: ConsoleSite['money']['commissions'],
  id: { readonly partner: string; readonly account: string; readonly nativeId: string },
  fields: Fields,
) => Promise<string | { readonly problem: string }>;

/** Decides about a commission that there is. */
const about =
  <Fields extends Decided>(decide: Decide<Fields>) =>
  async (
    { money: { commissions } }: ConsoleSite,
    fields: Fields,
    { parameters }: ViewRequest,
  ): Promise<ActionOutcome> => {
    const { partner, account, id: nativeId } = fields;
    const id = { partner, account, nativeId };
    const isKnown = (await commissions.table.count({ partners: [partner], account, nativeId })) > 0;
    const done = isKnown
      ? await decide(commissions, id, fields)
      : { problem: 'There is no such commission. Nothing was changed.' };
    const location = buildConsoleAddress('unmatched') + (parameters.size === 0 ? '' : `?${parameters}`);
    return typeof done === 'string'
      ? { location, message: done, isError: false }
      : { location, message: done.problem, isError: true };
  };

/** Decides about commissions without a click: `click` is the id or the token of one. */
export const runUnmatched: Handlers<typeof unmatchedActions.actions> = {
  assign: about(async (commissions, id, { click }: Decided & { readonly click: string }) => {
    const { clickIds } = await commissions.matchClicks([{ reported: { token: click }, strings: [] }]);
    const clickId = clickIds[0] ?? null;
    const isKnown = clickId !== null && (await commissions.decide(id, { action: 'assign', clickId }));
    return isKnown
      ? `${id.nativeId} was assigned to its click.`
      : { problem: `No stored click has this id or token. ${id.nativeId} was not assigned.` };
  }),
  dismiss: about(async (commissions, id) => {
    await commissions.decide(id, { action: 'dismiss', clickId: null });
    return `${id.nativeId} was dismissed. It counts in no report.`;
  }),
  reset: about(async (commissions, id) => {
    await commissions.decide(id, { action: 'reset', clickId: null });
    return `The decision about ${id.nativeId} was undone.`;
  }),
};
