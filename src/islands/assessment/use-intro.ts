import { useEffect, useLayoutEffect, useRef } from 'react';
import { hasAnswers } from '../../core/assessment/answers.ts';
import { type AssessmentView, parseView } from '../../core/assessment/assessment-view.ts';
import type { AssessmentState } from './assessment-state.ts';

/**
 * Joins the intro, which is HTML of the page, to the state: it is there in its own view only, its buttons open
 * views without loading a page, and it offers to go on when there are answers.
 */
export function useIntro(state: AssessmentState, steps: number, go: (view: AssessmentView) => void): void {
  const { view, answers, isHydrated } = state;
  const isIntro = view.name === 'intro';
  const open = useRef(go);
  open.current = go;

  useLayoutEffect(() => {
    if (!isHydrated) return;
    for (const part of findParts()) part.hidden = !isIntro;
  }, [isHydrated, isIntro]);

  useEffect(() => {
    const resume = document.querySelector('[data-resume]');
    resume?.classList.toggle('invisible', !hasAnswers(answers));
  }, [answers]);

  useEffect(() => {
    const submit = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      event.preventDefault();
      open.current(parseView(String(new FormData(event.target).get('step')), steps));
    };
    const parts = findParts();
    for (const part of parts) part.addEventListener('submit', submit);
    return () => {
      for (const part of parts) part.removeEventListener('submit', submit);
    };
  }, [steps]);
}

function findParts(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-intro]')];
}
