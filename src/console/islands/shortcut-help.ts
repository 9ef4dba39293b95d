import { buildElement } from './build-element.ts';
import { CONSOLE_KEYS } from './console-keys.ts';

const STORAGE_KEY = 'console-shortcuts';

/** Whether single letters are shortcuts: voice input and switch devices may send them by accident. */
export function areShortcutsOn(): boolean {
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
export function openShortcutHelp(): void {
  const views = [...document.querySelectorAll<HTMLElement>('.rail a[data-go]')].map(
    (link) => [`G ${(link.dataset['go'] ?? '').toUpperCase()}`, link.dataset['name'] ?? ''] as const,
  );
  const list = buildElement('dl');
  for (const [keys, meaning] of [...CONSOLE_KEYS, ...views])
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
