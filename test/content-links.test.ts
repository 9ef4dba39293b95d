import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createSiteFolder } from '../src/commands/new.ts';
import type { LinkRecord } from '../src/core/outbound/link-state.ts';
import { noteFirstStart, readFirstStart } from '../src/stores/last-backup.ts';
import { createFolder } from './support/create-folder.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';

let folder: string;
let content: string;
beforeEach(() => {
  folder = createFolder();
  content = path.join(folder, 'content');
  createSiteFolder({ name: 'Desks', folder: content, day: '2026-11-01' });
});

/** Replaces a text of a content file. */
function edit(file: string, from: string, to: string): void {
  const name = path.join(content, file);
  const text = readFileSync(name, 'utf8');
  expect(text).toContain(from);
  writeFileSync(
    name,
    text.replace(from, () => to),
  );
}

/** What `signpost content` and the launch check say, without the texts that are still to be written. */
async function check(name: 'content' | 'launch-check' = 'content'): Promise<string> {
  const { stdout, stderr } = await runCommand(name, [], { CONTENT_DIR: content, DATA_DIR: folder });
  expect(stderr).toBe('');
  return stdout.replace(/^\[(?:copy|rules)\].*\n(?: {2}.*\n)*/gm, '');
}

const LINK = '[affiliate disclosure](/affiliate-disclosure)';
const IN_PAGE = ['pages/terms.yaml', `as the ${LINK}`, 'as the '] as const;
const IN_ARTICLE = ['articles/how-we-choose.md', `The ${LINK}`, 'The '] as const;
const IN_BIO = ['authors/editorial-desk.yaml', 'Found a mistake?', ''] as const;

it.each<[place: readonly [file: string, from: string, to: string], link: string, fault: string]>([
  [IN_PAGE, '[x](/contact)', ''],
  [IN_PAGE, '[x](/contcat)', 'leads to /contcat, which does not exist; did you mean /contact?'],
  [IN_ARTICLE, '[x](/contact)', ''],
  [IN_ARTICLE, '[x](/contcat)', 'how-we-choose.md the link /contcat points to no page of the site'],
  [IN_PAGE, '[x](#liability)', ''],
  [IN_PAGE, '[x](#liabilty)', 'leads to #liabilty, but no section or heading of this page has this id'],
  [IN_PAGE, '[x](/privacy#no-such-part)', 'leads to #no-such-part, but no section or heading of /privacy'],
  [IN_ARTICLE, '[x](#the-questions-we-ask)', ''],
  [IN_ARTICLE, '[x](#the-questions)', 'the link #the-questions points to no heading'],
  [IN_ARTICLE, '[x](https://en.wikipedia.org/wiki/Desk)', ''],
  [IN_ARTICLE, '[x](http://en.wikipedia.org/wiki/Desk)', 'is not https'],
  [IN_PAGE, '[x](partner:pricing)', 'cta: is missing: the page has links to a partner'],
  [IN_BIO, '[x](partner:pricing)', ''],
  [IN_ARTICLE, '[x](/go/example?page=pricing)', ''],
  [IN_ARTICLE, '[x](https://www.example.com/pricing)', ''],
  [IN_ARTICLE, '[x](https://go.network.example/c/1)', 'leads to Example Product and is neither marked'],
  [IN_PAGE, '[x](https://go.network.example/c/1)', 'links to a partner by its address'],
  [IN_BIO, '[x](https://shop.example/?ref=your-code)', 'links to a partner by its address'],
])('signpost content checks the link in %j to %s', async ([file, from, to], link, fault) => {
  edit('partners/example.yaml', 'subId: null', 'subId: null\nwatch: { redirectHosts: [go.network.example] }');
  edit(file, from, `${to}${link} `);
  const found = await check();
  if (fault === '') expect(found).toBe('');
  else expect(found).toContain(fault);
});

it.each([
  ['/old: /terms', ''],
  ['/old: /tems', 'leads to /tems, which does not exist'],
  ['/terms/: /privacy', 'must not end with a slash'],
  ['/old: /older, /older: /terms', 'leads to /older, which is an alias itself'],
])('signpost content checks the aliases { %s }', async (aliases, fault) => {
  edit('site.yaml', 'aliases: {}', `aliases: { ${aliases} }`);
  const found = await check();
  if (fault === '') expect(found).toBe('');
  else expect(found).toContain(fault);
});

it('signpost content takes a redirect and a link to the own address of an article', async () => {
  edit('articles/how-we-choose.md', '---\n', '---\naddress: /Größe/2024/how.html\n');
  mkdirSync(path.join(content, 'redirects'), { recursive: true });
  const targets = ['/Größe/2024/how.html', '/Gr%C3%B6%C3%9Fe/2024/how.html?a=1', '/blog/how-we-choose'];
  const write = (more: readonly string[]) =>
    writeFileSync(
      path.join(content, 'redirects/own.csv'),
      ['from,to', ...[...targets, ...more].map((to, index) => `/old-${index},${to}`), ''].join('\n'),
    );
  write([]);
  edit(IN_PAGE[0], IN_PAGE[1], `as [we choose](${targets[0]}) and the ${LINK}`);
  expect(await check()).toBe('');
  write(['/no/where']);
  expect(await check()).toContain('/old-3 leads to /no/where, which does not exist');
});

it('signpost content lists a page to which no other one links', async () => {
  const page = readFileSync(path.join(content, 'pages/terms.yaml'), 'utf8');
  writeFileSync(path.join(content, 'pages/imprint.yaml'), page);
  expect(await check()).toBe('[links] 1 without a link from another page:\n  content/pages/imprint.yaml\n');
  edit(IN_ARTICLE[0], IN_ARTICLE[1], 'The [imprint](/imprint), the disclosure');
  expect(await check()).toBe('');
});

it('content and launch check name a check that is not stored, until it is', async () => {
  const id = 'lc-20261103-9f2c61aa';
  edit('products/example.yaml', 'checked: 2026-11-01', `checked: 2026-11-01\n    check: ${id}`);
  edit('claims/site.yaml', 'checked: 2026-11-01', `check: ${id}`);
  const warnings = [
    `content/products/example.yaml: sources.pricing.check: no check ${id} with evidence is stored`,
    `content/claims/: promise-paid.check: no check ${id} with evidence is stored`,
  ];
  for (const warning of warnings) expect(await check()).toContain(`[checks] warning: ${warning}`);
  const launch = await check('launch-check');
  for (const warning of warnings) expect(launch.replace(/ {2,}/g, ': ')).toContain(warning);
  const { links } = openLedgerDatabase(folder, () => undefined);
  const found = { finalHost: 'example.com', finalPath: '/pricing', parameterKept: null };
  const url = 'https://example.com/pricing';
  const offer = { excerpt: '$20', hash: 'h', prices: [] };
  const record: LinkRecord = {
    url,
    state: 'healthy',
    reason: 'in order',
    since: 1,
    checkedAt: 1,
    dueAt: 2,
    misses: 0,
    missedSince: null,
    baseline: found,
    evidence: { id, checkedAt: 1, address: url, offer },
    result: { ...found, outcome: 'ok', reason: 'in order', hops: [], offer },
  };
  await links.write(record, { id, isChange: true });
  expect(await check()).toBe('');
  expect(await check('launch-check')).not.toContain(id);
});

it('the launch check names articles that are older than the first start, unless they were elsewhere before', async () => {
  let written = '2026-11-01';
  const day = (text: string) => {
    edit('articles/how-we-choose.md', `publishedAt: ${written}`, `publishedAt: ${text}`);
    written = text;
  };
  const names = async () => (await check('launch-check')).match(/how-we-choose: \S+/)?.[0] ?? '';
  day('2026-11-24');
  // Never started: nothing is known.
  expect(await names()).toBe('');
  noteFirstStart(folder, Date.parse('2026-11-25T12:00:00Z'));
  // The second start changes nothing.
  noteFirstStart(folder, Date.parse('2026-12-25T12:00:00Z'));
  expect(readFirstStart(folder)).toBeLessThanOrEqual(Date.parse('2026-11-25T12:00:00Z'));
  expect(await names()).toBe('how-we-choose: 2026-11-24');
  day('2026-11-25');
  expect(await names()).toBe('');
  day('2026-11-24\naddress: /2024/how-we-choose');
  expect(await names()).toBe('');
});

it('signpost content refuses an expected price that nothing on the site states', async () => {
  const watch = (equals: string) =>
    `subId: null\nwatch: { expect: { pricing: { prices: [{ equals: ${equals}, near: Basic }] } } }`;
  edit('partners/example.yaml', 'subId: null', watch('product:example.basic'));
  expect(await check()).toBe('');
  edit('partners/example.yaml', 'product:example.basic', 'product:example.basci');
  expect(await check()).toContain('no offer of a product is called "product:example.basci"');
  edit('partners/example.yaml', 'product:example.basci', 'claim:promise-paid');
  expect(await check()).toContain('no claim with a price is called "claim:promise-paid"');
});
