// Shows the first view and click without a reload: the steps are read again until it is there, while they are in sight.
const INTERVAL_MS = 3_000;

/** Reads the page as a document whose scripts do not run, without parsing text, which Trusted Types would refuse. */
function readPage(): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
    request.onerror = () => resolve(null);
    request.ontimeout = () => resolve(null);
    request.timeout = INTERVAL_MS;
    request.open('GET', location.href);
    request.send();
  });
}

const countAwaited = (steps: Element) => steps.querySelectorAll('[data-awaits-click]').length;

async function lookForClick(): Promise<void> {
  const shown = document.querySelector('#steps:has([data-awaits-click])');
  if (shown === null) return;
  const next = document.hidden ? null : (await readPage())?.querySelector('#steps');
  // After a sign-out there are no steps on the page.
  if (next && countAwaited(next) < countAwaited(shown)) {
    shown.replaceWith(document.adoptNode(next));
    const said = document.querySelector('#click-status');
    const what = countAwaited(next) === 0 ? 'click' : 'view';
    if (said !== null) said.textContent = `The first ${what} is there.`;
  }
  // One run after the other: a slow server is not asked again before it has responded.
  setTimeout(() => void lookForClick(), INTERVAL_MS);
}

setTimeout(() => void lookForClick(), INTERVAL_MS);

export {};
