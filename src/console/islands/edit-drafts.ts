import { buildElement, getFormAddress } from './command-palette.ts';
import { Sender } from './sender.ts';

/** What a form had that the server did not have yet: its fields in their order. */
interface StoredDraft {
  /** ms since 1970. */
  readonly time: number;
  /** Hash of the file that was opened. */
  readonly opened: string;
  /** The stamp of the server's text that this one goes on from. */
  readonly follows: string;
  /** The page that has written it, and how many changes it had. */
  readonly page: string;
  readonly number: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The part of the form whose fields they are, as an address. */
  readonly action: string;
}

/** What the server says. */
type Answer = Readonly<Record<string, unknown>>;

/** Keys of unsaved texts begin with this; `start-console.ts` removes them when the operator signs out. */
const PREFIX = 'content-draft ';
const STORE_MS = 400;
const STATE_EVERY_MS = 20_000;
/** More is not sent by a page that is being closed. */
const MAX_CLOSING = 60_000;
/** Fields that belong to the page and not to the text. */
const OWN_FIELDS = new Set(['token', 'action', 'view']);

/**
 * Keeps what is written in a form in the browser and, in pauses, on the server, and says in `state` what is true. `announce`
 * reads a sentence out.
 */
export function createDraftStore(
  form: HTMLFormElement,
  state: HTMLElement,
  announce: (text: string) => void,
) {
  const key = PREFIX + new URL(getFormAddress(form)).pathname;
  const page = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  let follows = state.dataset['copy'] ?? '';
  let number = 0;
  let keptNumber = 0;
  /** What the fields were built from is the file: it need not be sent. */
  let isFile = Number(state.dataset['editorState']) === 0;
  let isStored = true;
  let isLeaving = false;
  let storing: number | undefined;
  /** The server cannot be reached. */
  let isBlocked = false;
  let trouble = '';
  let lastSaid = state.textContent ?? '';

  const build = (action: string) => {
    const body = new FormData(form);
    if (isFile) body.delete('draft');
    const own = { action, page, number: String(number), follows };
    for (const [name, value] of Object.entries(own)) body.set(name, value);
    return body;
  };
  const store = () => {
    clearTimeout(storing);
    storing = undefined;
    const own = { time: Date.now(), opened: getValue(form, 'opened'), follows, page, number };
    if (number > keptNumber)
      isStored = write(key, { ...own, fields: listFields(form), action: getFormAddress(form) });
  };
  const say = (text: string, ...more: readonly (Node | string)[]) => {
    if (state.textContent !== text) state.replaceChildren(text, ...more);
  };
  /** Says what keeps the text from the server, aloud once. */
  const complain = (text: string, ...more: readonly (Node | string)[]) => {
    if (text === trouble && state.textContent?.startsWith(text)) return;
    say(text, ...more);
    announce(text);
    trouble = text;
  };
  const sayAgain = (text: string) => {
    if (trouble !== '') announce(text);
    [trouble, lastSaid] = ['', text];
    say(text);
  };
  const where = () => (isStored ? 'in this browser' : 'in this tab alone, so leave it open');
  const cannotTake = () => complain(`The server cannot take it now: kept ${where()}, and sent again.`);
  const post = async (action: string): Promise<Answer | Response | null> => {
    const init = { method: 'POST', body: build(action), redirect: 'manual' } as const;
    const response = await fetch(getFormAddress(form), init).catch(() => null);
    isBlocked = true;
    if (response === null) complain(`Offline: kept ${where()}, sent when you are back.`);
    else if (response.status >= 500 || response.status === 429) cannotTake();
    else if (response.type === 'opaqueredirect' || response.status === 403) {
      const token = await readToken(form);
      if (token !== null && token !== getValue(form, 'token')) {
        setValue(form, 'token', token);
        return post(action);
      }
      const link = buildElement('a', { href: location.href, target: '_blank' }, 'Sign in in another tab');
      if (token === null) complain(`Your session ended: your text is kept ${where()}. `, link);
      else complain(`You may not change this any more: your text is kept ${where()}.`);
    } else {
      isBlocked = false;
      return response.headers.get('content-type')?.startsWith('application/json')
        ? readAnswer(response)
        : response;
    }
    return null;
  };
  const showOthers = (others: unknown) => {
    const box = form.querySelector('[data-editor-others]');
    if (!Array.isArray(others) || box === null) return;
    box.replaceChildren(
      ...others.flatMap(({ text, href }) => [
        String(text),
        ...(href ? [': ', buildElement('a', { href: String(href) }, 'compare')] : []),
        '. ',
      ]),
    );
  };
  const keep = async (): Promise<boolean> => {
    await new Promise<void>(whenIdle);
    const sent = number;
    const answer = await post('keep');
    if (answer instanceof Response) cannotTake();
    if (answer === null || answer instanceof Response) return false;
    if (answer['needsBase'] === true && isFile) {
      isFile = false;
      return keep();
    }
    const { said, problem, stamp, hash, others } = answer;
    if (typeof said !== 'string' || typeof stamp !== 'string' || typeof hash !== 'string') {
      complain(`Kept ${where()} and not on the server: ${String(problem)}.`);
      return true;
    }
    if (answer['isElsewhere'] === true) {
      showElsewhere(String(answer['time']), stamp);
      return true;
    }
    follows = stamp;
    setValue(form, 'kept', hash);
    keptNumber = sent;
    if (number === sent) remove(key);
    sayAgain(said);
    if (answer['isChanged'] === true) showNews(state, true);
    form.querySelector('[data-editor-kept]')?.toggleAttribute('hidden', answer['isUnsaved'] !== true);
    showOthers(others);
    return true;
  };
  const sender = new Sender(keep);
  /** Another device has gone on with the text that this page began with. */
  const showElsewhere = (time: string, stamp: string) => {
    const button = (text: string, act: () => void) => {
      const made = buildElement('button', { type: 'button', class: 'text-button' }, text);
      made.addEventListener('click', act);
      return made;
    };
    const show = button('Show that text', () => {
      store();
      location.reload();
    });
    const go = button('Go on with this one', () => {
      follows = stamp;
      sender.change();
      void sender.now();
    });
    complain(`You wrote on another device at ${time}. `, show, ' ', go);
  };
  const note = () => {
    number += 1;
    storing ??= window.setTimeout(() => whenIdle(store), STORE_MS);
    sender.change();
  };
  const watchFile = async () => {
    if (document.hidden) return;
    if (number > keptNumber) return sender.now();
    const answer = await post('state');
    if (answer === null || answer instanceof Response) return;
    showOthers(answer['others']);
    if (trouble !== '') sayAgain(lastSaid);
    const { hash } = answer;
    if (hash === getValue(form, 'kept')) setValue(form, 'opened', String(hash));
    else if (typeof hash === 'string' && hash !== getValue(form, 'opened'))
      showNews(state, number > 0 || !isFile);
  };
  setInterval(() => void watchFile(), STATE_EVERY_MS);
  addEventListener('focus', () => void watchFile());
  addEventListener('online', () => void watchFile());
  addEventListener('pagehide', () => {
    if (isLeaving || number === keptNumber) return;
    store();
    const body = build('keep');
    const size = [...body.values()].reduce((sum, value) => sum + String(value).length, 0);
    void fetch(getFormAddress(form), { method: 'POST', body, keepalive: size < MAX_CLOSING }).catch(
      () => null,
    );
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  void goOnEarlier(form, key, follows);
  // What was moved or added is in the form, and not on the server.
  if (form.dataset['posted'] !== undefined && !isFile) note();
  return {
    /** The text has changed. */
    note,
    /** Resolves when the server has what is written; false: it has not, and the page has to stay. */
    async flush(): Promise<boolean> {
      await sender.now();
      return number === keptNumber || !isBlocked;
    },
    /** The form is sent, or what it has is discarded. */
    leave(isDiscarded: boolean): void {
      isLeaving = true;
      sender.stop();
      if (isDiscarded) remove(key);
    },
    /** Saves without leaving the page. false: the form has to be sent. */
    save: (showProblems: (problems: readonly unknown[]) => void) =>
      sender.inTurn(async () => {
        const sent = number;
        const answer = await post('save');
        if (answer === null) return true;
        const { message, opened, problems = [] } = answer instanceof Response ? {} : answer;
        if (typeof message !== 'string' || !Array.isArray(problems)) return false;
        showProblems(problems);
        announce(message);
        [trouble, lastSaid] = ['', message];
        say(message);
        if (typeof opened !== 'string') return true;
        setValue(form, 'opened', opened);
        setValue(form, 'kept', '');
        follows = '';
        isFile = true;
        keptNumber = sent;
        if (number === sent) {
          sender.stop();
          remove(key);
        }
        form.querySelector('[data-editor-kept]')?.setAttribute('hidden', '');
        return true;
      }),
  };
}

/**
 * Goes on with a text that was stored and did not reach the server, when it follows what the server has; otherwise offers it.
 */
async function goOnEarlier(form: HTMLFormElement, key: string, follows: string): Promise<void> {
  const earlierKey = `${key} earlier`;
  const isThere = ({ fields }: StoredDraft) => isSame(fields, listFields(form));
  const found = readDraft(key);
  remove(key);
  if (found !== null && !isThere(found)) {
    write(earlierKey, found);
    const isNewer = found.follows === follows || follows.startsWith(`${found.page} `);
    if (found.opened === getValue(form, 'opened') && isNewer && (await sendDraft(form, found, follows))) {
      remove(earlierKey);
      return location.reload();
    }
  }
  const earlier = readDraft(earlierKey);
  if (earlier !== null && isThere(earlier)) remove(earlierKey);
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

const readAnswer = (response: Response): Promise<Answer | null> =>
  response.json().then(
    (read: unknown) => (typeof read === 'object' && read !== null ? { ...read } : null),
    () => null,
  );

/** Reads the token of the forms again: the operator may have signed in in another tab. null: nobody has, or somebody else. */
async function readToken(form: HTMLFormElement): Promise<string | null> {
  const response = await fetch(getFormAddress(form), { redirect: 'error' }).catch(() => null);
  const text = response?.ok === true ? await response.text() : '';
  const [, token] = /name="token" value="([^"]+)"/.exec(text) ?? [];
  const [, operator] = /data-operator="([^"]*)"/.exec(text) ?? [];
  return token === undefined || operator !== form.dataset['operator'] ? null : token;
}

/** Says that the file was changed, with a button that compares. */
function showNews(state: HTMLElement, isWriting: boolean): void {
  const said = `Changed on the server${isWriting ? ' while you were writing' : ''}. `;
  if (state.textContent?.startsWith(said)) return;
  const button = { type: 'submit', name: 'action', value: 'compare', class: 'text-button' };
  state.replaceChildren(said, buildElement('button', button, isWriting ? 'Compare' : 'Show the difference'));
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
    remove(key);
    location.reload();
  });
  discardButton.addEventListener('click', () => {
    remove(key);
    offer.remove();
    form.querySelector<HTMLElement>('input:not([type="hidden"]), textarea:not([hidden])')?.focus();
  });
  form.before(offer);
}

/** Between two keys: a long text takes several ms. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 300 });
  else work();
}

function listFields(form: HTMLFormElement): StoredDraft['fields'] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !OWN_FIELDS.has(name)
      ? [[name, value.replace(/\r\n?/g, '\n')] as const]
      : [],
  );
}

/** Whether the texts are equal: a form that has all of a text does not need the one that it was built from. */
const isSame = (one: StoredDraft['fields'], other: StoredDraft['fields']) => toText(one) === toText(other);
const toText = (fields: StoredDraft['fields']) => {
  const isWhole = fields.some(([name]) => name === 'body');
  const ignored = new Set(['kept', 'opened', ...(isWhole ? ['draft'] : [])]);
  return JSON.stringify(fields.filter(([name]) => !ignored.has(name)));
};

function getValue(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

function setValue(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

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
  const { time, opened, follows = '', page = '', number = 0, action = '', fields }: Answer = { ...value };
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

/** false: without storage, or when it is full, the text is in the form alone. */
function write(key: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not stored either.
  }
}
