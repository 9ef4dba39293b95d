import { describe, expect, it } from 'vitest';
import { createJourney, parseJourney, readSessionSeconds, visitPage } from './journey.ts';

const entry = createJourney({ path: '/blog', now: 1_000_000, referrer: '', userAgent: 'Browser/1' });

describe('the journey record', () => {
  it('begins with exactly the fields of the specification', () => {
    expect(entry).toEqual({
      entryPage: '/blog',
      entryTime: 1_000_000,
      currentPage: '/blog',
      pageVisits: ['/blog'],
      timeSpent: 0,
      referrer: 'direct',
      userAgent: 'Browser/1',
    });
  });

  it('follows the visit, with every page once', () => {
    const second = visitPage(entry, '/blog/crm-basics', 1_004_000);
    const third = visitPage(second, '/blog', 1_009_500);
    expect(third).toEqual({
      ...entry,
      currentPage: '/blog',
      pageVisits: ['/blog', '/blog/crm-basics'],
      timeSpent: 9500,
    });
  });

  it('survives storage', () => {
    expect(parseJourney(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
  });

  it.each([
    ['back a day', -86_400_000],
    ['back a second', -1000],
  ])('keeps the time spent, and counts on, when the clock goes %s', (_, jump) => {
    const before = visitPage(entry, '/a', 1_010_000);
    const after = visitPage(before, '/b', 1_010_000 + jump);
    expect(after.timeSpent).toBe(10_000);
    expect(readSessionSeconds(after, 1_010_000 + jump + 5000)).toBe(15);
    expect(visitPage(after, '/c', 1_010_000 + jump + 5000).timeSpent).toBe(15_000);
  });

  it('never gives negative seconds', () => {
    expect(readSessionSeconds(entry, 0)).toBe(0);
  });

  it('keeps 100 pages', () => {
    const long = Array.from({ length: 150 }, (_, n) => `/p${n}`).reduce(
      (j, path) => visitPage(j, path, 2_000_000),
      entry,
    );
    expect(long.pageVisits).toHaveLength(100);
    expect(long.currentPage).toBe('/p149');
  });

  it.each([
    ['nothing', null],
    ['a number', 5],
    ['no entry page', { ...entry, entryPage: undefined }],
    ['an entry elsewhere', { ...entry, entryPage: '//evil.test' }],
    ['no entry time', { ...entry, entryTime: 'soon' }],
  ])('is none when storage holds %s', (_, record) => {
    expect(parseJourney(record)).toBeNull();
  });

  it('mends fields that were edited', () => {
    const record = {
      ...entry,
      pageVisits: ['/blog', 'javascript:x', 7, '/b'],
      timeSpent: -5,
      currentPage: {},
      referrer: 1,
    };
    expect(parseJourney(record)).toEqual({ ...entry, pageVisits: ['/blog', '/b'] });
    expect(parseJourney({ ...entry, pageVisits: 'x', timeSpent: Number.NaN })).toEqual(entry);
  });
});
