import type { Product } from './product.ts';

/** How documents answer a question: a point, half a point, none, or no document that answers it. */
export const ANSWERS = ['yes', 'partly', 'no', 'open'] as const;
export type Answer = (typeof ANSWERS)[number];

/** The points of a criterion as shown: `2.5/5`, `1/5, 1 open`, and `open` without any answer. */
export function describePoints(answers: readonly Answer[]): string {
  const count = (wanted: Answer) => answers.filter((answer) => answer === wanted).length;
  const open = count('open');
  if (open === answers.length) return 'open';
  return `${count('yes') + count('partly') / 2}/${answers.length}${open === 0 ? '' : `, ${open} open`}`;
}

/** Finds criteria that are not rated by the same questions for every product of a table. */
export function findCriteriaFaults(
  section: {
    readonly products: readonly string[];
    readonly criteria: readonly { key: string; questions?: Record<string, string> | undefined }[];
  },
  products: ReadonlyMap<string, { readonly criteria: Product['criteria'] }>,
) {
  const list = (product = '', criterion: string) =>
    Object.keys(products.get(product)?.criteria[criterion] ?? {}).sort();
  return section.criteria.flatMap(({ key, questions }, index) => {
    const wanted = questions === undefined ? list(section.products[0], key) : Object.keys(questions).sort();
    return section.products.flatMap((product) => {
      const found = list(product, key);
      if (found.length > 0 && found.join() === wanted.join()) return [];
      const reason = `"${product}" answers ${found.join(', ') || 'no question'} of ${key}, not ${wanted.join(', ')}`;
      return { path: ['criteria', index, questions === undefined ? 'key' : 'questions'], reason };
    });
  });
}
