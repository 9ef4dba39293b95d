// Updates a table of prices by volume while numbers are typed and when its links are followed: the server computes it, and
// its part of the page is replaced. Without an answer, the table keeps its numbers and says whose they are.

const TYPING_PAUSE_MS = 350;
const UNREACHABLE = 'The site could not be reached. These prices are for your numbers before.';

for (const place of document.querySelectorAll<HTMLElement>('[data-volume-prices]')) start(place);

function start(place: HTMLElement): void {
  const form = place.querySelector('form');
  const status = place.querySelector('[role=status]');
  if (form === null || status === null) return;
  const inputs = [...form.querySelectorAll('input')];
  let latest = '';
  let timer = 0;

  async function show(address: URL): Promise<void> {
    clearTimeout(timer);
    latest = address.href;
    const page = await load(address);
    if (latest !== address.href) return;
    const found = page?.querySelector(`[data-volume-prices="${place.dataset['volumePrices']}"]`);
    const result = found?.querySelector('[data-result]');
    status?.classList.toggle('sr-only', result != null);
    if (status) status.textContent = result?.querySelector('[data-spoken]')?.textContent ?? UNREACHABLE;
    if (!found || !result) return;
    for (const input of inputs) {
      const shown = found.querySelector<HTMLInputElement>(`[name="${input.name}"]`);
      if (shown && input !== document.activeElement) input.value = shown.value;
    }
    const key = document.activeElement?.getAttribute('data-key');
    place.querySelector('[data-result]')?.replaceWith(result);
    place.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
    history.replaceState(history.state, '', address);
  }

  const showForm = () => {
    const address = new URL(form.action);
    for (const { name, value } of inputs) address.searchParams.set(name, value);
    return show(address);
  };
  // What was typed before this script had loaded.
  if (inputs.some(({ value, defaultValue }) => value !== defaultValue)) void showForm();
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(showForm, TYPING_PAUSE_MS);
  });
  // A field that is left shows its number as it counts, with separators.
  form.addEventListener('change', showForm);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void showForm();
  });
  place.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-key]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.button) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void show(new URL(link.href));
  });
}

/** Loads the table as a document, which pages may not create from a text (Trusted Types); null when that fails. */
function load(address: URL): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', `${address.pathname}${address.search}&part=1`);
    request.responseType = 'document';
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
