import { ASSESSMENT_PATH, buildAddress } from '../paths.ts';
import { type Answers, listUnanswered } from './answers.ts';
import type { Question } from './assessment.schema.ts';

/** What the assessment shows. Steps count from 1. */
export type AssessmentView =
  | { readonly name: 'intro' }
  | { readonly name: 'step'; readonly step: number }
  | { readonly name: 'results' };

/** Reads the view from `?step=`: 1 to `steps`, `results`, and the intro for anything else. */
export function parseView(step: string | null, steps: number): AssessmentView {
  if (step === 'results') return { name: 'results' };
  const number = /^[1-9]$/.test(step ?? '') ? Number(step) : 0;
  return number >= 1 && number <= steps ? { name: 'step', step: number } : { name: 'intro' };
}

/** The address of a view, without origin. */
export function buildViewAddress(view: AssessmentView): string {
  const step = view.name === 'step' ? view.step : view.name === 'results' ? view.name : undefined;
  return buildAddress(ASSESSMENT_PATH, { step });
}

/** The view that these answers allow: never past the first question without an answer. */
export function resolveView(
  view: AssessmentView,
  answers: Answers,
  questions: readonly Question[],
): AssessmentView {
  if (view.name === 'intro') return view;
  const [open] = listUnanswered(answers, questions);
  if (open === undefined) return view;
  const first = questions.indexOf(open) + 1;
  return view.name === 'step' && view.step <= first ? view : { name: 'step', step: first };
}

/** Progress in per cent, 0 to 100. */
export function computeProgress(step: number, steps: number): number {
  return (step / steps) * 100;
}
