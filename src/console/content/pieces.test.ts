import { expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { createConsoleSite } from '../console.ts';
import { changePieceState, readPieceState, type StateChange } from './pieces.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
const ARTICLE = '---\ntitle: A\npublishedAt: 2026-03-12\nupdatedAt: 2026-03-13\ndraft: true\n---\nText.\n';
const PAGE = 'title: A\n# Hides it.\ndraft: true\nsections: []\n';

async function create(timeZone = 'Europe/Berlin') {
  const clock = { now: () => NOW, monotonic: () => 0 };
  const site = createConsoleSite(await createTestSite({ clock, settings: { TIME_ZONE: timeZone } }));
  const change = (file: string, text: string, asked: StateChange, fields: Record<string, string> = {}) => {
    return changePieceState(site, { file, text, change: asked, form: fields });
  };
  return { site, change };
}

it('a published draft of an article gets the day of its publication, or keeps its own', async () => {
  const { change } = await create();
  const fresh = '---\ntitle: A\npublishedAt: 2026-03-20\n---\nText.\n';
  expect(change('articles/a.md', ARTICLE, 'publish')).toMatchObject({ text: fresh });
  const dated = ARTICLE.replace('draft: true\n', '');
  expect(change('articles/a.md', ARTICLE, 'publish', { 'keep-date': 'yes' })).toMatchObject({ text: dated });
  expect(change('pages/a.yaml', PAGE, 'publish')).toMatchObject({ text: 'title: A\nsections: []\n' });
});

it.each([
  ['2026-03-28T09:00', 'Europe/Berlin', '2026-03-28T09:00:00+01:00'],
  ['2026-03-29T09:00', 'Europe/Berlin', '2026-03-29T09:00:00+02:00'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
  ['2026-07-01T09:00', 'America/St_Johns', '2026-07-01T09:00:00-02:30'],
])('%s in %s is scheduled for %s', async (local, timeZone, instant) => {
  const { site, change } = await create(timeZone);
  const scheduled = change('pages/a.yaml', PAGE, 'schedule', { 'publish-at': local });
  if ('problem' in scheduled) return expect.fail(scheduled.problem);
  expect(scheduled.text).toMatch(new RegExp(`publishedAt: ["']?${instant.replace('+', '\\+')}`));
  expect(scheduled.text).not.toContain('draft');
  expect(readPieceState(site, 'pages/a.yaml', scheduled.text)).toMatchObject({
    state: 'scheduled',
    time: Date.parse(instant),
    proposed: local,
  });
});

it.each(['2026-03-29T02:30', '2026-02-30T09:00', '2026-03-20T12:59', 'tomorrow', ''])(
  'no piece is scheduled for %s, which does not exist in Berlin or has passed',
  async (local) => {
    const { change } = await create();
    expect(change('pages/a.yaml', PAGE, 'schedule', { 'publish-at': local })).toHaveProperty('problem');
  },
);

it('a piece that is taken down is a draft with all of its other bytes', async () => {
  const { site, change } = await create();
  const published = ARTICLE.replace('draft: true\n', '');
  const down = change('articles/a.md', published, 'take-down');
  if ('problem' in down) return expect.fail(down.problem);
  expect(down.text.replace('draft: true\n', '')).toBe(published);
  expect(readPieceState(site, 'articles/a.md', down.text)?.state).toBe('draft');
  expect(readPieceState(site, 'partners/kit.yaml', 'key: kit\n')).toBeNull();
});
