import { markAssessmentSaved } from '../../browser/save-assessment.ts';
import { readRecord, writeRecord } from '../../browser/session-record.ts';
import {
  type AssessmentAnswers,
  hasAnswers,
  isAnswered,
  listUnanswered,
  parseAnswers,
} from '../../core/assessment/answers.ts';
import { parseAnswersFragment } from '../../core/assessment/answers-fragment.ts';
import { buildViewAddress, parseView, resolveView } from '../../core/assessment/assessment-view.ts';
import type { Question } from '../../core/content/assessment.schema.ts';
import type { AssessmentStart } from './assessment-props.ts';
import type { AssessmentState } from './use-assessment.ts';

/** Key of the results record in session storage: the specification's name. */
export const ANSWERS_RECORD = 'assessment_results';

/** Goes on from the server's HTML: posted answers, else those kept earlier, with what was chosen while the page loaded. */
export function adoptStart(questions: readonly Question[], start: AssessmentStart): AssessmentState {
  if (start.posted) {
    writeRecord(ANSWERS_RECORD, start.answers);
    if (start.view.name === 'results') {
      markAssessmentSaved(start.answers);
      history.replaceState(null, '', buildViewAddress(start.view));
    }
    return { view: start.view, answers: start.answers, linked: null, unread: false, live: true };
  }
  const kept = parseAnswers(readRecord(ANSWERS_RECORD), questions);
  const answers = mergeAnswers(kept, readChosen(questions), questions);
  if (hasAnswers(answers)) writeRecord(ANSWERS_RECORD, answers);
  return { answers, live: true, ...readLocation(questions, answers) };
}

/** The view that the address asks for and the answers allow; an address that asks for more is corrected. */
export function readLocation(
  questions: readonly Question[],
  answers: AssessmentAnswers,
): Pick<AssessmentState, 'view' | 'linked' | 'unread'> {
  const wanted = parseView(new URLSearchParams(location.search).get('step'), questions.length);
  const linked = wanted.name === 'results' ? parseAnswersFragment(location.hash, questions) : null;
  if (linked !== null && listUnanswered(linked, questions).length === 0) {
    return { view: wanted, linked, unread: false };
  }
  const view = resolveView(wanted, answers, questions);
  const address = buildViewAddress(view);
  if (address !== buildViewAddress(wanted)) history.replaceState(null, '', address);
  return { view, linked: null, unread: linked !== null };
}

/** What was chosen in the server's HTML before scripts took over. */
function readChosen(questions: readonly Question[]): AssessmentAnswers {
  const form = document.querySelector<HTMLFormElement>('.question-form');
  const data = form === null ? new FormData() : new FormData(form);
  const chosen = questions.map(({ field }) => [field, data.getAll(field)] as const);
  return parseAnswers(Object.fromEntries(chosen), questions);
}

function mergeAnswers(
  kept: AssessmentAnswers,
  chosen: AssessmentAnswers,
  questions: readonly Question[],
): AssessmentAnswers {
  const picked = questions
    .filter((question) => isAnswered(chosen, question))
    .map(({ field }) => [field, chosen[field]]);
  return { ...kept, ...Object.fromEntries(picked) };
}
