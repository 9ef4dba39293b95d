import { openPicker, type PickedItem } from './command-palette.ts';
import { readChoices } from './read-choices.ts';

/** Finds the fields of this form, all pieces with their sections, and the views. */
export async function openSearch(form: HTMLFormElement, showField: (id: string) => void): Promise<void> {
  // Those of the form, which draws no more of them than are open; those beside it are labels.
  const own: PickedItem[] = [];
  form.dispatchEvent(new CustomEvent('page-act', { detail: { act: 'list', found: own } }));
  const labels = [...form.querySelectorAll<HTMLLabelElement>('.editor-field > label')].flatMap((label) => {
    const name = (label.firstChild?.textContent ?? '').trim();
    const isListed = own.length > 0 && label.closest('[data-form]') !== null;
    return label.htmlFor === '' || isListed ? [] : [{ name, kind: 'Field', value: `#${label.htmlFor}` }];
  });
  const views = [...document.querySelectorAll<HTMLAnchorElement>('[data-palette="view"]')].map((link) => ({
    name: link.dataset['name'] ?? '',
    kind: 'View',
    value: link.href,
  }));
  const { pieces } = await readChoices(form);
  openPicker(
    'Find a piece, a section, a field or a view',
    [...labels, ...own, ...pieces, ...views],
    (value) => {
      if (value.startsWith('#')) showField(value.slice(1));
      else if (value.startsWith('at:')) {
        // Where there is room for one of them, the form comes before the page.
        form.querySelector<HTMLInputElement>('.editor-tabs [value="form"]')?.click();
        form.dispatchEvent(new CustomEvent('page-act', { detail: { act: 'show', at: value.slice(3) } }));
      } else location.assign(value);
    },
  );
}
