import { expect, it } from 'vitest';
import { chartSchema } from './media.schema.ts';

const parse = (values: readonly (number | string)[]) =>
  chartSchema.safeParse({
    type: 'chart',
    kind: 'bars',
    caption: 'Costs',
    unit: '$',
    labelHeading: 'Tool',
    valueHeading: 'Cost',
    items: values.map((value, index) => ({ label: `Tool ${index}`, value })),
  });

it.each([
  ['a negative value', [-1, 2]],
  ['nothing but zeros', [0, '$0']],
])('a chart of %s is refused, because it cannot be drawn', (_, values) => {
  expect(parse(values).success).toBe(false);
});

it('a chart may have a zero beside other values', () =>
  expect(parse([0, '$1,200']).data?.items.map(({ value }) => value)).toEqual([0, 1200]));
