import type { AssessmentAnswers } from '../../core/assessment/answers.ts';
import type { AssessmentView } from '../../core/assessment/assessment-view.ts';
import type { Assessment } from '../../core/content/assessment.schema.ts';

/** What the browser needs of the assessment: the intro stands in the page as HTML. */
export interface AssessmentContent extends Omit<Assessment, 'copy'> {
  readonly copy: Pick<Assessment['copy'], 'title' | 'form' | 'step' | 'results'>;
  /** The sentence that stands before the first link to a partner. */
  readonly disclosure: string;
}

/** `form`: all questions at once, as scripts-off visitors get them, with what is missing marked. */
export type ShownView = AssessmentView | { readonly name: 'form' };

/** What the server rendered, for the browser to go on from. */
export interface AssessmentStart {
  readonly view: ShownView;
  readonly answers: AssessmentAnswers;
  /** Whether the answers came with a posted form; they are stored then. */
  readonly posted: boolean;
  /** Whether the form came with `Sec-GPC: 1`: links carry no answers then. */
  readonly reduced: boolean;
}

/** Picks the part of the assessment that goes to the browser. */
export function buildAssessmentContent(assessment: Assessment, disclosure: string): AssessmentContent {
  const { title, form, step, results } = assessment.copy;
  return { ...assessment, copy: { title, form, step, results }, disclosure };
}

/** Fills `{name}` places of a text. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
