import { ID_PREFIX } from './article-link.ts';
import type { CitedSource, FieldProblem } from './front-matter.schema.ts';

/** A citation at the beginning of a text: `[^2]` refers to the second source of the article. */
export const CITATION = /^\[\^(\d{1,2})\]/;

/** Builds the id of a source in the list at the end of an article, by its number from 1. */
export function buildSourceId(number: number | string): string {
  return `${ID_PREFIX}source-${number}`;
}

/** An amount of money or a percentage. */
const FIGURE = /[$€£]\s?\d|\d%/;

/** Whether a text states amounts or percentages, which readers want to check. */
export function hasFigures(text: string): boolean {
  return FIGURE.test(text);
}

export interface CitingText {
  readonly short?: readonly string[] | undefined;
  readonly sources: readonly CitedSource[];
  readonly body: string;
  /** Line of the file in which the body begins, from 1. */
  readonly bodyLine: number;
  /** Finds the line of the file in which a value of the front matter begins, from 1. */
  readonly findLine: (path: readonly (string | number)[]) => number;
}

/** Finds citations of sources that an article does not list, and listed sources that it does not cite, by their lines. */
export function findCitationProblems(text: CitingText): FieldProblem[] {
  const { short = [], sources, body, bodyLine, findLine } = text;
  const citations = [
    ...short.flatMap((line, index) =>
      listCitations(line).map(({ number }) => ({ number, find: () => findLine(['short', index]) })),
    ),
    ...listCitations(body).map(({ number, line }) => ({ number, find: () => bodyLine + line })),
  ];
  const has = sources.length === 0 ? 'which has no entries' : `which has ${sources.length}`;
  const unknown = citations.filter(({ number }) => sources[number - 1] === undefined);
  const cited = new Set(citations.map(({ number }) => number));
  return [
    ...unknown.map(({ number, find }) => ({
      field: `line ${find()}`,
      reason: `cites [^${number}], an entry of sources, ${has}`,
    })),
    ...sources.flatMap((_, index) =>
      cited.has(index + 1)
        ? []
        : [
            {
              field: `line ${findLine(['sources', index])}`,
              reason: `lists a source that the text does not cite: write [^${index + 1}] where it is used`,
            },
          ],
    ),
  ];
}

const FENCE = /^ {0,3}(```|~~~)/;

/** Lists the citations of a Markdown text by line, from 0, without those in code. */
function listCitations(markdown: string): { readonly number: number; readonly line: number }[] {
  let isCode = false;
  return markdown.split('\n').flatMap((text, line) => {
    if (FENCE.test(text)) isCode = !isCode;
    if (isCode) return [];
    const found = text.replace(/`[^`]*`/g, '').matchAll(/(?<!\\)\[\^(\d{1,2})\]/g);
    return [...found].map(([, number]) => ({ number: Number(number), line }));
  });
}
