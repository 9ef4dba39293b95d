import { buildElement, type CommandPalette } from './command-palette.ts';

/** The keys of the console, as its help and the documentation list them; those of the views are in `CONSOLE_VIEWS`. */
export const CONSOLE_KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K or /', 'Find a view, a page, a partner, a campaign, an action'],
  ['← →', 'Previous and next period'],
  ['D E W F T N', 'Today, yesterday, the last 7, 28, 30, 91 days'],
  ['M P Q S Y V', 'This month, last month, this quarter, last quarter, this year, last year'],
  ['L A', '12 months, all time'],
  ['C', 'Any two days'],
  ['X', 'Compare, or not'],
  ['R', 'Live'],
  ['Ctrl Shift F', 'Find and replace in all pieces'],
  ['Alt + click', 'Everything but this value'],
  ['Esc', 'Close, or clear the filters'],
];

const STORAGE_KEY = 'console-shortcuts';

/** Whether single letters are shortcuts: voice input and switch devices may send them by accident. */
function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

function setShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {
    // Without storage they stay on.
  }
}

/** Shows all keys, with a switch for those of one letter. */
function openShortcutHelp(): void {
  const views = [...document.querySelectorAll<HTMLElement>('a[data-go]')].map(
    (link) => [`G ${(link.dataset['go'] ?? '').toUpperCase()}`, link.dataset['name'] ?? ''] as const,
  );
  const list = buildElement('dl');
  const tools = [...document.querySelectorAll<HTMLElement>('[data-tool]')].map(
    ({ dataset: { keys = '', tool = '' } }) => [keys, tool] as const,
  );
  for (const [keys, meaning] of [...tools, ...CONSOLE_KEYS, ...views])
    list.append(buildElement('dt', {}, keys), buildElement('dd', {}, meaning));
  const isOn = areShortcutsOn();
  const toggle = buildElement('button', { type: 'button' }, `Turn single keys ${isOn ? 'off' : 'on'}`);
  const close = buildElement('button', { type: 'button' }, 'Close');
  const dialog = buildElement('dialog', { 'aria-label': 'Keyboard shortcuts' });
  const buttons = buildElement('p');
  buttons.append(close, toggle);
  dialog.append(buildElement('h2', {}, 'Keyboard'), list, buttons);
  toggle.addEventListener('click', () => {
    setShortcuts(!isOn);
    dialog.close();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  // The focus is on the button at the end, which stays in view.
  dialog.scrollTop = 0;
}

/** Time in which a letter after `g` opens a view. */
const SEQUENCE_MS = 1_500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, select, textarea, [role="combobox"], [data-typing]'));

/** Visits the first link with a key; false without one. */
function follow(selector: string): boolean {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  if (link === null) return false;
  location.assign(link.href);
  return true;
}

/** Listens for the keys of the console: periods, comparison, views after `g`, search, help, Escape. */
export function startShortcuts(palette: CommandPalette): void {
  let sequenceEnds = 0;
  document.addEventListener('keydown', (event) => {
    const { key, target, timeStamp } = event;
    const letter = key.toLowerCase();
    // In a text Ctrl K makes a link.
    if (event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey) {
      if (letter === 'k') palette.open();
      else if (!event.shiftKey || letter !== 'f' || !follow('a[href$="/content/replace"]')) return;
      event.preventDefault();
      return;
    }
    if (event.altKey || isTyping(target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (key === 'Escape') {
      stepBack();
      return;
    }
    // Where a piece is edited, a key that misses its field leads nowhere.
    if (!areShortcutsOn() || (key !== '?' && document.querySelector('#editor'))) return;
    const isSequence = timeStamp < sequenceEnds;
    sequenceEnds = 0;
    if (isSequence && /^[a-z]$/.test(letter)) {
      if (follow(`a[data-go="${letter}"]`)) event.preventDefault();
    } else if (letter === 'g') {
      sequenceEnds = timeStamp + SEQUENCE_MS;
    } else if (key === '/') {
      event.preventDefault();
      palette.open();
    } else if (key === '?') {
      openShortcutHelp();
    } else if (letter === 'c') {
      if (openDates()) event.preventDefault();
    } else if (letter === 'r') {
      follow('a[data-go="v"]');
    } else if (/^([a-z]|Arrow(Left|Right))$/.test(key.length === 1 ? letter : key)) {
      follow(`a[data-key="${key.length === 1 ? letter : key}"]`);
    }
  });
}

/** Closes what is open; with nothing open it clears the filters. */
function stepBack(): void {
  const tip = document.querySelector<HTMLElement>('.metric:hover, .metric:focus-within');
  if (tip !== null && tip.dataset['dismissed'] === undefined) {
    tip.dataset['dismissed'] = '';
    const restore = () => delete tip.dataset['dismissed'];
    tip.addEventListener('pointerleave', restore, { once: true });
    tip.addEventListener('focusout', restore, { once: true });
    return;
  }
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]');
  if (menu === null) {
    follow('a[data-key="Escape"]');
    return;
  }
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** Opens the menu of periods at its first date; false when the view has none. */
function openDates(): boolean {
  const bars = [...document.querySelectorAll<HTMLElement>('.bar, .bar-sheet')];
  const bar = bars.find((one) => one.getClientRects().length > 0);
  const menu = bar?.querySelector<HTMLDetailsElement>('details.menu');
  if (bar === undefined || !menu) return false;
  if (bar instanceof HTMLDetailsElement) bar.open = true;
  menu.open = true;
  menu.querySelector<HTMLInputElement>('input[type="date"]')?.focus();
  return true;
}
