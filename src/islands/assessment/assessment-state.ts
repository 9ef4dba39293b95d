import type { Answers } from '../../core/assessment/answers.ts';
import type { AssessmentView } from '../../core/assessment/assessment-view.ts';

/** `form`: all questions at once, as visitors without scripts get them, with unanswered ones marked. */
export type ShownView = AssessmentView | { readonly name: 'form' };

/** What the server rendered, and the browser continues with. */
export interface RenderedState {
  readonly view: ShownView;
  readonly answers: Answers;
  /** Whether the answers came with a posted form, which the server has stored. */
  readonly posted: boolean;
  /** Whether the form came with `Sec-GPC: 1`: links carry no answers then. */
  readonly gpc: boolean;
}

/** The state of a visitor's own assessment, as opposed to one that was opened by a link to a result. */
export const NOT_LINKED = { linked: null, isLinkIncomplete: false } as const;

/** What the assessment shows in the browser. */
export interface AssessmentState {
  readonly view: ShownView;
  /** The visitor's own. */
  readonly answers: Answers;
  /** Those of a link to a result, shown instead of the visitor's own. */
  readonly linked: Answers | null;
  /** Whether a link to a result was opened that lacks answers. */
  readonly isLinkIncomplete: boolean;
  readonly isHydrated: boolean;
}
