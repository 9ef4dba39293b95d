import { buildElement, getFormAddress } from './command-palette.ts';
import {
  forget,
  getValue,
  listFields,
  readAnswer,
  type SentAnswer,
  type StoredDraft,
  write,
} from './stored-drafts.ts';

/**
 * Goes on with a text that was stored and did not reach the server, when it follows what the server has; otherwise offers it.
 */
export async function goOnEarlier(form: HTMLFormElement, key: string, follows: string): Promise<void> {
  const earlierKey = `${key} earlier`;
  const isThere = ({ fields }: StoredDraft) => isSame(fields, listFields(form));
  const found = readDraft(key);
  forget(key);
  if (found !== null && !isThere(found)) {
    write(earlierKey, found);
    const isNewer = found.follows === follows || follows.startsWith(`${found.page} `);
    if (found.opened === getValue(form, 'opened') && isNewer && (await sendDraft(form, found, follows))) {
      forget(earlierKey);
      return location.reload();
    }
  }
  const earlier = readDraft(earlierKey);
  if (earlier !== null && isThere(earlier)) forget(earlierKey);
  else if (earlier !== null) offerDraft(form, earlier, earlierKey, follows);
}

/** Gives a stored text to the server, from which the form is built again, also when sections were moved or added. */
async function sendDraft(form: HTMLFormElement, draft: StoredDraft, follows: string): Promise<boolean> {
  const { fields, page, number, action } = draft;
  const body = new FormData();
  const own = {
    token: getValue(form, 'token'),
    action: 'keep',
    page,
    number: String(number + 1),
    follows,
  };
  for (const [name, value] of [...fields, ...Object.entries(own)]) body.set(name, value);
  const address = new URL(getFormAddress(form));
  // A stored address leads to another part of the same file, and nowhere else.
  if (URL.canParse(action) && new URL(action).pathname === address.pathname)
    address.search = new URL(action).search;
  const response = await fetch(address, { method: 'POST', body, redirect: 'error' }).catch(() => null);
  const answer = response?.ok === true ? await readAnswer(response) : null;
  return typeof answer?.['stamp'] === 'string' && answer['isElsewhere'] !== true;
}

/** Offers a text beside the one that the server has. Nothing is replaced before the operator decides. */
function offerDraft(form: HTMLFormElement, draft: StoredDraft, key: string, follows: string): void {
  const at = new Date(draft.time);
  const isToday = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const day = isToday ? '' : `${at.toLocaleDateString()}, `;
  const offer = buildElement('section', { class: 'editor-offer', 'aria-label': 'Text that was not saved' });
  const restoreButton = buildElement('button', { type: 'button', class: 'button button-quiet' }, 'Restore');
  const discardButton = buildElement('button', { type: 'button', class: 'text-button' }, 'Discard');
  const said = buildElement(
    'p',
    { role: 'status' },
    `Text of this browser that was not saved, from ${day}${time}.`,
  );
  offer.append(said, restoreButton, discardButton);
  restoreButton.addEventListener('click', async () => {
    if (!(await sendDraft(form, draft, follows))) {
      said.textContent = 'It could not be sent: it is still here.';
      return;
    }
    forget(key);
    location.reload();
  });
  discardButton.addEventListener('click', () => {
    forget(key);
    offer.remove();
    form.querySelector<HTMLElement>('input:not([type="hidden"]), textarea:not([hidden])')?.focus();
  });
  form.before(offer);
}

/** Whether the texts are equal: a form that has all of a text does not need the one that it was built from. */
const isSame = (one: StoredDraft['fields'], other: StoredDraft['fields']) => toText(one) === toText(other);
const toText = (fields: StoredDraft['fields']) => {
  const isWhole = fields.some(([name]) => name === 'body' || name === 'front');
  const ignored = new Set(['kept', 'opened', ...(isWhole ? ['draft'] : [])]);
  return JSON.stringify(fields.filter(([name]) => !ignored.has(name)));
};

function readDraft(key: string): StoredDraft | null {
  try {
    return parseDraft(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

/** Another version of this script may have stored it. */
function parseDraft(value: unknown): StoredDraft | null {
  if (typeof value !== 'object' || value === null) return null;
  const { time, opened, follows = '', page = '', number = 0, action = '', fields }: SentAnswer = { ...value };
  if (typeof time !== 'number' || typeof opened !== 'string' || !Array.isArray(fields)) return null;
  const pairs = fields.flatMap((field: unknown) => {
    if (!Array.isArray(field)) return [];
    const [name, text]: readonly unknown[] = field;
    return typeof name === 'string' && typeof text === 'string' ? [[name, text] as const] : [];
  });
  const own = {
    follows: String(follows),
    page: String(page),
    number: Number(number),
    action: String(action),
  };
  return { time, opened, ...own, fields: pairs };
}
