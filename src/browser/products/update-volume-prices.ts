// Updates a table of prices by volume while numbers are typed and when its links are followed: the server computes it, and
// its part of the page is replaced. Without an answer, the table keeps its numbers and says whose they are. A table with an
// address of its own (`data-part`) leaves that of the page alone.

const TYPING_PAUSE_MS = 350;
const UNREACHABLE = 'The site could not be reached. These prices are for your numbers before.';

for (const place of document.querySelectorAll<HTMLElement>('[data-volume-prices]')) start(place);

/** Puts a table into a place that has a link until then. */
export async function loadTable(place: HTMLElement, address: string): Promise<void> {
  const part = await load(new URL(address, location.href));
  const table = part?.querySelector<HTMLElement>('[data-volume-prices]');
  if (!part || !table) return;
  place.replaceChildren(...part.body.children);
  start(table);
}

function start(place: HTMLElement): void {
  const form = place.querySelector('form');
  const status = place.querySelector('[role=status]');
  if (form === null || status === null) return;
  const { part } = place.dataset;
  const inputs = [...form.querySelectorAll('input')];
  let latest = '';
  let timer = 0;
  let released: Promise<void> | undefined;
  // A link that is being pressed stays until it is released, or it would not be followed.
  const hold = () => {
    released = new Promise((resolve) => {
      for (const end of ['pointerup', 'pointercancel'])
        addEventListener(end, () => setTimeout(resolve), { once: true });
    });
  };
  // It may be pressed since before this script had loaded.
  if (place.matches(':active')) hold();
  place.addEventListener('pointerdown', hold);

  async function show(address: URL): Promise<void> {
    clearTimeout(timer);
    latest = address.href;
    const page = await load(new URL(`${part ?? address.pathname}${address.search}`, address));
    await released;
    if (latest !== address.href) return;
    const found = page?.querySelector(`[data-volume-prices="${place.dataset['volumePrices']}"]`);
    const result = found?.querySelector('[data-result]');
    status?.classList.toggle('sr-only', result != null);
    if (status) status.textContent = result?.querySelector('[data-spoken]')?.textContent ?? UNREACHABLE;
    if (!found || !result) return;
    for (const input of inputs) {
      const shown = found.querySelector<HTMLInputElement>(`[name="${input.name}"]`);
      if (!shown) continue;
      if (input !== document.activeElement) input.value = shown.value;
      for (const name of ['aria-invalid', 'aria-describedby']) {
        input.setAttribute(name, shown.getAttribute(name) ?? '');
        if (!shown.hasAttribute(name)) input.removeAttribute(name);
      }
    }
    const key = document.activeElement?.getAttribute('data-key');
    place.querySelector('[data-result]')?.replaceWith(result);
    place.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
    if (part === undefined) history.replaceState(history.state, '', address);
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
    const address = new URL(link.href);
    // What was typed just before.
    for (const { name, type, value } of inputs) if (type !== 'hidden') address.searchParams.set(name, value);
    void show(address);
  });
}

/** Loads the table as a document, which pages may not create from a text (Trusted Types); null when that fails. */
function load(address: URL): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    address.searchParams.set('part', '1');
    request.open('GET', address);
    request.responseType = 'document';
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
