import { useEffect } from 'react';

/** Lets number keys choose an option of the current question, and Enter continue, except on a button or link. */
export function useNumberShortcuts(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
      const form = document.querySelector<HTMLFormElement>('.question-form');
      if (form === null || isElsewhere(event.target, form)) return;
      if (event.key === 'Enter') goOn(event, form);
      else if (/^[1-9]$/.test(event.key)) choose(event, form);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [isOn]);
}

/** Keys typed into another field, or meant for a button or link, are not ours. */
function isElsewhere(target: EventTarget | null, form: HTMLFormElement): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('button, a, summary, select, textarea, [contenteditable]') !== null) return true;
  return target.matches('input') && !form.contains(target);
}

function choose(event: KeyboardEvent, form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>(`.question-current [data-digit="${event.key}"]`);
  if (input === null) return;
  event.preventDefault();
  input.focus();
  if (input.type === 'checkbox' || !input.checked) input.click();
}

function goOn(event: KeyboardEvent, form: HTMLFormElement): void {
  event.preventDefault();
  const next = form.querySelector<HTMLButtonElement>('.step-next');
  if (next !== null && !next.disabled) form.requestSubmit(next);
}
