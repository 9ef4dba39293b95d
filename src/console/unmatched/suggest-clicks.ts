import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { collectStrings } from '../../core/commissions/message-fields.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { buildPlacement } from '../../core/outbound/placement.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import type { ClickReader } from '../../stores/clicks.ts';
import type { CommissionStore } from '../../stores/ledger.ts';
import type { ClickSuggestion } from './unmatched-model.ts';

/** A network's clock and the site's may differ, and a redirect takes a moment. */
const NEAR_MS = 120_000;
const MAX_NEAR = 20;

/**
 * Suggests a click for each of a page of unmatched commissions: the one that a text of its message names by now, else
 * the only click to the partner near the time at which the network recorded it. Nothing is stored.
 */
export async function suggestClicks(
  entries: readonly LedgerEntry[],
  options: {
    readonly ledger: Pick<CommissionLedger, 'matchClicks'>;
    readonly store: Pick<CommissionStore, 'readRaw' | 'readJourneys'>;
    readonly clicks: Pick<ClickReader, 'readClicks'>;
  },
): Promise<readonly (ClickSuggestion | null)[]> {
  const { ledger, store, clicks } = options;
  const reports = await Promise.all(
    entries.map(async ({ commission, facts }) => {
      const rawId = facts.findLast((fact) => fact.rawId !== null)?.rawId ?? null;
      const raw = rawId === null ? null : await store.readRaw(rawId);
      return {
        reported: { token: commission.token },
        strings: collectStrings(parseJson(raw?.content ?? '')),
      };
    }),
  );
  const { clickIds, journeys } = await ledger.matchClicks(reports);
  const named = clickIds.filter((id) => id !== null);
  const stored = named.length === 0 ? [] : await store.readJourneys(named);
  const byId = new Map([...journeys, ...stored].map((journey) => [journey.clickId, journey]));
  return Promise.all(
    entries.map(async ({ commission }, index) => {
      const journey = byId.get(clickIds[index] ?? '');
      if (journey !== undefined) return buildNamed(journey);
      if (commission.clickTime === null) return null;
      const { clickTime, partner } = commission;
      const range = { from: clickTime - NEAR_MS, to: clickTime + NEAR_MS, limit: MAX_NEAR };
      const near = (await clicks.readClicks(range)).filter(({ data }) => data['partner'] === partner);
      const [only] = near;
      return near.length === 1 && only !== undefined ? buildNear(only) : null;
    }),
  );
}

function buildNamed({ clickId, clickTime, page, placement }: FrozenJourney): ClickSuggestion {
  return { clickId, clickedAt: clickTime, page, placement, basis: 'text' };
}

function buildNear({ id, serverTime, page, data }: SiteEvent): ClickSuggestion {
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const placement = buildPlacement(text('source'), text('position'));
  return { clickId: id, clickedAt: serverTime, page, placement, basis: 'time' };
}
