/** Texts that `npm run new` writes into a draft for the author to replace. A file with one is never published. */
const IN_DRAFTS: readonly string[] = [
  'One or two sentences that say what the reader learns.',
  'What a searcher reads under the title, in 120 to 160 characters.',
  'State the main point of the article here, in one paragraph.',
  'Say in the heading what the part says',
  'What this page is about and what the reader can decide after it, in one plain sentence.',
  'Running text in Markdown.',
];

/** The same, with those of `npm run new -- site`, whose pages are published from the start. */
export const PLACEHOLDERS: readonly string[] = [
  ...IN_DRAFTS,
  'Say here ',
  'Example Product',
  'Example product',
];

/** Why a text that is not a draft cannot be published; null when it can. Continues a sentence about its field. */
export function findDraftPlaceholder(text: string): string | null {
  const found = IN_DRAFTS.find((placeholder) => text.includes(placeholder));
  return found === undefined ? null : `still has "${found}": replace it, or set draft: true`;
}
