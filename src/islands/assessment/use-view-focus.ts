import { type RefObject, useEffect, useRef } from 'react';
import type { AssessmentState } from './use-assessment.ts';

/** Moves the focus to the heading of each new view, so that it is read out, and brings its top into sight. */
export function useViewFocus(root: RefObject<HTMLElement | null>, { view, live }: AssessmentState): void {
  const seen = useRef<string | null>(null);
  const shown = view.name === 'step' ? `step ${view.step}` : view.name;
  useEffect(() => {
    if (!live) return;
    const isFirst = seen.current === null;
    const isNew = seen.current !== shown;
    seen.current = shown;
    if (isFirst || !isNew || root.current === null) return;
    const heading = shown.startsWith('step') ? '.question-current h2' : 'h1';
    const headings = root.current.querySelectorAll<HTMLElement>(heading);
    const visible = [...headings].find((one) => one.checkVisibility());
    if (visible === undefined) return;
    visible.tabIndex = -1;
    visible.focus({ preventScroll: true });
    if (root.current.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: 'instant' });
  }, [root, shown, live]);
}
