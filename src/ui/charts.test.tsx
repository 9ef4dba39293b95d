import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import {
  BarColumns,
  buildPieArcs,
  type ChartItem,
  ChartPlot,
  ChartRows,
  formatChartValue,
  PIE_SHAPE,
} from './charts.tsx';

const ITEMS: readonly ChartItem[] = [
  { label: 'Tools', value: 2400, variant: 'default', detail: '12 on average' },
  { label: 'Platform', value: 300, variant: 'recommended' },
  { label: 'Nothing', value: 0, variant: 'quiet' },
];

const listMatches = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, match]) => match);

it.each(['pie', 'bars', 'efficiency'] as const)('a chart of kind %s has a tooltip for each value', (kind) => {
  const html = renderToStaticMarkup(<ChartPlot kind={kind} items={ITEMS} unit="$" per="a month" />);
  expect(
    listMatches(html, /<p [^>]*hidden="">(.*?)<\/p>/g).map((text) => text?.replace(/<[^>]+>/g, '|')),
  ).toEqual(['|$2,400|Tools, a month|12 on average|', '|$300|Platform, a month', '|$0|Nothing, a month']);
  expect(
    listMatches(html, /fill="(var[^"]+(?:accent|positive|quiet)\))"\/?><(?:\/rect|\/path)><\/g>/g),
  ).toEqual(['var(--accent)', 'var(--positive)', 'var(--chart-quiet)']);
});

it('columns are as high as their share of the highest value, and the pointer meets them in their whole band', () => {
  const html = renderToStaticMarkup(<BarColumns items={ITEMS.slice(0, 2)} />);
  expect(listMatches(html, /<rect ([^>]*) fill=/g)).toEqual([
    'x="0%" width="50%" height="100%"',
    'x="10%" y="0%" width="30%" height="100%"',
    'x="50%" width="50%" height="100%"',
    'x="60%" y="87.5%" width="30%" height="12.5%"',
  ]);
});

it('a loss goes left of a zero line and a gain right, on one scale', () => {
  const items = [
    { label: 'Lost', value: 20, variant: 'quiet', loss: true },
    { label: 'Gained', value: 60, variant: 'default' },
  ] as const;
  const html = renderToStaticMarkup(<ChartPlot kind="efficiency" items={items} unit="%" />);
  expect(listMatches(html, / (x="[^"]*" width="[^"]*")/g)).toEqual([
    'x="0%" width="25%"',
    'x="25%" width="75%"',
    'x="25%" width="2"',
  ]);
  expect(html).toContain('\u221220%');
  expect(html).not.toContain('\u221260%');
});

it('rows are drawn to the highest amount, with their constant part and the line', () => {
  const items = [
    { label: 'Small', value: 50, variant: 'default' },
    { label: 'Large', value: 200, variant: 'recommended' },
  ] as const;
  const html = renderToStaticMarkup(
    <ChartRows
      items={items}
      unit="$"
      headings={['Size', 'Bill']}
      base={{ label: 'Same', value: 40 }}
      rest="Seats"
      line={{ label: 'Plan', value: 100 }}
    />,
  );
  expect(listMatches(html, /<rect (?:y="14%" )?((?:x|width)="[^"]*%")/g)).toEqual(
    ['25%', '20%', 'x', '100%', '20%', 'x'].map((at) => (at === 'x' ? 'x="50%"' : `width="${at}"`)),
  );
  expect(html).toContain('<mark>$200</mark>');
  expect(html).toMatch(/fill="var\(--accent\)"><\/rect><\/svg> Seats/);
  const bare = (
    <ChartRows items={items} unit="$" headings={['Size', 'Bill']} base={undefined} line={undefined} />
  );
  expect(renderToStaticMarkup(bare)).not.toContain('Plan');
});

it.each([
  [2400, '$', '$2,400'],
  [297, '$', '$297'],
  [1_234_567, '$', '$1,234,567'],
  [334.5, '$', '$334.50'],
  [1234.5678, '$', '$1,234.5678'],
  [56, '%', '56%'],
  [12.3456, '%', '12.3456%'],
] as const)('%d %s is shown as %s', (value, unit, text) => expect(formatChartValue(value, unit)).toBe(text));

it('draws rings with inner radius 60, outer radius 100 and gaps of 5 degrees', () =>
  expect(PIE_SHAPE).toEqual({ inner: 60, outer: 100, padding: 5 }));

it('starts a ring at the top and continues clockwise', () => {
  const [first] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 0 });
  expect(first).toBe('M0 -100A100 100 0 0 1 0 100L0 60A60 60 0 0 0 0 -60Z');
});

it('marks an arc of more than half a ring as the large arc', () => {
  const [large, small] = buildPieArcs([73, 27], PIE_SHAPE);
  expect(large).toContain('A100 100 0 1 1');
  expect(small).toContain('A100 100 0 0 1');
});

it('leaves a gap after each sector of a ring', () => {
  const [first, second] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 10 });
  expect(first?.startsWith('M0 -100')).toBe(true);
  // Half of the degrees without gaps plus one gap: the second sector starts at 180 degrees.
  expect(second?.startsWith('M0 100')).toBe(true);
});
