/** @module-tag rest */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildWxr } from '../support/build-wxr.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { listPieces, PIECES, repeatPiece } from '../support/hostile-input.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';

/** Nobody waits longer for a view while the text of another operator is read. */
const MAX_WAIT_MS = 1_000;
const PAUSE_MS = 30;
const ARTICLE = '---\ntitle: x\nexcerpt: y\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\n';

let site: Site;
let cookie: string;
let token: string;
beforeAll(async () => {
  site = await startSite();
  ({ cookie } = await openConsoleSite(site));
  token =
    /name="token" value="([^"]+)"/.exec(await (await get('/console/content/pages/help.yaml')).text())?.[1] ??
    '';
  expect(token).not.toBe('');
});
afterAll(() => site.remove());

const get = (address: string) => fetch(site.url + address, { headers: { cookie }, redirect: 'manual' });
async function post(address: string, fields: Readonly<Record<string, string | File>>): Promise<number> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ token, ...fields })) body.set(name, value);
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const response = await fetch(site.url + address, { method: 'POST', body, headers, redirect: 'manual' });
  await response.text();
  return response.status;
}

/** Where an operator can send a foreign text: the pieces that it is made of, and its form. */
const FORMS: Readonly<Record<string, readonly [pieces: string, send: (piece: string) => Promise<number>]>> = {
  'a page': [
    PIECES.yaml,
    (piece) =>
      post('/console/content/pages/help.yaml', {
        action: 'check',
        view: 'text',
        opened: 'x',
        draft: `title: x\nb: ${repeatPiece(piece, 1_000_000)}`,
      }),
  ],
  'an article': [
    PIECES.markdown,
    (piece) =>
      post('/console/content/articles/what-is-gohighlevel.md', {
        action: 'check',
        view: 'text',
        opened: 'x',
        draft: ARTICLE + repeatPiece(piece, 1_000_000),
      }),
  ],
  'the preview of an article': [
    PIECES.markdown,
    (piece) =>
      post('/console/content/articles/what-is-gohighlevel.md', {
        action: 'preview',
        view: 'text',
        opened: 'x',
        draft: ARTICLE + repeatPiece(piece, 300_000),
      }),
  ],
  'an image': [
    PIECES.svg,
    (piece) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${repeatPiece(piece, 700_000)}`;
      const name = randomUUID();
      return post('/console/content/images', {
        action: 'add-image',
        alt: 'x',
        name,
        file: new File([svg], 'a.svg'),
      });
    },
  ],
  'a post of another site': [
    `${PIECES.html}§${PIECES.shortcodes}`,
    (piece) => moveIn(buildWxr([{ id: 1, slug: 'x', content: repeatPiece(piece, 2_000_000) }])),
  ],
  'another site': [
    PIECES.wordpress,
    (piece) => moveIn(`<rss><channel><wp:wxr_version>1.2</wp:wxr_version>${repeatPiece(piece, 5_000_000)}`),
  ],
  'a report': [
    PIECES.csv,
    (piece) => upload('/console/partners/import', piece, { action: 'upload', partner: 'highlevel' }),
  ],
  costs: [
    PIECES.csv,
    (piece) => upload('/console/campaigns/costs', piece, { action: 'upload-costs', platform: 'google' }),
  ],
  'exchange rates': [PIECES.csv, (piece) => upload('/console/settings', piece, { action: 'import-rates' })],
};
const moveIn = (xml: string) =>
  post('/console/settings/move-in', { action: 'upload-site', file: new File([xml], 'x.xml'), links: '' });
const upload = (address: string, piece: string, fields: Readonly<Record<string, string>>) =>
  post(address, {
    currency: 'USD',
    timeZone: 'UTC',
    dates: '',
    ...fields,
    file: new File([repeatPiece(piece, 10_000_000)], 'x.csv'),
  });

const texts = Object.entries(FORMS).flatMap(([name, [pieces, send]]) =>
  listPieces(pieces).map((piece) => ({ name, piece, send })),
);
const chosen = texts.filter((_, index) => IS_FULL_LENGTH || index % Math.ceil(texts.length / 12) === 0);

it.each(chosen)(
  'reads $name with $piece without end, while other views wait for less than a second',
  { tags: ['measures'] },
  async ({ send, name, piece }) => {
    const scale = watchMachine();
    const sending = send(piece);
    let isDone = false;
    const done = sending.finally(() => {
      isDone = true;
    });
    let longest = 0;
    while (!isDone) {
      for (const address of ['/console/content/pages/help.yaml?view=text', '/console/week', '/help']) {
        const began = performance.now();
        const response = await get(address);
        await response.text();
        longest = Math.max(longest, performance.now() - began);
        expect([address, response.status]).toEqual([address, 200]);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    // It is taken, or refused in a page.
    expect([name, piece, (await done) < 500]).toEqual([name, piece, true]);
    expect(longest).toBeLessThan(scale(MAX_WAIT_MS));
  },
);
