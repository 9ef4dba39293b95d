import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import {
  forgetSentAssessment,
  sendAssessment,
  sendStep,
  writeAnswers,
} from '../../browser/assessment/save-assessment.ts';
import { type Answers, chooseOption, NO_ANSWERS } from '../../core/assessment/answers.ts';
import type { Question } from '../../core/assessment/assessment.schema.ts';
import { type AssessmentView, buildViewAddress, resolveView } from '../../core/assessment/assessment-view.ts';
import type { AssessmentContent } from './assessment-props.ts';
import { type AssessmentState, NOT_LINKED, type RenderedState } from './assessment-state.ts';
import { hydrateState, readLocation } from './hydrate-state.ts';

/** The assessment's state: answers in session storage, the view in the address, finished answers to the server. */
export function useAssessment({ questions }: AssessmentContent, rendered: RenderedState) {
  const [state, setState] = useState<AssessmentState>({
    ...rendered,
    ...NOT_LINKED,
    isHydrated: false,
  });

  useLayoutEffect(() => {
    setState(hydrateState(questions, rendered));
    const follow = () => setState((before) => ({ ...before, ...readLocation(questions, before.answers) }));
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
    };
  }, [questions, rendered]);

  const isFinished = state.isHydrated && state.view.name === 'results' && state.linked === null;
  useEffect(() => {
    if (isFinished) sendAssessment(state.answers);
  }, [isFinished, state.answers]);

  const step = state.isHydrated && state.view.name === 'step' ? state.view.step : null;
  useEffect(() => {
    if (step !== null) sendStep(step);
  }, [step]);

  const store = useCallback((answers: Answers) => {
    writeAnswers(answers);
    setState((before) => ({ ...before, answers }));
  }, []);

  const go = (wanted: AssessmentView) => {
    const view = resolveView(wanted, state.answers, questions);
    history.pushState(null, '', buildViewAddress(view));
    setState({ ...state, ...NOT_LINKED, view });
  };

  return {
    state,
    go,
    choose: (question: Question, key: string) => store(chooseOption(state.answers, question, key)),
    retake: () => {
      writeAnswers(NO_ANSWERS);
      forgetSentAssessment();
      history.pushState(null, '', buildViewAddress({ name: 'intro' }));
      setState({ ...state, ...NOT_LINKED, answers: NO_ANSWERS, view: { name: 'intro' } });
    },
  };
}
