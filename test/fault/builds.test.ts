import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepFormerFiles, nameBuild, switchBuild } from '../../scripts/build/builds.ts';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { createFolder } from '../support/create-folder.ts';
import { startSite } from '../support/site.ts';

const PAGES = [
  '/',
  '/blog',
  '/assessment',
  '/help',
  '/nothing-here',
  '/console',
  '/feed.xml',
  '/sitemap.xml',
];

/** A product whose build can be replaced. */
function copyProduct(): string {
  const root = createFolder();
  for (const name of ['migrations', 'networks', 'node_modules', 'src', 'content', 'package.json'])
    symlinkSync(path.join(ROOT, name), path.join(root, name));
  const name = nameBuild(1_000);
  cpSync(path.join(ROOT, 'dist/'), path.join(root, name), { recursive: true, dereference: true });
  symlinkSync(name, path.join(root, 'dist'));
  return root;
}

/** A build of other sources: nothing has the name that it had. */
function buildAnother(root: string, time: number): string {
  const name = nameBuild(time);
  const [client, server] = ['client', 'server'].map((part) => path.join(root, name, part));
  if (client === undefined || server === undefined) throw new Error('two folders');
  mkdirSync(path.join(client, '_astro'), { recursive: true });
  mkdirSync(server);
  writeFileSync(path.join(client, '_astro', `script.${time}.js`), String(time));
  writeFileSync(path.join(server, 'main.mjs'), '');
  return path.join(root, name);
}

it('a server that runs serves everything while it is built anew, and is not ended by it', {
  tags: ['rest'],
}, async () => {
  const root = copyProduct();
  const site = await startSite({ root });
  onTestFinished(() => site.remove());
  const scripts = readdirSync(path.join(root, 'dist/client/_astro')).filter((name) =>
    /\.(js|css)$/.test(name),
  );
  for (const time of [2_000, 3_000]) {
    const build = buildAnother(root, time);
    keepFormerFiles(path.join(root, 'dist'), build, time);
    switchBuild(root, path.basename(build));
  }
  const addresses = [...PAGES, ...scripts.map((name) => `/_astro/${name}`)];
  const responses = await Promise.all(
    addresses.map(async (address) => [address, (await fetch(site.url + address)).status]),
  );
  expect(responses.filter(([, status]) => Number(status) >= 500)).toEqual([]);
  expect(
    responses
      .filter(([address]) => String(address).startsWith('/_astro/'))
      .every(([, status]) => status === 200),
  ).toBe(true);
  expect(site.output()).not.toContain('uncaught');
});

it('hashed files of the two builds before are served for seven days after they were replaced', () => {
  const root = createFolder();
  const day = 24 * 3_600_000;
  const has = (name: string) => existsSync(path.join(root, 'dist/client/_astro', `script.${name}.js`));
  const build = (time: number) => {
    const made = buildAnother(root, time);
    keepFormerFiles(path.join(root, 'dist'), made, time);
    switchBuild(root, path.basename(made));
  };
  for (const time of [day, 2 * day, 3 * day, 4 * day]) build(time);
  expect([1, 2, 3, 4].map((count) => has(String(count * day)))).toEqual([false, true, true, true]);
  // The third was replaced on the fourth day, so it has to be there until the eleventh.
  build(10.5 * day);
  expect([2, 3, 4, 10.5].map((count) => has(String(count * day)))).toEqual([false, true, true, true]);
  build(30 * day);
  expect([4, 10.5, 30].map((count) => has(String(count * day)))).toEqual([false, true, true]);
});

it('a build in a folder of an earlier version leaves the modules of the server that runs', () => {
  const root = createFolder();
  mkdirSync(path.join(root, 'dist/server'), { recursive: true });
  writeFileSync(path.join(root, 'dist/server/page_1.mjs'), 'one');
  for (let time = 1; time <= 7; time++) switchBuild(root, path.basename(buildAnother(root, time * 1_000)));
  expect(readdirSync(root).filter((name) => name.startsWith('dist-'))).toHaveLength(5);
  rmSync(path.join(root, 'dist'));
  cpSync(buildAnother(root, 8_000), path.join(root, 'dist'), { recursive: true });
  writeFileSync(path.join(root, 'dist/server/page_1.mjs'), 'one');
  switchBuild(root, path.basename(buildAnother(root, 9_000)));
  expect(readFileSync(path.join(root, 'dist/server/page_1.mjs'), 'utf8')).toBe('one');
});
