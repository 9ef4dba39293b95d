import { expect, it } from 'vitest';
import { boundProblems } from './content.ts';

const list = (count: number, file = 'pages/a.yaml') =>
  Array.from({ length: count }, (_, at) => ({ file, field: `line ${at}`, reason: 'is wrong' }));

it('names each problem once, and the first hundred of a file in their order', () => {
  expect(boundProblems([...list(3), ...list(3)])).toEqual(list(3));
  expect(boundProblems(list(101))).toEqual(list(100));
  const other = list(1, 'site.yaml');
  expect(boundProblems([...list(150), ...other])).toEqual([...list(100), ...other]);
  expect(
    boundProblems([
      { field: 'body', reason: 'is long' },
      { field: 'body', reason: 'is long' },
    ]),
  ).toHaveLength(1);
});
