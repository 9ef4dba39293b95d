import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type {
  CommissionDecision,
  CommissionStatus,
  FactSource,
} from '../../core/commissions/commission-fact.ts';
import {
  buildCampaignName,
  buildCredit,
  type CreditModel,
  type FrozenJourney,
} from '../../core/commissions/credit.ts';
import { buildCommissionRow, type CommissionRow } from './read.ts';

/** A step of a commission's history. */
export interface TimelineStep {
  /** ms since 1970. */
  readonly time: number;
  readonly kind: 'click' | 'message' | 'assign' | 'dismiss' | 'reset' | 'match';
  /** What the message reported; null for other steps. */
  readonly status: CommissionStatus | null;
  /** Minor units of `currency`; null for other steps. */
  readonly amount: number | null;
  readonly currency: string;
  /** How the message arrived; null for other steps. */
  readonly source: FactSource | null;
  /** Whether it contradicts a message that is at least as new, and was not applied. */
  readonly isConflict: boolean;
  /** When it arrived; ms since 1970. */
  readonly arrivedAt: number;
}

/** What each model credits to one campaign or page, in minor units; null when a model credits nothing to it. */
export interface CreditRow {
  readonly touch: string;
  readonly time: number | null;
  readonly amounts: readonly (number | null)[];
}

/** Credit under several models that credit the same kind of thing. */
export interface CreditTable {
  readonly models: readonly CreditModel[];
  readonly rows: readonly CreditRow[];
}

/** Everything that is known of one commission. */
export interface CommissionDetailModel {
  readonly kind: 'one';
  readonly row: CommissionRow;
  /** The sub-id that the network reported; empty without one. */
  readonly token: string;
  /** What the customer paid, in minor units; null when it is not reported. */
  readonly saleAmount: number | null;
  readonly journey: FrozenJourney | null;
  readonly timeline: readonly TimelineStep[];
  readonly campaignCredit: CreditTable | null;
  readonly pageCredit: CreditTable | null;
  /** Texts of the messages that are still stored, newest first. */
  readonly messages: readonly { readonly arrivedAt: number; readonly content: string }[];
  /** Other commissions of the same click, oldest first. */
  readonly siblings: readonly CommissionRow[];
}

export const CAMPAIGN_MODELS = [
  'first',
  'last',
  'lastPaid',
  'linear',
] as const satisfies readonly CreditModel[];
export const PAGE_MODELS = [
  'clickPage',
  'entryPage',
  'linearPages',
] as const satisfies readonly CreditModel[];

/** Builds the history of a commission, oldest step first. */
function buildTimeline(
  { commission, journey, facts }: LedgerEntry,
  decisions: readonly CommissionDecision[],
): TimelineStep[] {
  const nothing = {
    status: null,
    amount: null,
    currency: commission.currency,
    source: null,
    isConflict: false,
  };
  const conflicts = new Set(commission.conflicts.map(({ sequence }) => sequence));
  const click: TimelineStep[] =
    journey === null
      ? []
      : [{ ...nothing, time: journey.clickTime, kind: 'click', arrivedAt: journey.clickTime }];
  const messages = facts.map(
    (fact): TimelineStep => ({
      time: fact.changeTime,
      kind: 'message',
      status: fact.status,
      amount: fact.amount,
      currency: fact.currency,
      source: fact.source,
      isConflict: conflicts.has(fact.sequence),
      arrivedAt: fact.arrivedAt,
    }),
  );
  const decided = decisions.map(({ action, origin, decidedAt }): TimelineStep => {
    const kind = action === 'assign' && origin === 'match' ? 'match' : action;
    return { ...nothing, time: decidedAt, kind, arrivedAt: decidedAt };
  });
  return [...click, ...messages, ...decided].sort(
    (one, other) => one.time - other.time || one.arrivedAt - other.arrivedAt,
  );
}

/** Builds what each of some models credits, a row for each campaign or page. */
function buildCreditTable(
  amount: number,
  journey: FrozenJourney,
  models: readonly CreditModel[],
): CreditTable {
  const columns = models.map(
    (model) => new Map(buildCredit(amount, journey, model).map((part) => [part.touch, part])),
  );
  const touches = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const times = new Map(
    [...journey.touches].reverse().map(({ campaign, time }) => [buildCampaignName(campaign), time]),
  );
  const order = [...journey.touches.map(({ campaign }) => buildCampaignName(campaign)), ...journey.pages];
  const getPlace = (touch: string) => (order.includes(touch) ? order.indexOf(touch) : order.length);
  return {
    models,
    rows: touches
      .sort((one, other) => getPlace(one) - getPlace(other))
      .map((touch) => ({
        touch,
        time: times.get(touch) ?? null,
        amounts: columns.map((column) => column.get(touch)?.amount ?? null),
      })),
  };
}

/** Builds the page of a commission without the raw messages, which the server reads. */
export function buildCommissionDetail(
  entry: LedgerEntry,
  context: {
    readonly entries: readonly LedgerEntry[];
    readonly decisions: readonly CommissionDecision[];
    readonly messages: CommissionDetailModel['messages'];
  },
): CommissionDetailModel {
  const { commission, journey } = entry;
  // A reversed commission is worth nothing: the table shows what each model had credited before.
  const amount = commission.amount === 0 ? commission.reversedAmount : commission.amount;
  const table = (models: readonly CreditModel[]) =>
    journey === null ? null : buildCreditTable(amount, journey, models);
  return {
    kind: 'one',
    row: buildCommissionRow(entry),
    token: commission.token,
    saleAmount: commission.saleAmount,
    journey,
    timeline: buildTimeline(entry, context.decisions),
    campaignCredit: table(CAMPAIGN_MODELS),
    pageCredit: table(PAGE_MODELS),
    messages: context.messages,
    siblings: context.entries
      .filter((other) => other !== entry && journey !== null && other.commission.clickId === journey.clickId)
      .map(buildCommissionRow)
      .sort((one, other) => one.bookedAt - other.bookedAt),
  };
}
