import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVE_FLAGS } from '../src/runtimes/node/v8-flags.mjs';

const FLAG =
  /--(?:max-semi-space-size|semi-space-growth-factor|heap-growing-percent|v8-pool-size|optimize-for-size|max-old-space-size)\b/;
const FLAGS = new RegExp(`${FLAG.source}(?:=\\d+)?`, 'g');

it('has the flags of V8 in one module, and those of serving in the container and the unit of systemd', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const found = files.filter(
    (file) =>
      !/^docs\/|^test\/v8-flags|\.(?:png|webp|woff2|sqlite)$/.test(file) &&
      FLAG.test(readFileSync(file, 'utf8')),
  );
  expect(found.sort()).toEqual(['Dockerfile', 'deploy/signpost.service', 'src/runtimes/node/v8-flags.mjs']);
  for (const file of ['Dockerfile', 'deploy/signpost.service'])
    expect(readFileSync(file, 'utf8').match(FLAGS)).toEqual(SERVE_FLAGS);
});
