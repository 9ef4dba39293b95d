import { expect, it } from 'vitest';
import { parseFrontMatter } from './front-matter.schema.ts';

const GOOD = {
  title: 'What per-seat pricing costs',
  excerpt: 'The sum, line by line.',
  categories: ['CRM Strategy', 'Pricing'],
  tags: ['pricing'],
  publishedAt: '2026-03-12',
};

const SOURCE = {
  title: 'Prices',
  url: 'https://a.example/pricing',
  date: '2026-11-21',
  supports: 'The price.',
};

it('reads a head and makes instants of its dates', () => {
  const parsed = parseFrontMatter({ ...GOOD, updatedAt: '2026-03-12T10:00:00+02:00' });
  expect(parsed).toMatchObject({
    front: { publishedAt: '2026-03-12T00:00:00.000Z', updatedAt: '2026-03-12T08:00:00.000Z', draft: false },
  });
});

it('reads an address of its own and what search engines and shares get', () => {
  const settings = {
    index: false,
    canonicalUrl: 'http://original.example/a',
    socialTitle: 'Shared',
    socialDescription: 'Shared text.',
  };
  expect(parseFrontMatter({ ...GOOD, ...settings, address: '/größe/' })).toMatchObject({
    front: { ...settings, address: '/gr%C3%B6%C3%9Fe/' },
  });
  expect(parseFrontMatter(GOOD)).toMatchObject({ front: { index: true } });
});

it('reads a log from the day of the publication on', () => {
  const updates = [{ date: '2026-03-12', text: 'One.', corrected: true }];
  expect(parseFrontMatter({ ...GOOD, updates })).toMatchObject({ front: { updates } });
});

it('reads three lines in short, dated sources and what was checked', () => {
  const evidence = {
    short: ['One.', 'Two.', 'Three.'],
    sources: [SOURCE, { ...SOURCE, date: '2026-11' }],
    checked: { date: '2026-11-21', what: 'prices' },
  };
  expect(parseFrontMatter({ ...GOOD, ...evidence })).toMatchObject({ front: evidence });
});

it.each([
  [{ ...GOOD, short: ['One.', 'Two.'] }, 'short', 'needs 3 lines'],
  [{ ...GOOD, sources: [{ ...SOURCE, url: 'http://a.example' }] }, 'source 1, field url', /https/],
  [{ ...GOOD, sources: [{ ...SOURCE, url: 'javascript:alert(1)' }] }, 'source 1, field url', /https/],
  [{ ...GOOD, sources: [{ ...SOURCE, date: '2026' }] }, 'source 1, field date', /a day or a month/],
  [{ ...GOOD, sources: [{ ...SOURCE, date: '2026-13' }] }, 'source 1, field date', /calendar/],
  [{ ...GOOD, sources: [{ ...SOURCE, supports: '' }] }, 'source 1, field supports', 'is empty'],
  [{ ...GOOD, sources: Array(7).fill(SOURCE) }, 'sources', 'has more than 6 sources'],
  [{ ...GOOD, checked: { date: 'today', what: 'prices' } }, 'checked.date', /calendar/],
  [{ ...GOOD, updates: [{ date: '2026-03-11', text: 'One.' }] }, 'updates', 'has a day before publishedAt'],
  [{ ...GOOD, updates: [{ date: 'today', text: 'One.' }] }, 'update 1, field date', /must be a day/],
  [{ ...GOOD, updates: [{ date: '2026-03-12' }] }, 'update 1, field text', /is missing/],
  [{ ...GOOD, address: 'a' }, 'address', /^must be a path such as/],
  [{ ...GOOD, address: '/a?p=1' }, 'address', /^must be a path such as/],
  [{ ...GOOD, index: 'no' }, 'index', 'must be true or false'],
  [{ ...GOOD, canonicalUrl: 'ftp://a.example/' }, 'canonicalUrl', /http or https/],
  [{ ...GOOD, canonicalUrl: '/a' }, 'canonicalUrl', /http or https/],
  [{ ...GOOD, title: undefined }, 'title', 'is missing'],
  [{ ...GOOD, title: 7 }, 'title', 'must be text'],
  [{ ...GOOD, title: ' ' }, 'title', 'is empty'],
  [{ ...GOOD, title: 'two\nlines' }, 'title', 'must be one line without control characters'],
  [{ ...GOOD, categories: [] }, 'categories', 'needs the topic'],
  [{ ...GOOD, categories: 'CRM' }, 'categories', 'must be a list'],
  [{ ...GOOD, tags: ['---'] }, 'tag 1', 'needs a letter or a digit'],
  [{ ...GOOD, publishedAt: 'soon' }, 'publishedAt', /must be a date such as/],
  [{ ...GOOD, publishedAt: '2026-02-30' }, 'publishedAt', 'is not a day of the calendar'],
  [{ ...GOOD, updatedAt: '2026-03-11' }, 'updatedAt', 'is before publishedAt'],
  [{ ...GOOD, unpublishAt: '2026-03-12' }, 'unpublishAt', 'is not after publishedAt'],
  [{ ...GOOD, draft: 'yes' }, 'draft', 'must be true or false'],
  [{ ...GOOD, partner: 'A B' }, 'partner', 'must be a partner key'],
  [{ ...GOOD, catgories: [] }, 'catgories', 'is not a known field'],
  [{ ...GOOD, image: { alt: 'x' } }, 'image.src', 'is missing'],
  [{ ...GOOD, image: { src: 7, alt: 'x' } }, 'image.src', 'must be text'],
  [{ ...GOOD, image: { src: '../images/x.png' } }, 'image.alt', /^is missing: it says what the image shows/],
  [{ ...GOOD, image: { src: '../images/x.png', alt: ' ' } }, 'image.alt', /^is empty: it says/],
  [{ ...GOOD, image: { src: '../images/x.png', alt: 'x', focus: 'top' } }, 'image.focus', /such as 30% 70%/],
  [{ ...GOOD, image: { src: '../images/x.png', alt: 'x', focus: '30% 170%' } }, 'image.focus', /two percent/],
  [{ ...GOOD, image: { src: '../images/x.png', alt: 'x', motif: 'bars' } }, 'image.motif', /`image.src`/],
])('names the field and the reason: %#', (head, field, reason) => {
  const parsed = parseFrontMatter(head);
  const problems = 'problems' in parsed ? parsed.problems : [];
  expect(problems).toHaveLength(1);
  expect(problems[0]?.field).toBe(field);
  expect(problems[0]?.reason).toMatch(reason);
});

it('reports everything that is wrong at once', () => {
  const parsed = parseFrontMatter(null);
  expect('problems' in parsed && parsed.problems.map((problem) => problem.field)).toEqual(
    'title excerpt categories publishedAt'.split(' '),
  );
});
