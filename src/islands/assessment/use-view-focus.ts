import { useEffect, useRef } from 'react';
import type { AssessmentState } from './use-assessment.ts';

/** Moves the focus to the heading of each new view, so that it is read out, and brings the top of the page into sight. */
export function useViewFocus({ view, live }: AssessmentState): void {
  const seen = useRef<string | null>(null);
  const shown = view.name === 'step' ? `step ${view.step}` : view.name;
  useEffect(() => {
    if (!live) return;
    const isFirst = seen.current === null;
    const isNew = seen.current !== shown;
    seen.current = shown;
    const main = document.querySelector('main');
    if (isFirst || !isNew || main === null) return;
    const headings = main.querySelectorAll<HTMLElement>(
      shown.startsWith('step') ? '.question-current h2' : 'h1',
    );
    const heading = [...headings].find((one) => one.checkVisibility());
    if (heading === undefined) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    if (main.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: 'instant' });
  }, [shown, live]);
}
