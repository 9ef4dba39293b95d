import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { forgetSavedAssessment, resumeSaving, saveAssessment } from '../../browser/save-assessment.ts';
import { removeRecord, writeRecord } from '../../browser/session-record.ts';
import { type AssessmentAnswers, chooseOption, NO_ANSWERS } from '../../core/assessment/answers.ts';
import { type AssessmentView, buildViewAddress, resolveView } from '../../core/assessment/assessment-view.ts';
import type { Question } from '../../core/content/assessment.schema.ts';
import { ANSWERS_RECORD, adoptStart, readLocation } from './adopt-start.ts';
import type { AssessmentContent, AssessmentStart, ShownView } from './assessment-props.ts';

/** Where the visitor stands. */
export interface AssessmentState {
  readonly view: ShownView;
  /** The visitor's own. */
  readonly answers: AssessmentAnswers;
  /** Those of the link that was opened, shown in place of the visitor's own. */
  readonly linked: AssessmentAnswers | null;
  /** Whether a link to a result was opened that does not carry all answers. */
  readonly unread: boolean;
  /** Whether the browser has taken over from the server's HTML. */
  readonly live: boolean;
}

/** The assessment's state: answers in session storage, the view in the address, finished answers to the server. */
export function useAssessment({ questions }: AssessmentContent, start: AssessmentStart) {
  const [state, setState] = useState<AssessmentState>({ ...start, linked: null, unread: false, live: false });

  useLayoutEffect(() => {
    setState(adoptStart(questions, start));
    resumeSaving();
    const follow = () => setState((before) => ({ ...before, ...readLocation(questions, before.answers) }));
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
    };
  }, [questions, start]);

  const isFinished = state.live && state.view.name === 'results' && state.linked === null;
  useEffect(() => {
    if (isFinished) saveAssessment(state.answers);
  }, [isFinished, state.answers]);

  const keep = useCallback((answers: AssessmentAnswers) => {
    writeRecord(ANSWERS_RECORD, answers);
    setState((before) => ({ ...before, answers }));
  }, []);

  const go = (wanted: AssessmentView) => {
    const view = resolveView(wanted, state.answers, questions);
    history.pushState(null, '', buildViewAddress(view));
    setState({ ...state, view, linked: null, unread: false });
  };

  return {
    state,
    go,
    choose: (question: Question, label: string) => keep(chooseOption(state.answers, question, label)),
    retake: () => {
      removeRecord(ANSWERS_RECORD);
      forgetSavedAssessment();
      history.pushState(null, '', buildViewAddress({ name: 'intro' }));
      setState({ ...state, answers: NO_ANSWERS, linked: null, unread: false, view: { name: 'intro' } });
    },
  };
}
