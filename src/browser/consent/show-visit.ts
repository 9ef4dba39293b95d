import { ATTRIBUTION_KEY } from '../../core/consent/storage-keys.ts';
import { buildLinkQuery, UNKNOWN_VISIT } from '../../core/outbound/outbound-link.ts';
import { VISIT_API_PATH } from '../../core/paths.ts';
import { forgetVisit, listStoredKeys, readStored, readStoredJson } from '../storage.ts';

// Shows what this browser and the server store about the visit, and deletes both. The server finds a visit by its own
// random number alone, which nobody else has.

const AREAS = ['session', 'local'] as const;

for (const button of document.querySelectorAll<HTMLElement>('[data-visit]'))
  button.addEventListener('click', () => void respond(button));

async function respond(button: HTMLElement): Promise<void> {
  const place = button.closest<HTMLElement>('[data-visit-record]');
  const status = place?.querySelector('[role=status]');
  if (!place || !status) return;
  const words: Record<string, string> = JSON.parse(place.dataset['visitRecord'] ?? '{}');
  const isRemoval = button.dataset['visit'] === 'delete';
  const session = String(Object(readStoredJson('session', ATTRIBUTION_KEY)).session ?? '');
  try {
    const found = session === '' ? null : await ask(isRemoval ? 'delete' : 'show', session);
    if (isRemoval) {
      forgetVisit('all');
      if (session !== '') followNothing();
    }
    const inBrowser = AREAS.flatMap((area) =>
      listStoredKeys(area, '').map((key) => `${key}: ${readStored(area, key as 'visit-data')}`),
    );
    const parts = isRemoval
      ? [paragraph(words['removed']), ...(found === null ? [paragraph(words['unknown'])] : [])]
      : [
          paragraph(words['browser']),
          inBrowser.length > 0 ? code(inBrowser.join('\n\n')) : paragraph(words['none']),
          paragraph(words['server']),
          found === null ? paragraph(words['unknown']) : code(JSON.stringify(found, null, 2)),
        ];
    status.replaceChildren(...parts);
  } catch {
    status.replaceChildren(paragraph(words['failed']));
  }
}

/** What this page still knows of a visit that was deleted is neither stored again nor passed on. */
function followNothing(): void {
  window.held = { local: {}, session: {} };
  if (window.visit)
    Object.assign(window.visit, {
      read: () => UNKNOWN_VISIT,
      addToLink: (query: string, click: string) =>
        buildLinkQuery(query, { ...UNKNOWN_VISIT, page: location.pathname }, click),
    });
}

async function ask(what: 'show' | 'delete', session: string): Promise<unknown> {
  const response = await fetch(`${VISIT_API_PATH}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session }),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

function paragraph(text = ''): HTMLElement {
  return Object.assign(document.createElement('p'), { className: 'mt-4', textContent: text });
}

function code(text: string): HTMLElement {
  return Object.assign(document.createElement('pre'), {
    className: 'mt-2 max-h-96 overflow-auto text-sm',
    tabIndex: 0,
    textContent: text,
  });
}
