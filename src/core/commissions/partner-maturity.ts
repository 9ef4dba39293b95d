import { WEEK_MS } from '../clock.ts';
import type { ReportedCommission } from './commission-report.ts';
import { buildMaturityCurve, type ClickCohort, type MaturityCurve } from './maturity.ts';

/** How long the commissions of a partner take to arrive. */
export interface PartnerMaturity {
  readonly curve: MaturityCurve;
  /** Conversions of the partner itself. */
  readonly conversions: number;
  /** Whether the curve is that of all partners, because the partner has too few conversions for its own. */
  readonly isPooled: boolean;
}

/** With fewer conversions of its own, a partner gets the curve of all partners. */
const MIN_OWN_CONVERSIONS = 20;
/** With fewer conversions there is no curve. */
const MIN_CONVERSIONS = 5;
/** Recurring programs pay for a year; what comes later is not waited for. */
const RECURRING_WEEKS = 52;
/** Programs that pay once: everything has arrived after two years, or as late as the oldest click tells. */
const SINGLE_WEEKS = 104;

/**
 * Builds the maturity of a partner from its commissions of one currency; below 20 conversions from those of all
 * partners, null below 5. Commissions without a click are left out. `now` in ms since 1970.
 */
export function buildPartnerMaturity(
  own: readonly ReportedCommission[],
  all: readonly ReportedCommission[],
  { isRecurring, now }: { readonly isRecurring: boolean; readonly now: number },
): PartnerMaturity | null {
  const conversions = countConversions(own);
  const isPooled = conversions < MIN_OWN_CONVERSIONS;
  const horizonWeeks = isRecurring ? RECURRING_WEEKS : SINGLE_WEEKS;
  const curve = buildClickCurve(isPooled ? all : own, { now, horizonWeeks });
  return curve === null ? null : { curve, conversions, isPooled };
}

/**
 * Builds the maturity curve over the weeks of the clicks; what a commission is worth now counts from the week in which
 * it arose. Null with fewer than five conversions. `horizonWeeks`: 52 when left out.
 */
export function buildClickCurve(
  commissions: readonly ReportedCommission[],
  { now, horizonWeeks = RECURRING_WEEKS }: { readonly now: number; readonly horizonWeeks?: number },
): MaturityCurve | null {
  if (countConversions(commissions) < MIN_CONVERSIONS) return null;
  const cohorts = new Map<number, number[]>();
  for (const { commission, journey } of commissions) {
    if (journey === null) continue;
    const week = Math.floor(journey.clickTime / WEEK_MS) * WEEK_MS;
    const weeks = Math.floor((now - week) / WEEK_MS) + 1;
    const amounts = cohorts.get(week) ?? Array.from({ length: Math.max(1, weeks) }, () => 0);
    cohorts.set(week, amounts);
    const age = Math.floor((commission.eventTime - week) / WEEK_MS);
    const place = Math.min(amounts.length - 1, Math.max(0, age));
    amounts[place] = (amounts[place] ?? 0) + commission.amount;
  }
  return buildMaturityCurve([...cohorts].map(buildCohort), horizonWeeks);
}

function countConversions(commissions: readonly ReportedCommission[]): number {
  return commissions.filter(({ commission, journey }) => journey !== null && commission.amount > 0).length;
}

function buildCohort([week, amounts]: readonly [number, readonly number[]]): ClickCohort {
  let sum = 0;
  const cumulative = amounts.map((amount) => {
    sum += amount;
    return sum;
  });
  return { week, cumulative };
}
