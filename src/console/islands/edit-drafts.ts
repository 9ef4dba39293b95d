import { buildElement, getFormAddress } from './command-palette.ts';

/** What a form had when it was stored: its fields in their order. */
interface StoredDraft {
  /** ms since 1970. */
  readonly time: number;
  /** Hash of the file that was opened. */
  readonly opened: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The part of the form whose fields they are, as an address. */
  readonly action: string;
  /** The form was sent, and no response was seen yet. */
  readonly isSent: boolean;
}

/** Keys of unsaved texts begin with this; `start-console.ts` removes them when the operator signs out. */
const PREFIX = 'content-draft ';
const STORE_DELAY_MS = 400;
const STATE_EVERY_MS = 20_000;
/** Fields that belong to the page and not to the text. */
const OWN_FIELDS = new Set(['token', 'action', 'view']);

/** Stores the unsaved text of a form in the browser, offers what was stored before, and says in `state` what is true. */
export function createDraftStore(form: HTMLFormElement, state: HTMLElement) {
  const key = PREFIX + new URL(getFormAddress(form)).pathname;
  const first = listDefaults(form);
  const opened = getValue(form, 'opened');
  const serverChanges = Number(state.dataset['editorState'] ?? 0);
  const initial = state.textContent ?? '';
  let hasNews = false;
  let timer: number | undefined;

  const store = (isSent: boolean) => {
    const fields = listFields(form);
    if (serverChanges === 0 && isSame(fields, first)) remove(key);
    else write(key, { time: Date.now(), opened, fields, action: getFormAddress(form), isSent });
  };
  /** Says how much is not saved, and what has happened to the file meanwhile. */
  const showState = () => {
    const changed = countChanges(form);
    const count = changed + serverChanges;
    // What the server has counted is lines: one section that was moved is many.
    const changes = `${changed} unsaved ${changed === 1 ? 'change' : 'changes'}`;
    state.textContent =
      count === 0 ? initial : `${serverChanges > 0 ? 'Unsaved changes' : changes}, stored in this browser.`;
    if (hasNews) showNews(state, count > 0);
  };
  offerEarlier(form, key, first);
  store(false);
  showState();
  watchFile(form, opened, () => {
    hasNews = true;
    showState();
  });
  return {
    /** The text has changed. */
    note(): void {
      showState();
      clearTimeout(timer);
      timer = window.setTimeout(() => store(false), STORE_DELAY_MS);
    },
    /** The form is sent. */
    send(): void {
      clearTimeout(timer);
      store(true);
    },
  };
}

/** Offers a text that was stored and is neither in the form nor saved. */
function offerEarlier(form: HTMLFormElement, key: string, first: StoredDraft['fields']): void {
  const earlierKey = `${key} earlier`;
  const opened = getValue(form, 'opened');
  // A text that was sent is in the form that responds to it, or saved, when the page shows another file than was opened.
  const isSaved = document.querySelector('.notice[role="status"]') !== null;
  const isPosted = form.dataset['posted'] !== undefined;
  const found = readDraft(key);
  const isDone = found?.isSent === true && (isPosted || (isSaved && found.opened !== opened));
  // A browser that opens a page again can fill in what was written: that is unsaved text, and nothing to offer.
  const isThere = ({ fields }: StoredDraft) => isSame(fields, first) || isSame(fields, listFields(form));
  if (found !== null && !isDone && !isThere(found)) write(earlierKey, { ...found, isSent: false });
  remove(key);
  const earlier = readDraft(earlierKey);
  if (earlier === null) return;
  if (isThere(earlier)) remove(earlierKey);
  else offerDraft(form, earlier, () => remove(earlierKey));
}

/** Says that the file was changed, with a button that compares. */
function showNews(state: HTMLElement, isWriting: boolean): void {
  state.textContent = `Changed on the server${isWriting ? ' while you were writing' : ''}. `;
  const button = { type: 'submit', name: 'action', value: 'compare', class: 'text-button' };
  state.append(buildElement('button', button, isWriting ? 'Compare' : 'Show the difference'));
}

/** Looks now and then whether the file is still the one that was opened; calls `report` once when it is not. */
function watchFile(form: HTMLFormElement, opened: string, report: () => void): void {
  let hasReported = false;
  const look = async () => {
    if (document.hidden || hasReported) return;
    const body = new FormData();
    body.set('token', getValue(form, 'token'));
    body.set('action', 'state');
    const response = await fetch(getFormAddress(form), { method: 'POST', body, redirect: 'error' }).catch(
      () => null,
    );
    if (response?.ok !== true) return;
    const read: unknown = await response.json().catch(() => null);
    const hash = typeof read === 'object' && read !== null && 'hash' in read ? read.hash : opened;
    if (typeof hash !== 'string' || hash === opened) return;
    hasReported = true;
    report();
  };
  setInterval(() => void look(), STATE_EVERY_MS);
  addEventListener('focus', () => void look());
}

/** Offers a text that was not saved. Nothing is replaced before the operator decides. */
function offerDraft(form: HTMLFormElement, draft: StoredDraft, discard: () => void): void {
  const at = new Date(draft.time);
  const isToday = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const day = isToday ? '' : `${at.toLocaleDateString()}, `;
  const offer = buildElement('section', { class: 'editor-offer', 'aria-label': 'Text that was not saved' });
  const restoreButton = buildElement('button', { type: 'button', class: 'button button-quiet' }, 'Restore');
  const discardButton = buildElement('button', { type: 'button', class: 'text-button' }, 'Discard');
  offer.append(
    buildElement('p', {}, `Text that was not saved, from ${day}${time}.`),
    restoreButton,
    discardButton,
  );
  restoreButton.addEventListener('click', () => {
    discard();
    postFields(form, draft);
  });
  discardButton.addEventListener('click', () => {
    discard();
    offer.remove();
    form.querySelector<HTMLElement>('input:not([type="hidden"]), textarea:not([hidden])')?.focus();
  });
  form.before(offer);
}

/** Shows a stored text in the form: the server builds the fields from it, also when sections were moved or added. */
function postFields(form: HTMLFormElement, { fields, action }: StoredDraft): void {
  const sent = buildElement('form', {
    method: 'post',
    action: getFormAddress(form),
    enctype: 'multipart/form-data',
  });
  // A stored address leads to another part of the same file, and nowhere else.
  const isSameFile =
    URL.canParse(action) && new URL(action).pathname === new URL(getFormAddress(form)).pathname;
  if (isSameFile) sent.action = new URL(getFormAddress(form)).pathname + new URL(action).search;
  sent.hidden = true;
  const own = ['token', 'view'].map((name) => [name, getValue(form, name)] as const);
  for (const [name, value] of [...fields, ...own, ['action', 'open'] as const]) {
    const field = buildElement('textarea', { name });
    field.value = value;
    sent.append(field);
  }
  document.body.append(sent);
  sent.submit();
}

function listFields(form: HTMLFormElement): StoredDraft['fields'] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !OWN_FIELDS.has(name)
      ? [[name, value.replace(/\r\n?/g, '\n')] as const]
      : [],
  );
}

/** The fields as the server has sent them, whatever the browser has filled in meanwhile. */
function listDefaults(form: HTMLFormElement): StoredDraft['fields'] {
  return [...form.elements].flatMap((field) => {
    const isSelect = field instanceof HTMLSelectElement;
    if (!(isSelect || field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return [];
    const { name } = field;
    if (name === '' || OWN_FIELDS.has(name) || field.matches(':disabled')) return [];
    if (field instanceof HTMLInputElement && field.type === 'checkbox' && !field.defaultChecked) return [];
    if (!isSelect) return [[name, field.defaultValue] as const];
    // Without a chosen option a browser chooses the first.
    const option = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return option === undefined ? [] : [[name, option.value] as const];
  });
}

const isSame = (one: StoredDraft['fields'], other: StoredDraft['fields']) =>
  JSON.stringify(one) === JSON.stringify(other);

function getValue(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

function countChanges(form: HTMLFormElement): number {
  return [...form.elements].filter((field) => {
    if (field instanceof HTMLSelectElement)
      return (
        !field.name.startsWith('type ') &&
        [...field.options].some((one) => one.selected !== one.defaultSelected) &&
        isChosen(field)
      );
    return (
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue
    );
  }).length;
}

/** Without a chosen option a browser chooses the first, which is no change. */
const isChosen = ({ options, selectedIndex }: HTMLSelectElement) =>
  [...options].some(({ defaultSelected }) => defaultSelected) || selectedIndex > 0;

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
  if (!('time' in value && 'opened' in value && 'fields' in value && 'isSent' in value)) return null;
  const { time, opened, fields, isSent } = value;
  const action = 'action' in value ? String(value.action) : '';
  if (typeof time !== 'number' || typeof opened !== 'string' || !Array.isArray(fields)) return null;
  const pairs = fields.flatMap((field: unknown) => {
    if (!Array.isArray(field)) return [];
    const [name, text]: readonly unknown[] = field;
    return typeof name === 'string' && typeof text === 'string' ? [[name, text] as const] : [];
  });
  return { time, opened, fields: pairs, action, isSent: isSent === true };
}

function write(key: string, draft: StoredDraft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Without storage, or when it is full, the text is in the form alone.
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not stored either.
  }
}
