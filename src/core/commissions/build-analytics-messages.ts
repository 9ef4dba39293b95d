import type { AnalyticsVisit } from '../consent/analytics-visit.ts';
import type { SiteEvent } from '../events/site-event.ts';
import type { LedgerEntry } from './ledger/build-ledger.ts';
import type { AnalyticsMessage } from './ledger/stored-money.schema.ts';
import { formatDecimalAmount } from './money.ts';

/**
 * What became of an attempt. `sent`; `waiting`: it certainly did not arrive, try again at `retryAt` (ms since 1970);
 * `unknown`: it may have arrived and is never sent again; `failed`: given up; `withdrawn`: the click is not stored.
 */
export type AttemptOutcome =
  | { readonly state: 'sent' | 'unknown' | 'failed' | 'withdrawn' }
  | { readonly state: 'waiting'; readonly retryAt: number };

/**
 * Sends a body to analytics. `sent`: accepted. `refused`: it certainly did not arrive. `unknown`: it may have arrived.
 * Never rejects.
 */
export type AnalyticsSender = (body: object) => Promise<'sent' | 'refused' | 'unknown'>;

/**
 * Builds what analytics may learn of commissions that count and have a click: a purchase for each that is worth
 * something, a refund for each that was taken back in full. Later changes of the amount are not reported.
 */
export function buildAnalyticsMessages(entries: readonly LedgerEntry[]): AnalyticsMessage[] {
  return entries.flatMap(({ commission, journey, isCounted }) => {
    if (!isCounted || journey === null) return [];
    const { partner, account, nativeId, currency, amount, reversedAmount } = commission;
    const message = { partner, account, nativeId, currency, clickId: journey.clickId };
    return [
      ...(amount > 0 ? [{ ...message, name: 'purchase' as const, amount }] : []),
      ...(reversedAmount > 0 ? [{ ...message, name: 'refund' as const, amount: reversedAmount }] : []),
    ];
  });
}

/** Reads how analytics knows the visit of a click; null when its visitor did not allow it. */
export function getAnalyticsVisit({ data }: SiteEvent): AnalyticsVisit | null {
  const { analytics_client: client, analytics_session: session } = data;
  return typeof client === 'string' && typeof session === 'string' ? { client, session } : null;
}

/** Google Analytics joins an event with a session that began at most this long ago. */
const JOIN_MS = 86_400_000;

/** Builds the body of a request to the Measurement Protocol of Google Analytics 4. `now` in ms since 1970. */
export function buildAnalyticsBody(message: AnalyticsMessage, visit: AnalyticsVisit, now: number) {
  const { name, nativeId, partner, amount, currency } = message;
  const isJoined = now - Number(visit.session) * 1_000 < JOIN_MS;
  return {
    client_id: visit.client,
    // The visitor has allowed analytics, not advertising.
    consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
    events: [
      {
        name,
        params: {
          transaction_id: nativeId,
          value: Number(formatDecimalAmount(amount, currency)),
          currency,
          affiliation: partner,
          ...(isJoined && { session_id: visit.session, engagement_time_msec: 1 }),
        },
      },
    ],
  };
}
