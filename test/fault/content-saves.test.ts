import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { ImageFolder } from '../../src/content-files/image-folder.ts';
import { hashText } from '../../src/content-files/parse-yaml.ts';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { IS_FULL_LENGTH, KILL_ROUNDS, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { createFolder, createSmallContent } from '../support/create-folder.ts';
import { listPlaces } from '../support/image-places.ts';
import { buildLongPage } from '../support/long-page.ts';
import { limitFileSize } from '../support/process.ts';
import { startSite } from '../support/site.ts';

const PAGE = 'pages/saved.yaml';
/** Most of a save is to check it, so that few kills meet the moment of writing. */
const SAVE_ROUNDS = IS_FULL_LENGTH ? 200 : 2;
const WRITING_ROUNDS = IS_FULL_LENGTH ? 200 : 4;

/** Starts a program of `test/support` that saves as often as it can. */
function startSaving(program: string, ...words: readonly string[]) {
  const script = path.resolve(import.meta.dirname, '../support', program);
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, ended, readOutput: () => output };
}

function createContent(): string {
  const root = createFolder();
  createSmallContent(root);
  mkdirSync(path.join(root, 'pages'), { recursive: true });
  return root;
}

it('finds the old or the new file, never half of one, whenever the process that saves is killed', async () => {
  const root = createContent();
  const random = createChance(SEED + 5);
  for (let round = 0; round < SAVE_ROUNDS; round++) {
    const saving = startSaving('save-content.ts', root, String(round * 1000 + 1));
    const before = saving.readOutput;
    await expect.poll(before, { interval: 5 }).toContain('saved');
    await sleep(random() * 100);
    saving.child.kill('SIGKILL');
    await saving.ended;
    const text = readFileSync(path.join(root, PAGE), 'utf8');
    const version = Number(/^title: Version (\d+)$/m.exec(text)?.[1]);
    expect(text).toBe(buildLongPage(version));
    const acknowledged = saving
      .readOutput()
      .trim()
      .split('\n')
      .map((line) => Number.parseInt(line, 10));
    // What was acknowledged is on the disk; the next version may be as well.
    expect(version).toBeGreaterThanOrEqual(Math.max(...acknowledged));
  }
  expect(readdirSync(path.join(root, 'pages')).filter((name) => name.endsWith('.tmp')).length).toBeLessThan(
    2,
  );
});

it('finds whole images and a list of whole files, whenever the process that uploads them is killed', {
  tags: ['rest'],
}, async () => {
  const root = createFolder();
  const places = listPlaces(root);
  mkdirSync(places.source, { recursive: true });
  writeFileSync(places.builtList, '{}');
  const list = path.join(places.converted, 'images.json');
  const readWhole = (file: string) => sharp(file).stats();
  const listShown = () => [
    ...new Set(
      [...readFileSync(list, 'utf8').matchAll(/\/images\/(photo\.[\w.-]+)/g)].map(([, name = '']) => name),
    ),
  ];
  const random = createChance(SEED + 6);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const uploading = startSaving('save-image.ts', root);
    await expect.poll(uploading.readOutput, { interval: 5 }).toContain('shown');
    await sleep(random() * 1_000);
    uploading.child.kill('SIGKILL');
    await uploading.ended;
    await readWhole(path.join(places.source, 'photo.jpg'));
    expect(listShown().length).toBeGreaterThan(1);
    for (const name of listShown()) await readWhole(path.join(places.converted, name));
  }
  const folder = new ImageFolder(places);
  onTestFinished(() => folder.close());
  await folder.refresh();
  expect(folder.readProblems()).toEqual([]);
  // Nothing is left of the images before, and of files that were being written.
  expect(readdirSync(places.converted).sort()).toEqual(['images.json', ...listShown()].sort());
  expect(readdirSync(places.source).filter((name) => name.endsWith('.tmp')).length).toBeLessThan(2);
});

it('leaves the file as it is and says why when the disk is full', async () => {
  const root = createContent();
  writeFileSync(path.join(root, PAGE), buildLongPage(0));
  const saving = startSaving('save-content.ts', root, '1');
  limitFileSize(saving.child.pid ?? 0, 1000);
  await expect.poll(saving.readOutput).toContain('The disk is full. Nothing was changed');
  limitFileSize(saving.child.pid ?? 0, 'unlimited');
  const failed = saving.readOutput().length;
  await expect.poll(() => saving.readOutput().slice(failed)).toContain('saved');
  saving.child.kill('SIGKILL');
  await saving.ended;
  const text = readFileSync(path.join(root, PAGE), 'utf8');
  expect(text).toBe(buildLongPage(Number(/^title: Version (\d+)$/m.exec(text)?.[1])));
});

const HEAD = `---
title: A piece that is being written
excerpt: What somebody writes while the server is killed, long enough for the list of articles.
categories: [Tests]
publishedAt: 2026-01-01
draft: true
---
`;
const publish = (text: string) => text.replace('draft: true\n', '');
const SHOWN = publish(`${HEAD}What readers see.\n`);
/** A text after so many changes, which fills several pages of the database. */
const buildBody = (number: number) =>
  `Change ${number}.\n\n${`Written ${number} times. `.repeat(800).trim()}`;
const setBody = (text: string, number: number) =>
  `${text.slice(0, text.lastIndexOf('---\n') + 4)}${buildBody(number)}\n`;

/** What the page of a piece in a browser knows: the changes that were made, and those that the server has stored. */
const openPiece = (file: string, text: string) => ({
  file,
  text,
  opened: hashText(text),
  made: 0,
  stored: 0,
  isAsked: false,
  isPublished: false,
});
type Piece = ReturnType<typeof openPiece>;

/** A site whose operator writes until the server is killed. */
async function startWriting() {
  const site = await startSite({ contentEdits: { 'articles/shown.md': () => SHOWN } });
  onTestFinished(() => site.remove());
  const { cookie } = await openConsoleSite(site);
  const address = (file: string) => `${site.url}/console/content/${file}`;
  const open = async (file: string) => (await fetch(address(file), { headers: { cookie } })).text();
  const token = /name="token" value="([^"]+)"/.exec(await open('articles/shown.md'))?.[1] ?? '';
  let publishMs = 500;
  const post = async (file: string, fields: Readonly<Record<string, string>>) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams({ ...fields, token });
    const response = await fetch(address(file), { method: 'POST', headers, body, redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  };
  /** Changes a piece again and again until the server is gone; publishes it after `changes`. */
  const write = async (piece: Piece, changes = Number.POSITIVE_INFINITY) => {
    const { file, opened } = piece;
    await open(file);
    for (const last = piece.made + changes; piece.made < last; ) {
      piece.made += 1;
      const form = { action: 'keep', page: 'one', number: String(piece.made), opened, follows: '' };
      const { status, text } = await post(file, { ...form, body: buildBody(piece.made) });
      expect([status, text]).toEqual([200, expect.stringContaining(`"stamp":"one ${piece.made}"`)]);
      piece.stored = piece.made;
    }
    piece.isAsked = true;
    const form = { action: 'publish', 'keep-date': 'yes', opened, draft: setBody(HEAD, piece.made) };
    const began = performance.now();
    expect((await post(file, form)).status).toBe(303);
    publishMs = performance.now() - began;
    piece.isPublished = true;
  };
  return { site, open, write, publishMs: () => publishMs };
}

/** Compares what the database of the console has of a piece with what its page knows, and with its file. */
async function expectWhole(
  { site, open }: Awaited<ReturnType<typeof startWriting>>,
  piece: Piece,
  shown: string,
) {
  const page = await open(piece.file);
  const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { readOnly: true });
  const copy = database.prepare('SELECT number, text FROM working_copies WHERE file = ?').get(piece.file);
  const sql = 'SELECT number, hash, text FROM content_versions WHERE file = ? ORDER BY number';
  const versions = database.prepare(sql).all(piece.file);
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  expect(check).toEqual({ integrity_check: 'ok' });
  // What was stored ends with the publishing, as early as the file is there.
  if (copy !== undefined || shown === piece.text) {
    const { number } = z.object({ number: z.number().min(piece.stored) }).parse(copy);
    expect(copy?.['text']).toBe(setBody(piece.text, number));
    if (shown === piece.text) expect(page).toContain(`Change ${number}.`);
    piece.made = Math.max(number, piece.made);
  }
  const texts = versions.map(({ text }) => text);
  expect(texts.join('\n\n')).toBe([...new Set([piece.text, shown])].join('\n\n'));
  for (const [index, { number, hash, text }] of versions.entries())
    expect([number, hash]).toEqual([index + 1, hashText(String(text))]);
}

it('loses and shows nothing, whenever the server is killed while somebody writes and publishes', {
  tags: ['rest'],
}, async () => {
  const writing = await startWriting();
  const { site, write, publishMs } = writing;
  const shown = openPiece('articles/shown.md', SHOWN);
  const outcomes = { draft: 0, published: 0, unanswered: 0 };
  const random = createChance(SEED + 7);
  for (let round = 0; round < WRITING_ROUNDS; round++) {
    const draft = openPiece(`articles/piece-${round}.md`, `${HEAD}Nothing yet.\n`);
    writeFileSync(path.join(site.contentDir, draft.file), draft.text);
    const ends = [write(shown), write(draft, 1 + Math.floor(random() * 5))].map((end) =>
      end.catch((error: unknown) => expect(String(error)).toMatch(/fetch failed|terminated/)),
    );
    const isNear = () => draft.isAsked || (round % 3 === 0 && draft.stored > 0);
    await expect.poll(isNear, { interval: 5 }).toBe(true);
    await sleep(random() * 2 * publishMs());
    await site.kill();
    await Promise.all(ends);
    const read = (file: string) => readFileSync(path.join(site.contentDir, file), 'utf8');
    expect(read(shown.file)).toBe(SHOWN);
    const published = publish(setBody(HEAD, draft.made));
    const isPublished = draft.isPublished || (draft.isAsked && read(draft.file) === published);
    expect(read(draft.file)).toBe(isPublished ? published : draft.text);
    outcomes[draft.isPublished ? 'published' : isPublished ? 'unanswered' : 'draft'] += 1;
    await site.start();
    await expectWhole(writing, shown, SHOWN);
    await expectWhole(writing, draft, isPublished ? published : draft.text);
    const visit = async (address: string) => (await fetch(site.url + address)).text();
    expect(await visit('/blog/shown')).not.toContain('Written');
    if (!isPublished)
      for (const address of ['/blog', '/feed.json', '/sitemap-articles.xml'])
        expect(await visit(address)).not.toContain(`/blog/piece-${round}`);
    expect((await fetch(`${site.url}/blog/piece-${round}`)).status).toBe(isPublished ? 200 : 404);
  }
  if (IS_FULL_LENGTH) console.log(`killed while writing: ${JSON.stringify(outcomes)}, ${shown.made} changes`);
});
