import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import { addMonths, buildPresetRange, listDrawn, listMonths } from './range.ts';

const day = fc.integer({ min: 0, max: 9_500 }).map((days) => addDays('2004-01-01', days));

it('the months of a range have each of its days once', () =>
  forAll(1, [day, fc.integer({ min: 1, max: 800 })], (from, days) => {
    const to = addDays(from, days - 1);
    const months = listMonths({ from, to });
    expect([months[0]?.from, months.at(-1)?.to]).toEqual([from, to]);
    for (const [index, month] of months.entries()) {
      expect([month.from.slice(0, 7), month.to.slice(0, 7)]).toEqual([month.month, month.month]);
      if (index > 0) expect(month.from).toBe(addDays(months[index - 1]?.to ?? '', 1));
    }
  }));

it('a chart of the last 12 months has 12 columns on every day, whole months and the open one', () =>
  forAll(1, [day], (today) => {
    const range = buildPresetRange('12mo', { today, allTime: null, weekStart: 'monday' });
    const drawn = listDrawn(listMonths(range ?? { from: '', to: '' }));
    expect(drawn).toHaveLength(12);
    expect(drawn.every(({ from }) => from.endsWith('-01'))).toBe(true);
    const ends = drawn.slice(0, -1).map(({ from, to }) => addDays(to, 1) === addMonths(from, 1));
    expect(new Set(ends)).toEqual(new Set([true]));
    expect(drawn.at(-1)?.to).toBe(today);
  }));
