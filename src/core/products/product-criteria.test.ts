import { describe, expect, it } from 'vitest';
import { findCriteriaFaults } from './compare.ts';
import { type Answer, describePoints } from './product.ts';

const answer = (...answers: readonly Answer[]) => answers;

it.each([
  [answer('yes', 'yes', 'yes', 'yes', 'yes'), '5/5'],
  [answer('partly', 'partly', 'yes', 'partly', 'no'), '2.5/5'],
  [answer('no', 'no', 'open', 'no', 'yes'), '1/5, 1 open'],
  [answer('no', 'no'), '0/2'],
  [answer('open', 'no'), '0/2, 1 open'],
  [answer('open', 'open'), 'open'],
])('the points of %j are %s', (answers, shown) => expect(describePoints(answers)).toBe(shown));

describe('a table rates each product by the same questions', () => {
  const build = (...keys: readonly string[]) => ({
    criteria: { value: Object.fromEntries(keys.map((key) => [key, {}])) },
  });
  const find = (questions: Record<string, string> | undefined, ...products: readonly object[]) => {
    const named = new Map(products.map((product, index) => [`p${index}`, Object(product)]));
    const section = { products: ['p0', 'p1'], criteria: [{ key: 'value', questions }] };
    return findCriteriaFaults(section, named).map(({ path, reason }) => `${path.join('.')}: ${reason}`);
  };

  it('in any order', () => {
    expect(find({ a: 'A?', b: 'B?' }, build('a', 'b'), build('b', 'a'))).toEqual([]);
    expect(find(undefined, build('a'), build('a'))).toEqual([]);
  });

  it('and names what is missing', () => {
    expect(find({ a: 'A?', b: 'B?' }, build('a', 'b'), build('a'))).toEqual([
      'criteria.0.questions: "p1" answers a of value, not a, b',
    ]);
    expect(find(undefined, build('a'), build('b'))).toEqual([
      'criteria.0.key: "p1" answers b of value, not a',
    ]);
    expect(find(undefined, { criteria: {} }, { criteria: {} })).toHaveLength(2);
    expect(find(undefined, build('a'))).toEqual(['criteria.0.key: "p1" answers no question of value, not a']);
  });
});
