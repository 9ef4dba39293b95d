import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type Drawing, drawing } from '../../core/pages/sections/drawing.schema.ts';
import { DrawingView } from './drawing.tsx';

/** The texts of a drawing and the classes of its shapes, in their order. */
function render(fields: object) {
  const parsed: Drawing = drawing.parse({ alt: 'A drawing.', ...fields });
  const markup = renderToStaticMarkup(<DrawingView drawing={parsed} />);
  return {
    texts: [...markup.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text),
    shapes: [...markup.matchAll(/<(?:rect|circle) class="([\w-]+)"/g)].map(([, name]) => name),
  };
}

const pairs = (from: string, to: string) =>
  render({
    kind: 'pairs',
    before: 'Before',
    after: 'After',
    rows: [
      { label: 'A', from, to },
      { label: 'B', from, to },
    ],
  });

it.each([
  ['$300', '$97', 'art-green'],
  ['$79', '$97', 'art-navy'],
  ['$97', '$97', 'art-navy'],
])('of two bars, %s and %s, the second is green when it is lower', (from, to, color) => {
  expect(pairs(from, to).shapes).toEqual(['art-blue', color, 'art-blue', color]);
});

it('a bill of one line has the words of its column alone', () => {
  const bill = (label: string, lines: readonly string[]) => ({
    label,
    total: '$100',
    lines: lines.map((line) => ({ label: line, amount: '100' })),
  });
  const { texts } = render({
    kind: 'bills',
    columns: [bill('One', ['Plan']), bill('Two', ['Plan', 'Seats'])],
  });
  expect(texts).toEqual(['$100', 'One', 'Plan', 'Seats', '$100', 'Two']);
});

it('a crop marks the entry of its task alone and says that it is a drawing', () => {
  const parsed = drawing.parse({
    alt: 'A board.',
    kind: 'crop',
    menu: 'Pipelines',
    columns: [
      { label: 'New', entries: ['Repair'] },
      { label: 'Booked', entries: ['Inquiry', 'Offer'] },
    ],
    marked: 'Inquiry',
    items: [{ time: '9:02 am', text: 'Form submitted' }],
  });
  const markup = renderToStaticMarkup(<DrawingView drawing={parsed} />);
  expect([...markup.matchAll(/data-marked="true">([^<]*)/g)].map(([, entry]) => entry)).toEqual(['Inquiry']);
  expect(markup).toContain('Drawing, not a screenshot');
});

it('weeks across the page are drawn twice, longer for wide screens', () => {
  const parsed = drawing.parse({
    alt: 'Jobs.',
    kind: 'weeks',
    unit: 'Week',
    last: 8,
    rows: [
      { label: 'One', from: 0, to: 1 },
      { label: 'Two', from: 1, to: 8 },
    ],
  });
  const widths = (isWide: boolean) =>
    [
      ...renderToStaticMarkup(<DrawingView drawing={parsed} isWide={isWide} />).matchAll(
        /viewBox="0 0 (\d+)/g,
      ),
    ].map(([, width]) => width);
  expect(widths(false)).toEqual(['640']);
  expect(widths(true)).toEqual(['640', '1280']);
});

it('stages have what leads to each, and a dark box at the end', () => {
  const items = [{ label: 'New' }, { label: 'Booked', by: 'a booking' }, { label: 'Won', by: 'a yes' }];
  const { texts, shapes } = render({ kind: 'stages', items });
  expect(texts).toEqual(['New', 'a booking', 'Booked', 'a yes', 'Won']);
  expect(shapes).toEqual(['art-paper', 'art-paper', 'art-navy']);
});
