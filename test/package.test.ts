/** @module-tag rest */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ensurePackage } from '../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { createFolder } from './support/create-folder.ts';

let folder = '';
const at = (name: string) => path.join(folder, name);
const env = { PATH: path.dirname(PINNED_NODE), PORT: '0' };
const run = (...words: readonly string[]) =>
  spawnSync(PINNED_NODE, [at('node_modules/signpost/scripts/start/signpost.mjs'), ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });

/** Unpacks the package as npm does. */
function install(): void {
  ensurePackage();
  folder = createFolder();
  mkdirSync(at('node_modules/signpost'), { recursive: true });
  const [file = ''] = readdirSync(path.join(ROOT, 'release')).filter((name) => name.startsWith('signpost-'));
  const words = [
    'xzf',
    path.join(ROOT, 'release', file),
    '-C',
    at('node_modules/signpost'),
    '--strip-components=1',
  ];
  expect(spawnSync('tar', words).status).toBe(0);
  for (const name of ['sharp', '@img', 'detect-libc', 'semver', '@resvg'])
    symlinkSync(path.join(ROOT, 'node_modules', name), at(`node_modules/${name}`));
}

it('begins the folder of a site, which says what to do when its installation is not whole', () => {
  install();
  const tools = createFolder();
  // npm without a registry.
  writeFileSync(
    path.join(tools, 'npm'),
    `#!/bin/sh\nmkdir -p node_modules/.bin && ln -s '${at('node_modules')}'/[!.]* node_modules/ && : > node_modules/.bin/signpost`,
    { mode: 0o755 },
  );
  const site = path.join(createFolder(), 'desks');
  const words = ['scripts/create.mjs', site, '--name', 'Desks', '--no-start'];
  const search = [tools, env.PATH, '/usr/bin', '/bin'].join(path.delimiter);
  const made = spawnSync(PINNED_NODE, words, {
    cwd: ROOT,
    env: { PATH: search, PORT: '4400' },
    encoding: 'utf8',
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(readFileSync(path.join(site, '.env'), 'utf8')).toMatch(/^PORT=4400$/m);
  expect(readFileSync(path.join(site, 'README.md'), 'utf8')).toContain('http://localhost:4400;');
  expect(readFileSync(path.join(site, 'signpost.service'), 'utf8')).toContain(`WorkingDirectory=${site}\n`);
  const { scripts, config } = JSON.parse(readFileSync(path.join(site, 'package.json'), 'utf8'));
  // As npm runs it.
  const check = () =>
    spawnSync('sh', ['-c', scripts.prestart], {
      cwd: site,
      env: { PATH: search, npm_package_config_check: config.check },
      encoding: 'utf8',
    });
  const refusal = { status: 1, stderr: 'The installation was interrupted: npm ci repairs it.\n' };
  expect(check()).toMatchObject(refusal);
  rmSync(path.join(site, 'node_modules/.bin/signpost'));
  expect(check()).toMatchObject(refusal);
  writeFileSync(path.join(site, 'node_modules/.bin/signpost'), '1');
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});

it('has the commands, begins a site with at most 16 files beside the schema, serves it, and names no path of the machine', async () => {
  install();
  expect(run('links', '--help').stdout).toMatch(/^Usage:\n {2}npx signpost links check /);
  expect(run('--help').stdout).toMatch(/^Usage:\n {2}npx signpost NAME /);
  expect(run('new', 'site', 'Desks', '--currency', 'EUR').stderr).toBe('');
  const files = readdirSync(at('content'), { recursive: true, withFileTypes: true });
  expect(
    files.filter((entry) => entry.isFile() && entry.name !== 'page.schema.json').length,
  ).toBeLessThanOrEqual(16);
  expect(readFileSync(at('content/site.yaml'), 'utf8')).toContain('Desks');
  const words = [at('node_modules/signpost/scripts/start/signpost.mjs'), 'serve'];
  const child = spawn(PINNED_NODE, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const address = await new Promise<string>((resolve) => {
    child.stdout.on('data', (part) => {
      const [found] = /http:\S+/.exec(String(part)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const read = async () => (await fetch(address)).text();
  expect(await read()).toContain('Desks');
  // Drawn by the site itself, of its own name.
  await expect
    .poll(read, { timeout: 60_000, interval: 1_000 })
    .toMatch(/og:image" content="[^"]*\/og\/home\.[0-9a-f]{10}\.png"/);
  // What docs/beside.md lets a person copy.
  expect(existsSync(at('node_modules/signpost/beside/wordpress/signpost-beside.php'))).toBe(true);
  const built = globSync(at('node_modules/signpost/{dist,edge/dist}/server/**/*.mjs'));
  const texts = built.map((name) => readFileSync(name, 'utf8'));
  expect(built.filter((_, index) => texts[index]?.includes(ROOT))).toEqual([]);
  // Nor the value of a variable of the environment, of which shells set `_`.
  expect(texts.filter((text) => /\b_: "\//.test(text))).toEqual([]);
}, 120_000);
