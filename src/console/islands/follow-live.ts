// Brings the live view up to date by reading the same page again, until it is paused or out of sight.
const INTERVAL_MS = 5_000;

const live = document.querySelector('[data-live]');
const pause = live?.querySelector<HTMLButtonElement>('[data-live-pause]');
const status = live?.querySelector('[data-live-status]');
let isPaused = false;

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

async function update(): Promise<void> {
  if (isPaused || document.hidden || live === null || !status) return;
  const next = (await readPage())?.querySelector('[data-live]');
  // After a sign-out there is no live view on the page.
  const content = next?.querySelector('[data-live-content]');
  if (!content || isPaused) {
    if (!isPaused) status.textContent = 'Not up to date: the server did not respond. Reload the page.';
    return;
  }
  live.querySelector('[data-live-content]')?.replaceWith(document.adoptNode(content));
  status.textContent = next?.querySelector('[data-live-status]')?.textContent ?? '';
}

if (live && pause) {
  pause.hidden = false;
  pause.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
    if (!isPaused) void update();
  });
  // One run after the other: a slow server is not asked again before it has responded.
  const schedule = () =>
    setTimeout(() => {
      void update().finally(schedule);
    }, INTERVAL_MS);
  schedule();
}

export {};
