import type { Source } from './product.ts';

/** How documents answer a question: a point, half a point, none, or no document that answers it. */
export const ANSWERS = ['yes', 'partly', 'no', 'open'] as const;
export type Answer = (typeof ANSWERS)[number];

/** The answer to one question of a criterion, with the document that gives it; `open` has none. */
export interface CriterionAnswer {
  readonly key: string;
  readonly answer: Answer;
  readonly why?: string | undefined;
  readonly source?: Source | undefined;
}

const POINTS: Readonly<Record<Answer, number>> = { yes: 1, partly: 0.5, no: 0, open: 0 };

/** The points of a criterion as shown: `2.5/5`, `1/5, 1 open`, and `open` without any answer. */
export function describePoints(answers: readonly { readonly answer: Answer }[]): string {
  const points = answers.reduce((sum, { answer }) => sum + POINTS[answer], 0);
  const open = answers.filter(({ answer }) => answer === 'open').length;
  if (open === answers.length) return 'open';
  return `${points}/${answers.length}${open === 0 ? '' : `, ${open} open`}`;
}

/** Finds criteria that are not rated by the same questions for every product of a table. */
export function findCriteriaFaults(
  section: {
    readonly products: readonly string[];
    readonly criteria: readonly {
      readonly key: string;
      readonly questions?: Record<string, string> | undefined;
    }[];
  },
  products: ReadonlyMap<
    string,
    { readonly criteria: Readonly<Record<string, readonly { readonly key: string }[]>> }
  >,
): readonly { readonly path: readonly (string | number)[]; readonly reason: string }[] {
  const list = (product: string, criterion: string) =>
    (products.get(product)?.criteria[criterion] ?? []).map(({ key }) => key).sort();
  return section.criteria.flatMap(({ key, questions }, index) => {
    const wanted = questions === undefined ? list(section.products[0] ?? '', key) : Object.keys(questions);
    return section.products.flatMap((product, at) => {
      if (!products.has(product))
        return { path: ['products', at], reason: `no product is called "${product}", or it is a draft` };
      const found = list(product, key);
      if (found.length > 0 && found.join() === [...wanted].sort().join()) return [];
      const path = ['criteria', index, questions === undefined ? 'key' : 'questions'];
      const answers = found.join(', ') || 'nothing';
      return { path, reason: `criteria.${key} of "${product}" answers ${answers}, not ${wanted.join(', ')}` };
    });
  });
}
