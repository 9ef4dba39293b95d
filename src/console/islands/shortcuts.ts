import { buildElement, type CommandPalette } from './command-palette.ts';

/** The keys of the console, as its help lists them. */
const CONSOLE_KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Find a view, a page, a partner, a campaign, an action'],
  ['Ctrl Shift F', 'Find and replace in all pieces'],
  ['Alt + click', 'Everything but this value'],
  ['Esc', 'Close, or clear the filters'],
  ['?', 'These keys'],
];

/** Shows all keys. */
function openShortcutHelp(): void {
  const list = buildElement('dl');
  const tools = [...document.querySelectorAll<HTMLElement>('[data-tool]')].map(
    ({ dataset: { keys = '', tool = '' } }) => [keys, tool] as const,
  );
  for (const [keys, meaning] of [...tools, ...CONSOLE_KEYS])
    list.append(buildElement('dt', {}, keys), buildElement('dd', {}, meaning));
  const close = buildElement('button', { type: 'button' }, 'Close');
  const dialog = buildElement('dialog', { 'aria-label': 'Keyboard shortcuts' });
  const buttons = buildElement('p');
  buttons.append(close);
  dialog.append(buildElement('h2', {}, 'Keyboard'), list, buttons);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  // The focus is on the button at the end, which stays in view.
  dialog.scrollTop = 0;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, select, textarea, [role="combobox"]'));

/** Visits the first such link, or a page below it; false without one. */
function follow(selector: string, below = ''): boolean {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  if (link === null) return false;
  location.assign(link.href + below);
  return true;
}

/** Listens for the keys of the console: search, help, Escape. */
export function startShortcuts(palette: CommandPalette): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const letter = key.toLowerCase();
    // In a text Ctrl K makes a link.
    if (event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey) {
      if (letter === 'k') palette.open();
      else if (!event.shiftKey || letter !== 'f' || !follow('.rail a[href$="/content"]', '/replace')) return;
      event.preventDefault();
      return;
    }
    if (event.altKey || isTyping(target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (key === 'Escape') {
      stepBack();
      return;
    }
    if (key === '?') openShortcutHelp();
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
