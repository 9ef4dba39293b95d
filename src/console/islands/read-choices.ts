import { getFormAddress, type PickedItem, parseItems } from './command-palette.ts';

/** What the server offers: pieces to open, and what can be put into a text. */
export interface Choices {
  readonly pieces: readonly PickedItem[];
  readonly links: readonly PickedItem[];
  readonly figures: readonly PickedItem[];
  readonly images: readonly PickedItem[];
}

const NONE: Choices = { pieces: [], links: [], figures: [], images: [] };
let known: Choices | undefined;

/** Reads what the server offers, once; nothing without a connection. */
export async function readChoices(form: HTMLFormElement): Promise<Choices> {
  if (known !== undefined) return known;
  const body = new FormData();
  body.set('token', String(new FormData(form).get('token') ?? ''));
  body.set('action', 'choices');
  const response = await fetch(getFormAddress(form), { method: 'POST', body, redirect: 'error' }).catch(
    () => null,
  );
  const read: unknown = response?.ok === true ? await response.json().catch(() => null) : null;
  if (typeof read !== 'object' || read === null) return NONE;
  const list = (name: keyof Choices) => parseItems(read, name);
  known = { pieces: list('pieces'), links: list('links'), figures: list('figures'), images: list('images') };
  return known;
}
