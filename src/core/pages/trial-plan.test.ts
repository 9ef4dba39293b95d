import { expect, it } from 'vitest';
import { pageSchema } from './page.schema.ts';
import { buildPlanCalendar, findPlan } from './trial-plan.ts';

const buildPage = (whens: readonly string[]) =>
  pageSchema.parse({
    title: 'Trial',
    description: 'A description of this page that is long enough to be one in search results.',
    sections: [
      { type: 'timeline', items: whens.map((when) => ({ when, title: `Do ${when}`, text: 'A, b; c.' })) },
    ],
  });

it('finds the first timeline that counts days, and skips one that counts weeks', () => {
  const pages = [buildPage(['Week 1', 'Week 2']), buildPage(['Day 1', 'Days 3-5'])];
  expect(findPlan(pages)?.map(({ from, to }) => [from, to])).toEqual([
    [1, 1],
    [3, 5],
  ]);
  expect(findPlan([buildPage(['Week 1', 'Days 3-5'])])).toBeNull();
});

it('writes all-day events that end on the day after their last, with escaped and folded text', () => {
  const stages = [{ from: 3, to: 5, title: 'First campaign', text: `One, two; three\n${'é'.repeat(60)}` }];
  const text = buildPlanCalendar(stages, Date.UTC(2026, 11, 30), 'hub.example');
  expect(text).toContain('DTSTART;VALUE=DATE:20270101\r\nDTEND;VALUE=DATE:20270104\r\n');
  expect(text).toContain('DESCRIPTION:One\\, two\\; three\\n');
  const octets = text.split('\r\n').map((line) => new TextEncoder().encode(line).length);
  expect(Math.max(...octets)).toBeLessThanOrEqual(75);
});
