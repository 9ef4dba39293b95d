import { expect, it } from 'vitest';
import { buildMoneyChart } from './money-chart.ts';

it.each([
  [10_000, -6_000],
  [-6_000, 10_000],
  [10_000, 5_000],
])('bars stay within the drawing with %d approved and %d pending', (approved, pending) => {
  const day = { from: '2026-03-02', to: '2026-03-02', reversed: 0, clicks: null, maturity: 1 };
  const { shapes, top } = buildMoneyChart({
    buckets: [{ ...day, approved, pending }],
    currency: 'USD',
    immatureShare: null,
    annotations: [],
    width: 800,
  });
  const bars = shapes.filter(({ variant }) => variant === 'chart-approved' || variant === 'chart-pending');
  expect(bars.length).toBeGreaterThan(0);
  for (const bar of bars) expect(bar.kind === 'rect' && bar.y).toBeGreaterThanOrEqual(top);
});
