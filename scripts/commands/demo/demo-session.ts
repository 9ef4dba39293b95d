import type { ParseAnswerCodes } from '../../../src/core/assessment/answer-codes.ts';
import type { Assessment } from '../../../src/core/assessment/assessment.schema.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import type { DemoChannel } from './demo-campaigns.ts';
import type { DemoPage } from './demo-site.ts';

/** What generated visitors find. */
export interface DemoWorld {
  readonly pages: readonly DemoPage[];
  readonly channels: readonly DemoChannel[];
  readonly assessment: Assessment;
  readonly parseAnswerCodes: ParseAnswerCodes;
}

/** A click that a commission may follow. */
export interface DemoClick {
  readonly event: SiteEvent;
  /** How much more often it earns than an average click. */
  readonly quality: number;
  /** The events of its session before it. */
  readonly before: readonly SiteEvent[];
}

/** What one visitor did in one session, in the order of time. */
export interface DemoSession {
  readonly events: readonly SiteEvent[];
  readonly clicks: readonly DemoClick[];
}
