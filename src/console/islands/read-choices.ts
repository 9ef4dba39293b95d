import { callAction, type PickedItem, parseItems } from './command-palette.ts';

/** What the server offers: pieces to open, and what can be put into a text. `shops` are links, by the key of a product. */
export type Choices = Readonly<
  Record<'pieces' | 'links' | 'products' | 'shops' | 'figures' | 'images', readonly PickedItem[]>
>;

let known: Promise<unknown> | undefined;

/** Reads what the server offers, once; nothing without a connection. */
export async function readChoices(form: HTMLFormElement): Promise<Choices> {
  known ??= callAction('choices', form);
  const read = await known;
  // Asked again, when the connection may be back.
  if (read === null) known = undefined;
  const list = (name: keyof Choices) => parseItems(read, name);
  return {
    pieces: list('pieces'),
    links: list('links'),
    products: list('products'),
    shops: list('shops'),
    figures: list('figures'),
    images: list('images'),
  };
}

/** What a form hears when they were read again, and have a new product. */
export const CHOICES_CHANGED = 'choices-changed';

/** Reads them again when they are needed. */
export function forgetChoices(): void {
  known = undefined;
}
