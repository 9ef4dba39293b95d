import { z } from 'zod';
import { parseJson } from '../../core/text/parse-text.ts';
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

/** A commission with the click that it is matched with. */
const matchSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);

/** Matches commissions that still wait with the clicks that were suggested for them. */
const matchShown: Handlers<typeof unmatchedActions.actions>['match'] = async (
  { money: { commissions } },
  { match },
) => {
  let matched = 0;
  for (const sent of match) {
    const { data } = matchSchema.safeParse(parseJson(sent));
    if (data === undefined) continue;
    const [partner, account, nativeId, clickId] = data;
    const found = { partners: [partner], account, nativeId, isWaiting: true } as const;
    if ((await commissions.table.count(found)) === 0) continue;
    if (await commissions.decide({ partner, account, nativeId }, { action: 'assign', clickId })) matched += 1;
  }
  const rest = match.length - matched;
  const message =
    matched === 0
      ? 'Nothing was matched.'
      : matched === 1
        ? '1 commission was matched.'
        : `${matched} commissions were matched.`;
  return {
    location: buildConsoleAddress('unmatched'),
    message: rest === 0 ? message : `${message} ${rest} of ${match.length} had changed meanwhile.`,
    isError: matched === 0,
  };
};

/** Decides about commissions without a click: `click` is the id or the token of one. */
export const runUnmatched: Handlers<typeof unmatchedActions.actions> = {
  match: matchShown,
  assign: about(async (commissions, id, { click }: Decided & { readonly click: string }) => {
    const { clickIds } = await commissions.matchClicks([{ reported: { token: click }, strings: [] }]);
    const clickId = clickIds[0] ?? null;
    const isKnown = clickId !== null && (await commissions.decide(id, { action: 'assign', clickId }));
    return isKnown
      ? `${id.nativeId} was matched with its click.`
      : { problem: `No stored click has this id or token. ${id.nativeId} was not matched.` };
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
