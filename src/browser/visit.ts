import { resume } from './outbox.ts';
import { handlePress } from './press.ts';
import { viewPage } from './views.ts';

/**
 * Starts following the visit on this page. Nothing in here may harm or delay the page: what fails is left out.
 * A page that is loaded ahead is viewed when it is shown; one that comes back from the page cache, once more.
 */
export function startVisit(): void {
  const press = guard(handlePress);
  const view = guard(viewPage);
  for (const type of ['pointerdown', 'contextmenu', 'click', 'auxclick']) addEventListener(type, press, true);
  addEventListener('pageshow', (event) => event.persisted && view());
  addEventListener('online', resume);
  if (document.prerendering) document.addEventListener('prerenderingchange', view);
  else view();
}

function guard<T extends readonly unknown[]>(work: (...given: T) => void): (...given: T) => void {
  return (...given) => {
    try {
      work(...given);
    } catch {
      // The page is worth more than its figures.
    }
  };
}
