import { WEEK_MS } from '../../../src/core/clock.ts';
import {
  buildRanking,
  type Ranking,
  type RankingDimension,
  type WeeklyClicks,
} from '../../../src/core/commissions/build-ranking.ts';
import type { PartnerMaturity } from '../../../src/core/commissions/maturity.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';
import { formatTable } from '../arguments/format-table.ts';
import { countClicks } from './count-clicks.ts';
import type { OpenedLedger } from './open-ledger.ts';

/** Older clicks say little about what a click earns now. */
const WEEKS = 53;

/** Ranks what the clicks of the last year have earned, in one currency. */
export async function rankClicks(
  opened: OpenedLedger,
  { by, currency, now }: { readonly by: RankingDimension; readonly currency: string; readonly now: number },
): Promise<Ranking> {
  const clicks: WeeklyClicks[] = [];
  const first = now - WEEKS * WEEK_MS;
  for (let week = first; week < now; week += WEEK_MS) {
    const range = { from: week, to: Math.min(now, week + WEEK_MS), answerField: '' };
    for (const [key, count] of await countClicks(opened, { by, ...range }))
      clicks.push({ key, week, clicks: count });
  }
  const entries = await opened.ledger.readEntries();
  const commissions = entries.filter(
    ({ isCounted, journey }) => isCounted && journey !== null && journey.clickTime >= first,
  );
  const recurring = new Set(
    [...opened.partners].filter(([, { terms }]) => terms.recurring).map(([key]) => key),
  );
  return buildRanking({ by, currency, commissions, clicks, recurring, now });
}

/** Formats a ranking for a terminal. */
export function formatRanking({ rows, curve, maturities }: Ranking, by: string, currency: string): string {
  const money = (amount: number) => formatDecimalAmount(Math.round(amount), currency);
  const lines = rows.map((row) => [
    row.key,
    String(row.clicks),
    String(row.conversions),
    ...(row.isKnown
      ? [money(row.mean), `${money(row.low)} to ${money(row.high)}`, '']
      : ['', '', describeNeed(row.clicksNeeded)]),
  ]);
  const head = [by, 'clicks', 'conversions', `${currency} per click`, '80 % interval', ''];
  const maturity =
    curve === null
      ? 'Too few conversions to know how long they take: every click counts in full.\n'
      : [...maturities].map(([partner, known]) => formatMaturity(partner, known)).join('');
  return formatTable(head, lines) + maturity;
}

function describeNeed(clicks: number): string {
  return clicks === 0
    ? 'enough clicks, but their commissions are still to come'
    : `not enough clicks yet: about ${clicks} more`;
}

function formatMaturity(partner: string, { curve, conversions, isPooled }: PartnerMaturity): string {
  const share = Math.round((curve.shares[0] ?? 0) * 100);
  const basis = isPooled
    ? `all partners, because ${conversions} conversions are too few`
    : `${conversions} conversions`;
  const weeks = curve.horizonWeeks + 1;
  return [
    `${partner}: ${share} % of the money of a click usually comes within a week,`,
    `all of it within ${weeks} weeks (${basis}).\n`,
  ].join(' ');
}
