import {
  buildCommissionKey,
  type CommissionId,
  type ReportedFact,
  type StoredFact,
} from '../../core/commissions/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';

type State = Pick<ReportedFact, 'status' | 'amount' | 'currency'>;

/** What the ledger has of the commissions of a network. */
export interface KnownCommissions {
  /** Partner by native id. */
  readonly partners: Map<string, string>;
  /** What the API reported last, by commission. */
  readonly states: Map<string, State>;
}

/** Reads what is known of the commissions of partners. Rejects with `CommissionStoreError`. */
export async function readKnownCommissions(
  store: Pick<CommissionStore, 'readFacts'>,
  partners: Iterable<string>,
): Promise<KnownCommissions> {
  const known: KnownCommissions = { partners: new Map(), states: new Map() };
  for (const partner of partners) {
    for (const fact of await store.readFacts({ partner })) addFact(known, fact);
  }
  return known;
}

function addFact({ partners, states }: KnownCommissions, fact: StoredFact): void {
  partners.set(fact.nativeId, fact.partner);
  if (fact.source === 'api') states.set(buildCommissionKey(fact), fact);
}

/**
 * Selects the reports that say something new. One without a change time is the state of now: it is stored when it
 * differs from the last one, with the time of this run, so that a commission can return to an earlier state.
 */
export function selectChanged(
  reports: readonly SourceReport[],
  { states }: KnownCommissions,
  { partner, account, now }: Omit<CommissionId, 'nativeId'> & { readonly now: number },
): SourceReport[] {
  return reports.flatMap(({ reported, strings }) => {
    if (reported.changeTime !== null) return [{ reported, strings }];
    const key = buildCommissionKey({ partner, account, nativeId: reported.nativeId });
    const last = states.get(key);
    const isSame =
      last === undefined
        ? reported.amount === 0 && reported.nativeId.startsWith('sub:')
        : isSameState(last, reported);
    if (isSame) return [];
    states.set(key, reported);
    return [{ reported: { ...reported, changeTime: now }, strings }];
  });
}

function isSameState(one: State, other: State): boolean {
  return one.status === other.status && one.amount === other.amount && one.currency === other.currency;
}
