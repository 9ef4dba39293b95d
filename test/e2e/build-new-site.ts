import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from '@playwright/test';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { buildOwnFont } from '../support/own-font.ts';
import { NEW_SITE_ROOT } from '../support/site.ts';
import { writeStandingDesks } from '../support/standing-desks.ts';

/** What a clone has of that a build reads; `content` is created. */
const SOURCES = ['src', 'public', 'scripts', 'migrations', 'networks'];
const FILES = ['edge/tools.ts', 'astro.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];

test('a site about desks is created, gets a font of its own and is built like a fresh clone', async () => {
  rmSync(NEW_SITE_ROOT, { recursive: true, force: true });
  mkdirSync(NEW_SITE_ROOT, { recursive: true });
  for (const name of [...SOURCES, ...FILES]) {
    cpSync(path.join(ROOT, name), path.join(NEW_SITE_ROOT, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(NEW_SITE_ROOT, 'node_modules'));
  const run = (file: string, ...args: readonly string[]) =>
    execFileSync(PINNED_NODE, [file, ...args], {
      cwd: NEW_SITE_ROOT,
      stdio: 'pipe',
      env: { ...process.env, CONTENT_DIR: 'content' },
    });
  run('src/commands/main.ts', 'new', 'site', 'Desk & "Chair" Guide');
  const content = path.join(NEW_SITE_ROOT, 'content');
  await writeStandingDesks(content, (kind) =>
    run('src/commands/main.ts', 'new', 'page', kind, '--kind', kind),
  );
  mkdirSync(path.join(content, 'fonts'));
  writeFileSync(path.join(content, 'fonts/own.woff2'), await buildOwnFont());
  const brand = readFileSync(path.join(content, 'brand.yaml'), 'utf8');
  writeFileSync(
    path.join(content, 'brand.yaml'),
    brand.replace('displayFont: bricolage', 'displayFont: ../fonts/own.woff2'),
  );
  run('scripts/build/build.ts');
});
