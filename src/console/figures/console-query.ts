import type { ReportClock } from '../../core/commissions/commission-report.ts';
import type { CreditModel } from '../../core/commissions/credit.ts';
import type { WeekStart } from '../../core/console/operator.ts';

/** Dimensions that can be filtered by; each is a parameter of the address. */
export const CONSOLE_DIMENSIONS = ['page', 'placement', 'campaign', 'answer', 'partner', 'status'] as const;
export type ConsoleDimension = (typeof CONSOLE_DIMENSIONS)[number];

/** The model of an address that names none. */
export const DEFAULT_MODEL: CreditModel = 'last';

/** The column by which a table is sorted. */
export interface ConsoleSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Which rows a view shows: those whose `dimension` has (or has not) a value. */
export interface ConsoleFilter {
  readonly dimension: ConsoleDimension;
  readonly value: string;
  readonly isNot: boolean;
}

/** What the address of a view says, parsed. Two equal queries have the same address. */
export interface ConsoleQuery {
  /** The preset of the range, or `custom`. */
  readonly range: string;
  /** First and last day, `YYYY-MM-DD` in the site's time zone, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly compare: 'none' | 'previous' | 'year';
  readonly clock: ReportClock;
  readonly model: CreditModel;
  /** ISO 4217; null for the currency with the most money. */
  readonly currency: string | null;
  readonly sort: ConsoleSort | null;
  readonly filters: readonly ConsoleFilter[];
  /** The first day of the weeks of charts: a preference, no part of the address. */
  readonly weekStart: WeekStart;
}
