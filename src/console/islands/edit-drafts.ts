import { buildElement, getFormAddress } from './command-palette.ts';
import { Sender } from './sender.ts';
import { forget, getValue, has, listFields, readAnswer, type SentAnswer, write } from './stored-drafts.ts';

/** Keys of unsaved texts begin with this; `start-console.ts` removes them when the operator signs out. */
const PREFIX = 'content-draft ';
const STORE_MS = 400;
const STATE_EVERY_MS = 20_000;
/** More is not sent by a page that is being closed. */
const MAX_CLOSING = 60_000;
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
  /** The number of the text that leaves with the page; null: the page stays. */
  let leaving: number | null = null;
  let storing: number | undefined;
  /** The server cannot be reached. */
  let isBlocked = false;
  let trouble = '';
  /** Why the text of this number was not saved: true until it is changed, also when a copy of it is kept. */
  let refusal = { number: -1, text: '' };
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
  /** What was said of the text before is no longer true; what keeps it from the server still is. */
  const sayChanged = () => {
    if (state.textContent === lastSaid) say('Unsaved changes.');
  };
  const where = () => (isStored ? 'in this browser' : 'in this tab alone, so leave it open');
  const cannotTake = () => complain(`The server cannot take it now: kept ${where()}, and sent again.`);
  const post = async (action: string): Promise<SentAnswer | Response | null> => {
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
      // The page that answers the form asks for the password.
      if (token !== null && action === 'save') return response;
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
    if (number === sent) forget(key);
    sayAgain(refusal.number === sent ? refusal.text : said);
    if (number !== sent) sayChanged();
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
    complain(`You wrote in another tab or on another device at ${time}. `, show, ' ', go);
  };
  const note = () => {
    number += 1;
    sayChanged();
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
    // What was typed while the server answered stays in the browser, and is sent by the next page.
    if (number === keptNumber || (leaving !== null && number <= leaving)) return;
    store();
    if (leaving !== null) return;
    const body = build('keep');
    const size = [...body.values()].reduce((sum, value) => sum + String(value).length, 0);
    void fetch(getFormAddress(form), { method: 'POST', body, keepalive: size < MAX_CLOSING }).catch(
      () => null,
    );
  });
  addEventListener('pageshow', () => {
    leaving = null;
  });
  if (has(key) || has(`${key} earlier`))
    void import('./earlier-drafts.ts').then(({ goOnEarlier }) => goOnEarlier(form, key, follows));
  // The page is there again with what somebody else has changed.
  const { joined: saved }: Readonly<Record<string, unknown>> = Object(history.state);
  if (typeof saved === 'string') {
    history.replaceState(null, '');
    say(saved);
    announce(saved);
  }
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
      leaving = isDiscarded ? Infinity : number;
      sender.stop();
      if (isDiscarded) forget(key);
    },
    /** Saves without leaving the page. false: the form has to be sent. */
    save: (showProblems: (problems: readonly unknown[]) => void) =>
      sender.inTurn(async () => {
        const sent = number;
        const body = getValue(form, 'body');
        const answer = await post('save');
        if (answer === null) return true;
        const { message, opened, joined, problems = [] } = answer instanceof Response ? {} : answer;
        if (typeof message !== 'string' || !Array.isArray(problems)) return false;
        showProblems(problems);
        announce(message);
        [trouble, lastSaid] = ['', message];
        say(message);
        if (typeof opened !== 'string') {
          refusal = { number: sent, text: message };
          return true;
        }
        if (joined !== undefined) {
          const detail = { sent: body, joined };
          const isTaken =
            joined !== null && form.dispatchEvent(new CustomEvent('joined', { detail, cancelable: true }));
          // What was typed meanwhile is joined when it is saved.
          if (!isTaken && number > sent) return true;
          if (!isTaken) {
            sender.stop();
            forget(key);
            leaving = number;
            history.replaceState({ joined: message }, '');
            location.reload();
            return true;
          }
        }
        setValue(form, 'opened', opened);
        setValue(form, 'kept', '');
        follows = '';
        isFile = true;
        keptNumber = sent;
        if (number === sent) {
          sender.stop();
          forget(key);
        } else sayChanged();
        form.querySelector('[data-editor-kept]')?.setAttribute('hidden', '');
        return true;
      }),
  };
}

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

/** Between two keys: a long text takes several ms. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 300 });
  else work();
}

function setValue(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}
