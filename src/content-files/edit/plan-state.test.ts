import { expect, it } from 'vitest';
import { readSampleProducts, readSampleSite } from '../../../test/support/sample-content.ts';
import type { Content } from '../../core/pages/content.ts';
import { Piece } from './piece.ts';
import { planPiece } from './plan-piece.ts';
import { keepState, planState, type StateWish } from './plan-state.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
const ARTICLE = '---\ntitle: A\npublishedAt: 2026-03-12\nupdatedAt: 2026-03-13\ndraft: true\n---\nText.\n';
const PAGE = 'title: A\n# Hides it.\ndraft: true\nsections: []\n';

const BERLIN = { now: NOW, timeZone: 'Europe/Berlin' };

const plan = (file: string, text: string, wish: StateWish, time: typeof BERLIN) => {
  const stated = planState(new Piece(file, text), wish, time);
  return 'piece' in stated ? { ...stated, text: stated.piece.text } : stated;
};
const keep = (file: string, text: string, current: string) =>
  keepState(new Piece(file, text), new Piece(file, current));

it.each([
  ['pages/a.yaml', 'draft: true\n', true],
  ['products/a.yaml', 'draft: true\n', true],
  ['assessment.yaml', 'draft: true\n', true],
  ['articles/a.md', '---\ndraft: true\n---\nText.\n', true],
  ['articles/a.md', '---\ntitle: A\n---\ndraft: true\n', false],
  ['pages/a.yaml', 'draft: false\n', false],
  ['pages/a.yaml', 'draft: "true"\n', false],
  ['pages/a.yaml', 'draft: 1\n', false],
  ['pages/a.yaml', 'title: A\n', false],
  ['pages/a.yaml', 'draft: true\n  a: [', false],
  // Visitors see these in any case.
  ['partners/a.yaml', 'draft: true\n', false],
  ['authors/a.yaml', 'draft: true\n', false],
  ['site.yaml', 'draft: true\n', false],
])('of %s with the text %j, it says: a draft is %s', (file, text, expected) => {
  expect(new Piece(file, text).isDraft).toBe(expected);
});

it('a published draft of an article gets the day of its publication, or keeps its own', () => {
  const publish = (file: string, text: string, keepsDate = false) =>
    plan(file, text, { kind: 'publish', keepsDate }, BERLIN);
  const fresh = '---\ntitle: A\npublishedAt: 2026-03-20\n---\nText.\n';
  expect(publish('articles/a.md', ARTICLE)).toMatchObject({ text: fresh });
  const dated = ARTICLE.replace('draft: true\n', '');
  expect(publish('articles/a.md', ARTICLE, true)).toMatchObject({ text: dated });
  expect(publish('pages/a.yaml', PAGE)).toMatchObject({ text: 'title: A\nsections: []\n' });
});

it.each([
  ['updatedAt: 2026-03-13\ndraft: true\n', '', 'publishedAt: 2026-03-20\n'],
  ['unpublishAt: 2026-03-19\n', 'draft: false\n', 'publishedAt: 2026-03-20\ndraft: false\n'],
  [
    'updatedAt: 2026-03-21\n',
    'unpublishAt: 2027-01-01\n',
    'publishedAt: 2026-03-20\nupdatedAt: 2026-03-21\nunpublishAt: 2027-01-01\n',
  ],
])('an earlier text with %j keeps the state of %j', (old, now, expected) => {
  const write = (title: string, fields: string) => `---\ntitle: ${title}\n${fields}---\n${title}\n`;
  const earlier = write('Old', `publishedAt: 2026-03-12\n${old}`);
  const current = write('Now', `publishedAt: 2026-03-20\n${now}`);
  expect(keep('articles/a.md', earlier, current)).toMatchObject({ text: write('Old', expected) });
});

it.each(['- a\n', 'a', 'title: ['])('gives %j no state: it is no mapping', (text) => {
  const piece = new Piece('pages/a.yaml', text);
  expect([piece.values, piece.readState(BERLIN)]).toEqual([null, null]);
  expect(piece.set({ draft: true })).toHaveProperty('problem');
  expect(plan('pages/a.yaml', text, { kind: 'take-down' }, BERLIN)).toHaveProperty('problem');
});

it('keeps what has no state or cannot be read as it was', () => {
  expect(keep('partners/a.yaml', 'draft: true\n', 'name: A\n')).toMatchObject({ text: 'draft: true\n' });
  expect(keep('pages/a.yaml', PAGE, 'title: [')).toMatchObject({ text: PAGE });
  expect(keep('pages/a.yaml', 'title: [', PAGE)).toMatchObject({ text: 'title: [' });
});

it.each([
  ['2026-03-28T09:00', 'Europe/Berlin', '2026-03-28T09:00:00+01:00'],
  ['2026-03-29T09:00', 'Europe/Berlin', '2026-03-29T09:00:00+02:00'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
  ['2026-07-01T09:00', 'America/St_Johns', '2026-07-01T09:00:00-02:30'],
])('%s in %s is scheduled for %s', (local, timeZone, instant) => {
  const time = { now: NOW, timeZone };
  const scheduled = plan('pages/a.yaml', PAGE, { kind: 'schedule', at: local }, time);
  if ('problem' in scheduled) return expect.fail(scheduled.problem);
  expect(scheduled.text).toMatch(new RegExp(`publishedAt: ["']?${instant.replace('+', '\\+')}`));
  expect(scheduled.text).not.toContain('draft');
  expect(new Piece('pages/a.yaml', scheduled.text).readState(time)).toMatchObject({
    state: 'scheduled',
    time: Date.parse(instant),
    proposed: local,
  });
});

it.each(['2026-03-29T02:30', '2026-02-30T09:00', '2026-03-20T12:59', 'tomorrow', ''])(
  'no piece is scheduled for %s, which does not exist in Berlin or has passed',
  (local) => {
    expect(plan('pages/a.yaml', PAGE, { kind: 'schedule', at: local }, BERLIN)).toHaveProperty('problem');
  },
);

it('a piece that is taken down is a draft with all of its other bytes', () => {
  const published = ARTICLE.replace('draft: true\n', '');
  const down = plan('articles/a.md', published, { kind: 'take-down' }, BERLIN);
  if ('problem' in down) return expect.fail(down.problem);
  expect(down.text.replace('draft: true\n', '')).toBe(published);
  expect(new Piece('articles/a.md', down.text).readState(BERLIN)?.state).toBe('draft');
  expect(new Piece('partners/kit.yaml', 'key: kit\n').readState(BERLIN)).toBeNull();
});

it('a draft that compares products begins with those that its title names, in its order', () => {
  const content = {
    site: readSampleSite(),
    products: readSampleProducts(),
    partners: new Map(),
    networks: new Map(),
  } as unknown as Content;
  const wish = {
    link: '',
    shop: '',
    role: '',
    bio: '',
    network: '',
    parameter: '',
    kind: 'page' as const,
  };
  const title = 'Kit or ActiveCampaign';
  expect(planPiece(content, new Set(), { ...wish, title, pattern: 'versus' }, NOW)).toMatchObject({
    text: expect.stringContaining('products: [kit, activecampaign]'),
  });
  // A roundup of a site with two products has no third one.
  const products = new Map([...content.products].slice(0, 2));
  const own = { ...content, products };
  expect(planPiece(own, new Set(), { ...wish, title, pattern: 'roundup' }, NOW)).toMatchObject({
    text: expect.not.stringMatching(/(?:first|second|third)-product/),
  });
});
