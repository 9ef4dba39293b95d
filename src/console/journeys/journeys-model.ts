import type { Flow } from '../charts/build-flow.ts';

/** What the width of a path shows. */
export const JOURNEY_MEASURES = ['money', 'clicks'] as const;
export type JourneyMeasure = (typeof JOURNEY_MEASURES)[number];

/** A path that several visits took: the page of entry, the last pages before the click, and the partner. */
export interface JourneyPath {
  /** Identifies the path in an address. */
  readonly key: string;
  /** Pages, then the partner's key. `…` is for pages that are left out. */
  readonly steps: readonly string[];
  readonly clicks: number;
  readonly conversions: number;
  /** Approved and pending commission in minor units. */
  readonly amount: number;
}

export interface JourneysModel {
  readonly measure: JourneyMeasure;
  /** The paths with the most of the measure. */
  readonly paths: readonly JourneyPath[];
  /** How many other paths there are, and what they sum to. */
  readonly rest: {
    readonly paths: number;
    readonly clicks: number;
    readonly conversions: number;
    readonly amount: number;
  };
  /** The path that is chosen as a filter; null without one. */
  readonly chosen: JourneyPath | null;
  readonly flow: Flow;
  /** Null without any money. */
  readonly currency: string | null;
  /** Whether older clicks of the period were left out because there are too many. */
  readonly isCut: boolean;
}
