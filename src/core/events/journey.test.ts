import { describe, expect, it } from 'vitest';
import { enterJourney, type Journey, parseJourney, parseLeftPages, readSessionSeconds } from './journey.ts';

const show = (record: unknown, path: string, now: number): Journey =>
  enterJourney(record, { path, now, referrer: '', userAgent: 'Browser/1' });
const entry = show(null, '/blog', 1_600_001_000_000);

describe('the journey record', () => {
  it('begins with exactly the fields of the specification', () =>
    expect(entry).toEqual({
      entryPage: '/blog',
      entryTime: 1_600_001_000_000,
      currentPage: '/blog',
      pageVisits: ['/blog'],
      timeSpent: 0,
      referrer: 'direct',
      userAgent: 'Browser/1',
    }));

  it('keeps where the visitor came from', () => {
    const page = { path: '/', now: 1, referrer: 'https://search.test/', userAgent: 'x' };
    const first = enterJourney(null, page);
    expect(enterJourney(first, { ...page, referrer: 'https://hub.test/' }).referrer).toBe(
      'https://search.test/',
    );
  });

  it('follows the visit, with every page once', () => {
    const second = show(entry, '/blog/crm-basics', 1_600_001_004_000);
    const third = show(JSON.parse(JSON.stringify(second)), '/blog', 1_600_001_009_500);
    expect(third).toEqual({
      ...entry,
      currentPage: '/blog',
      pageVisits: ['/blog', '/blog/crm-basics'],
      timeSpent: 9500,
    });
  });

  it.each([
    ['back a day', -86_400_000],
    ['back a second', -1000],
  ])('keeps the time spent, and counts on, when the clock goes %s', (_, jump) => {
    const before = show(entry, '/a', 1_600_001_010_000);
    const after = show(before, '/b', 1_600_001_010_000 + jump);
    expect(after.timeSpent).toBe(10_000);
    expect(readSessionSeconds(after, 1_600_001_010_000 + jump + 5000)).toBe(15);
    expect(show(after, '/c', 1_600_001_010_000 + jump + 5000).timeSpent).toBe(15_000);
  });

  it('never gives negative seconds', () => expect(readSessionSeconds(entry, 0)).toBe(0));

  it('keeps 100 pages', () => {
    const paths = Array.from({ length: 150 }, (_, n) => `/p${n}`);
    const long = paths.reduce((journey, path) => show(journey, path, 1_600_002_000_000), entry);
    expect(long.pageVisits).toHaveLength(100);
    expect(long.currentPage).toBe('/p149');
  });

  const broken: readonly (readonly [string, unknown])[] = [
    ['nothing', null],
    ['a number', 5],
    ['a list', ['/blog']],
    ['no entry page', { ...entry, entryPage: undefined }],
    ['an entry elsewhere', { ...entry, entryPage: '//evil.test' }],
    ['no entry time', { ...entry, entryTime: 'soon' }],
  ];
  it.each(broken)('starts over when storage has %s', (_, record) => {
    expect(show(record, '/blog', 1_600_001_000_000)).toEqual(entry);
    expect(parseJourney(record)).toBeNull();
  });

  it('replaces fields that were edited', () => {
    const record = { ...entry, pageVisits: ['/blog', 'javascript:x', 7, '/b'], timeSpent: -5, referrer: 1 };
    expect(show(record, '/b', 1_600_001_000_000)).toEqual({
      ...entry,
      currentPage: '/b',
      pageVisits: ['/blog', '/b'],
    });
    const worse = { ...entry, pageVisits: 'x', timeSpent: {}, currentPage: '//x' };
    expect(parseJourney(worse)).toEqual(entry);
  });

  it('is read back as it was stored', () => {
    const later = show(entry, '/help', 1_600_001_005_000);
    expect(parseJourney(JSON.parse(JSON.stringify(later)))).toEqual(later);
  });
});

const PAGE = {
  now: 1,
  path: '/blog',
  query: '?utm_source=a',
  referrer: '',
  userAgent: '',
  isShownAgain: false,
};

it('parses the pages that were left, in their order', () =>
  expect(parseLeftPages({ left: [PAGE, { ...PAGE, path: '/' }] })).toEqual([PAGE, { ...PAGE, path: '/' }]));

it('drops pages that an edited record has damaged', () => {
  const damaged = [null, 5, 'x', {}, { ...PAGE, now: 'x' }, { ...PAGE, path: '//other.example' }];
  expect(parseLeftPages({ left: [...damaged, PAGE] })).toEqual([PAGE]);
});

it.each([null, undefined, 5, 'x', {}, { left: 5 }, { left: null }])('finds no pages in %j', (record) =>
  expect(parseLeftPages(record)).toEqual([]),
);
