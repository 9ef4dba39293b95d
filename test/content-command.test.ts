import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { DataFolderSite } from '../src/commands/site.ts';
import { createAddressSite, readAddresses, readContentTexts } from './support/address-site.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';

const PAGE = 'pages/example-product.yaml';
let root: string;
let data: string;
beforeEach(async () => {
  root = createFolder();
  data = createFolder();
  await createAddressSite(root);
});

/** Runs the command; resolves with its output, or with what it complains about after `failed: `. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand('content', words, env());
  return code === 0 ? stdout : `failed: ${stderr}`;
}
const env = () => ({
  CONTENT_DIR: root,
  DATA_DIR: data,
  SITE_URL: 'https://site.example',
  TIME_ZONE: 'UTC',
});
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

async function readVersions(file: string) {
  const site = new DataFolderSite(env(), () => undefined);
  const versions = site.openVersionStore();
  const texts = await versions.readTexts(file, 0, 9);
  await site.close();
  return [...texts.values()];
}

it('renames a page with its redirect, its links and its versions, after it has shown what it would do', async () => {
  const before = readContentTexts(root);
  const preview = await run('rename', PAGE, 'renamed', '--dry-run');
  expect(preview).toMatch(/^Nothing was written. It would be: Renamed: its address is \/renamed\./);
  expect(preview).toContain(`  remove  content/${PAGE}\n`);
  expect(readContentTexts(root)).toEqual(before);
  expect(JSON.parse(await run('rename', `content/${PAGE}`, '/renamed', '--format', 'json'))).toMatchObject({
    message: expect.stringContaining('/example-product leads there from now on.'),
    changes: expect.arrayContaining([
      { file: 'pages/renamed.yaml', change: 'write' },
      { file: PAGE, change: 'remove' },
    ]),
  });
  const { content, problems } = readAddresses(root);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(content?.redirects ?? [])).toEqual({ '/example-product': '/renamed' });
  expect(await readVersions('pages/renamed.yaml')).toEqual([before[PAGE]]);
  expect(await readVersions(PAGE)).toEqual([]);
});

it('publishes nothing that the console would not publish, and says so before it is done', async () => {
  const article = 'articles/how-we-choose.md';
  const draft = read(article).replace('---\n', '---\ndraft: true\n').concat('\nTK\n');
  writeFileSync(path.join(root, article), draft);
  for (const options of [[], ['--dry-run'], ['--at', '2099-01-01T09:00']])
    expect(await run('publish', article, ...options)).toMatch(
      /^failed: .*content\/articles\/how-we-choose\.md: A “TK” is left/,
    );
  expect(read(article)).toBe(draft);
});

it('takes a page down, publishes it again, which ends the redirect, and keeps what it removes', async () => {
  const before = read(PAGE);
  expect(await run('take-down', PAGE)).toMatch(/^failed: Choose the page to which its address leads/);
  expect(await run('draft', PAGE)).toMatch(/^failed: Visitors see \/example-product: use take-down/);
  expect(await run('take-down', PAGE, '--to', '/terms')).toContain('/example-product leads to /terms.');
  expect(await run('publish', PAGE)).toContain('The redirect from /example-product is removed');
  expect(read(PAGE)).toBe(before);
  expect(await run('publish', PAGE, '--at', '2099-01-01T09:00')).toContain(
    'Scheduled for 2099-01-01, 09:00 (UTC)',
  );
  expect(await run('draft', PAGE)).toContain('Taken down');
  expect(await run('remove', PAGE, '--nowhere')).toMatch(/^failed: content\/.* link to it: change the links/);
  const article = 'articles/how-we-choose.md';
  const text = read(article);
  expect(await run('remove', article, '--to', '/blog')).toContain(`  remove  content/${article}\n`);
  expect(await readVersions(article)).toEqual([text]);
});

it.each([
  [['dossier', '/example-product'], /There is no command "dossier"/],
  [['rename', PAGE], /Name the file, and its new name/],
  [['rename', PAGE, 'b', 'c'], /c/],
  [['rename', PAGE, 'b', '--to', '/a'], /--to does not go with rename/],
  [['remove', PAGE, '--to', '/a', '--nowhere'], /Choose one of --to and --nowhere/],
  [['publish', PAGE, '--at', 'tomorrow', '--keep-date'], /Choose one of --at and --keep-date/],
  [['publish', PAGE, '--at', 'tomorrow'], /There is no such time in UTC/],
  [['publish', PAGE, '--format', 'xml'], /--format is text, json/],
  [['publish', 'site.yaml'], /has no state/],
  [['remove', 'site.yaml'], /has no page of its own/],
  [['remove', 'pages/example-prodct.yaml'], /did you mean pages\/example-product.yaml\?/],
  [['remove', '../secret.yaml'], /There is no file/],
  [['unknown', PAGE], /There is no command "unknown"/],
  [['sources', PAGE], /Unexpected argument/],
  [['--dry-run'], /--dry-run does not go with a check/],
])('refuses %j and changes nothing', async (words, problem) => {
  const before = readContentTexts(root);
  const output = await run(...words);
  expect(output).toMatch(/^failed: /);
  expect(output).toMatch(problem);
  expect(readContentTexts(root)).toEqual(before);
});
