/** A quotation or a number that is not in the text that it is from. */
export interface QuotationFault {
  readonly found: string;
  /** The sentence of the source that is nearest to it; empty without a source. */
  readonly there: string;
}

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Names of figures, amounts, percentages and numbers; not the numbers of footnotes. */
const NUMBERS = /\{[a-z]+:[^{}]+\}|(?<!\[\^)[$€£]?\d[\d,]*(?:\.\d+)?%?/g;

/** Parts of a figure's name that change how it is shown and not what it is. */
const SHOWN_AS = /\.(?:rounded|mark|marked|wording)(?=\}$)/;

/** Finds a quotation that is not in its source word for word, marks and spaces aside; null when it is there. */
export function findMisquote(quote: string, source: string): QuotationFault | null {
  const bare = simplify(quote);
  return simplify(source).includes(bare) ? null : { found: bare, there: findNearest(bare, source) };
}

/** Finds the numbers and figures of a summary that its text does not have. Texts are as written, with names of figures. */
export function findMissingNumbers(summary: string, source: string): readonly QuotationFault[] {
  const there = new Set(listNumbers(source));
  for (const [number, word] of WORDS.entries())
    if (new RegExp(`\\b${RegExp.escape(word)}\\b`, 'i').test(source)) there.add(String(number));
  return listNumbers(summary)
    .filter((number) => !there.has(number))
    .map((found) => ({ found, there: findNearest(simplify(summary), source) }));
}

const listNumbers = (text: string): readonly string[] =>
  (text.match(NUMBERS) ?? []).map((number) => number.replace(SHOWN_AS, '').replace(/,$/, ''));

/** Without marks, links, footnotes and ends of lines. */
function simplify(text: string): string {
  return text
    .replace(/\[\^\d+\]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{1,2}|==/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

function findNearest(text: string, source: string): string {
  const wanted = new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
  let nearest = '';
  let most = 0;
  for (const sentence of source.split(/\n|(?<=[.!?])\s/).map(simplify)) {
    const count = new Set(
      (sentence.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => wanted.has(word)),
    ).size;
    if (count <= most) continue;
    nearest = sentence;
    most = count;
  }
  return nearest;
}
