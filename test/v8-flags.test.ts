import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import v8 from 'node:v8';
import { expect, it, vi } from 'vitest';
import { SERVE_FLAGS, spareForImport, spareMemory } from '../src/runtimes/node/v8-flags.mjs';

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
  expect(found.sort()).toEqual([
    'deploy/site/Dockerfile',
    'deploy/site/signpost.service',
    'src/runtimes/node/v8-flags.mjs',
  ]);
  for (const file of ['deploy/site/Dockerfile', 'deploy/site/signpost.service'])
    expect(readFileSync(file, 'utf8').match(FLAGS)).toEqual(SERVE_FLAGS);
});

it('keeps the heap small while all content is read, and lets it grow again, also after a failure', () => {
  const set = vi.spyOn(v8, 'setFlagsFromString').mockImplementation(() => undefined);
  try {
    const read = () => {
      expect(set.mock.calls.flat()).toEqual(['--semi-space-growth-factor=1', '--heap-growing-percent=15']);
      throw new Error('damaged');
    };
    expect(() => spareMemory(read)).toThrow('damaged');
    expect(set.mock.calls.flat().slice(2).sort()).toEqual(
      [SERVE_FLAGS[1] ?? '', '--semi-space-growth-factor=2'].sort(),
    );
  } finally {
    set.mockRestore();
  }
});

it('keeps the heaps small until a minute after the last of two imports that overlap', () => {
  vi.useFakeTimers();
  const set = vi.spyOn(v8, 'setFlagsFromString').mockImplementation(() => undefined);
  try {
    const [stopFirst, stopSecond] = [spareForImport(), spareForImport()];
    stopFirst();
    vi.advanceTimersByTime(61_000);
    expect(set.mock.calls.flat()).not.toContain(SERVE_FLAGS[1]);
    stopSecond();
    vi.advanceTimersByTime(59_000);
    expect(set.mock.calls.flat()).not.toContain(SERVE_FLAGS[1]);
    vi.advanceTimersByTime(2_000);
    expect(set.mock.calls.flat()).toContain(SERVE_FLAGS[1]);
  } finally {
    set.mockRestore();
    vi.useRealTimers();
  }
});
