import { expect, it } from 'vitest';
import { buildFlow } from './build-flow.ts';
import { buildMoneyChart } from './money-chart.ts';

it.each([
  [10_000, -6_000],
  [-6_000, 10_000],
  [10_000, 5_000],
])('bars stay within the drawing with %d approved and %d pending', (approved, pending) => {
  const day = { from: '2026-03-02', to: '2026-03-02', paid: 700, reversed: 0, clicks: null, maturity: 1 };
  const { shapes, top } = buildMoneyChart({
    buckets: [{ ...day, approved, pending }],
    currency: 'USD',
    immatureShare: null,
    annotations: [],
    toHref: () => null,
    width: 800,
  });
  const bars = shapes.filter(({ variant }) =>
    ['chart-paid', 'chart-approved', 'chart-pending'].includes(variant),
  );
  expect(bars.length).toBeGreaterThan(0);
  for (const bar of bars) expect(bar.kind === 'rect' && bar.y).toBeGreaterThanOrEqual(top);
});

const path = (weight: number, ...steps: readonly string[]) => ({ key: steps.join(' > '), steps, weight });

/** Names of the bars of a column from top to bottom. */
function listBars(flow: ReturnType<typeof buildFlow>, column: number): readonly string[] {
  return flow.nodes
    .filter((node) => node.column === column)
    .toSorted((one, other) => one.y - other.y)
    .map(({ name }) => name);
}

it('bars are ordered by where their paths come from', () => {
  const flow = buildFlow([
    path(5, 'a', 'y', 'kit'),
    path(4, 'b', 'x', 'kit'),
    path(3, 'a', 'z', 'kit'),
    path(9, 'w', 'kit'),
  ]);
  expect(listBars(flow, 0)).toEqual(['a', 'b']);
  expect(listBars(flow, 1)).toEqual(['y', 'z', 'x', 'w']);
  expect(listBars(flow, 2)).toEqual(['kit']);
});

it('areas between the same bars do not cross', () => {
  const flow = buildFlow([path(1, 'a', 'y', 'kit'), path(4, 'b', 'x', 'kit'), path(3, 'a', 'x', 'kit')]);
  const arrivals = flow.links
    .map(({ shape }) => /^M(\S+) (\S+)C\S+ \S+ \S+ \S+ (\S+) (\S+?)V/.exec(shape)?.slice(1).map(Number) ?? [])
    .filter(([left = 0]) => left > 100)
    .toSorted(([, one = 0], [, other = 0]) => one - other)
    .map(([, , , end]) => end);
  expect(arrivals).toEqual(arrivals.toSorted((one = 0, other = 0) => one - other));
  expect(arrivals).toHaveLength(3);
});
