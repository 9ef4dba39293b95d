import { takeDropped } from './outbox.ts';
import { readAction } from './read-action.ts';
import { recordAction, sendEvent } from './record.ts';
import { enterPage, readVisit } from './session.ts';

let observer: IntersectionObserver | undefined;

/** Counts the page as shown, and reports each kind of `[data-view]` element once when it comes into view. */
export function viewPage(): void {
  enterPage();
  const { journey } = readVisit();
  // Where the session came from is told once, by its first page.
  const referrer = !journey?.timeSpent && journey?.referrer;
  const dropped = takeDropped();
  sendEvent({
    name: 'page_view',
    label: '',
    value: 0,
    data: { ...(referrer && { referrer }), ...(dropped && { dropped }) },
  });
  observer?.disconnect();
  const seen = new Set<string>();
  observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const action = readAction(target);
        if (!isIntersecting || seen.has(action.name)) continue;
        seen.add(action.name);
        recordAction(action);
      }
    },
    // In view: it reaches the upper three quarters of the window. A share of itself would fail tall sections.
    { rootMargin: '0px 0px -25% 0px' },
  );
  for (const element of document.querySelectorAll('[data-view]')) observer.observe(element);
}
