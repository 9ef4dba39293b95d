import { markAssessmentSent, readAnswers, writeAnswers } from '../../browser/assessment/save-assessment.ts';
import {
  type Answers,
  hasAnswers,
  isAnswered,
  listUnanswered,
  parseAnswers,
  parseAnswersFragment,
} from '../../core/assessment/answers.ts';
import type { Question } from '../../core/assessment/assessment.schema.ts';
import { buildViewAddress, parseView, resolveView } from '../../core/assessment/assessment-view.ts';
import { type AssessmentState, NOT_LINKED, type RenderedState } from './assessment-state.ts';

/** Builds the state from the server's HTML: posted answers, else stored ones with what was chosen before hydration. */
export function hydrateState(questions: readonly Question[], rendered: RenderedState): AssessmentState {
  if (rendered.posted) {
    writeAnswers(rendered.answers);
    if (rendered.view.name === 'results') {
      markAssessmentSent(rendered.answers);
      history.replaceState(null, '', buildViewAddress(rendered.view));
    }
    const { view, answers } = rendered;
    return { view, answers, ...NOT_LINKED, isHydrated: true };
  }
  const answers = mergeAnswers(readAnswers(questions), readChosen(questions), questions);
  if (hasAnswers(answers)) writeAnswers(answers);
  return { answers, isHydrated: true, ...readLocation(questions, answers) };
}

/** Reads the view that the address names and the answers allow; an address ahead of the answers is corrected. */
export function readLocation(
  questions: readonly Question[],
  answers: Answers,
): Pick<AssessmentState, 'view' | 'linked' | 'isLinkIncomplete'> {
  const wanted = parseView(new URLSearchParams(location.search).get('step'), questions.length);
  const linked = wanted.name === 'results' ? parseAnswersFragment(location.hash, questions) : null;
  if (linked !== null && listUnanswered(linked, questions).length === 0) {
    return { view: wanted, linked, isLinkIncomplete: false };
  }
  const view = resolveView(wanted, answers, questions);
  const address = buildViewAddress(view);
  if (address !== buildViewAddress(wanted)) history.replaceState(null, '', address);
  return { view, linked: null, isLinkIncomplete: linked !== null };
}

/** Reads what was chosen in the server's HTML before hydration. */
function readChosen(questions: readonly Question[]): Answers {
  const form = document.querySelector<HTMLFormElement>('.question-form');
  const data = form === null ? new FormData() : new FormData(form);
  const chosen = questions.map(({ field }) => [field, data.getAll(field)] as const);
  return parseAnswers(Object.fromEntries(chosen), questions);
}

function mergeAnswers(stored: Answers, chosen: Answers, questions: readonly Question[]): Answers {
  const picked = questions
    .filter((question) => isAnswered(chosen, question))
    .map(({ field }) => [field, chosen[field]]);
  return { ...stored, ...Object.fromEntries(picked) };
}
