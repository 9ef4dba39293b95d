import { handleClick } from '../outbound/handle-click.ts';
import { resumeDelivery } from './outbox.ts';
import { recordPageView } from './record-page-view.ts';

// The visit script, loaded after the first paint (src/browser/shell/load-visit.ts). Nothing in here may harm or delay
// the page: what fails is left out. A page that comes back from the back/forward cache is viewed again.
const click = guard(handleClick);
const view = guard(recordPageView);
for (const type of ['click', 'auxclick']) addEventListener(type, click, true);
addEventListener('pageshow', (event) => event.persisted && view());
addEventListener('online', resumeDelivery);
view();

function guard<T extends readonly unknown[]>(work: (...args: T) => void): (...args: T) => void {
  return (...args) => {
    try {
      work(...args);
    } catch {
      // The page matters more than its events.
    }
  };
}
