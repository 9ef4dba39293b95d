import type { CommissionKind, CommissionStatus } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';

const STATUS_WORDS: Readonly<Record<Exclude<CommissionStatus, 'unknown'>, string>> = {
  pending:
    'pending new open created hold on_hold held waiting due processing processed extended modified unpaid',
  approved: 'approved accepted confirmed validated locked closed active available ready fulfilled',
  paid: 'paid cleared in_transit withdrawn paid_externally',
  reversed:
    'reversed rejected declined denied refunded refund voided void canceled cancelled deleted fraud chargeback ' +
    'paid_and_refunded duplicate expired failed invalid archived clawback',
};

const KIND_WORDS: Readonly<Record<CommissionKind, string>> = {
  lead: 'lead leads signup sign_up lead_signup referral new_referral registration trial',
  sale: 'sale purchase conversion order customer new_customer',
  recurring: 'recurring renewal rebill subscription',
  bonus: 'bonus',
  adjustment: 'adjustment correction custom clawback',
};

const STATUSES = buildIndex(STATUS_WORDS);
const KINDS = buildIndex(KIND_WORDS);

function buildIndex<Name extends string>(words: Readonly<Record<Name, string>>): ReadonlyMap<string, Name> {
  const names = Object.keys(words) as Name[];
  return new Map(names.flatMap((name) => words[name].split(' ').map((word) => [word, name] as const)));
}

const normalize = (word: string) => word.trim().toLowerCase();
const join = (word: string) => normalize(word).replace(/[\s-]+/g, '_');

/**
 * Parses a network's word for a status: the words of the partner's file first, then the usual ones. A missing word is
 * `pending`; one that is not listed is `unknown`, which operators see.
 */
export function parseStatus(word: string, { statuses }: Pick<CommissionTerms, 'statuses'>): CommissionStatus {
  const own = normalize(word);
  if (own === '') return 'pending';
  // A network's word may be `constructor`.
  const named = Object.hasOwn(statuses, own) ? statuses[own] : undefined;
  return named ?? STATUSES.get(join(word)) ?? 'unknown';
}

/** Parses a network's word for a kind of commission; `sale` for a missing or unlisted word. */
export function parseKind(word: string): CommissionKind {
  return KINDS.get(join(word)) ?? 'sale';
}
