/** An amount of money in a sentence or a table row that names a product. */
export interface NamedAmount {
  /** As written, for example `$1,300`. */
  readonly amount: string;
  /** The name of the product. */
  readonly product: string;
  /** Line of the text, from 1. */
  readonly line: number;
  /** Whether its sentence or row cites a source, or it is labeled as an example or an assumption. */
  readonly isExplained: boolean;
}

const AMOUNT = /(?:[$€£]\s?\d[\d,]*(?:\.\d+)?)/g;
/** Words of a sentence, its paragraph or the heading above that say that a figure is not a price of the product. */
const LABEL = /\b(exampl|assum|suppose|imagin|illustrat|sample|say,)/i;
const CITATION = /\[\^\d+\]/;

/**
 * Finds the amounts next to a product that nothing explains: they are not among `known`, the figures of products, totals and
 * claims, their sentence or row cites no source (`[^1]`), and neither it, its paragraph nor the heading above says that it is
 * an example or an assumption.
 */
export function findLooseAmounts(
  text: string,
  products: readonly string[],
  known: ReadonlySet<string>,
): readonly NamedAmount[] {
  return listNamedAmounts(text, products).filter(
    ({ amount, isExplained }) => !isExplained && !known.has(amount) && !known.has(trimZeros(amount)),
  );
}

/** `$97.00` is `$97`. */
export const trimZeros = (amount: string) => amount.replace(/\.00$/, '');

/** Lists the amounts in sentences and table rows that name one of `products`. */
export function listNamedAmounts(text: string, products: readonly string[]): readonly NamedAmount[] {
  const found: NamedAmount[] = [];
  let line = 1;
  let heading = '';
  for (const block of text.split(/\n[ \t]*\n/)) {
    if (/^#{1,6} /.test(block)) heading = block;
    const isLabeled = LABEL.test(block) || LABEL.test(heading);
    for (const { sentence, at } of listSentences(block)) {
      const product = products.find((name) => hasWord(sentence, name));
      if (product === undefined) continue;
      const isExplained = isLabeled || CITATION.test(sentence);
      for (const [amount] of sentence.matchAll(AMOUNT)) {
        found.push({ amount: amount.replace(/\s|,$/g, ''), product, line: line + at, isExplained });
      }
    }
    line += block.split('\n').length + 1;
  }
  return found;
}

/** The sentences of a paragraph, or the rows of a table, with their line in it, from 0. */
function listSentences(block: string): readonly { readonly sentence: string; readonly at: number }[] {
  const separator = /^\|/m.test(block) ? /\n/g : /(?<=[.!?:][)*"]?)\s+(?=[A-Z*$[])/g;
  let start = 0;
  const ends = [...block.matchAll(separator)].map(({ index }) => index);
  return [...ends, block.length].map((end) => {
    const at = countLines(block.slice(0, start));
    const sentence = block.slice(start, end);
    start = end + 1;
    return { sentence, at };
  });
}

const countLines = (text: string) => text.split('\n').length - 1;

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))) return true;
  }
  return false;
}
