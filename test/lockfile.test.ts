import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).default({});
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ dependencies: names, optionalDependencies: names })),
});
type LockFile = z.infer<typeof lockFile>;

/** Does a lock file hold `name` where Node would find it from the package at `from`? */
function isLocked({ packages }: LockFile, from: string, name: string): boolean {
  const folders = from
    .split('/node_modules/')
    .map((_, end, parts) => parts.slice(0, end + 1).join('/node_modules/'));
  return ['', ...folders].some((folder) =>
    Object.hasOwn(packages, `${folder === '' ? '' : `${folder}/`}node_modules/${name}`),
  );
}

// npm leaves out packages of other platforms when it cannot reach them; `npm ci` then refuses the lock file everywhere.
it.each(['package-lock.json', 'edge/package-lock.json', 'tools/lighthouse/package-lock.json'])(
  '%s names every package that another one asks for, those of other platforms too',
  (file) => {
    const text = readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
    const lock = lockFile.parse(JSON.parse(text));
    const missing = Object.entries(lock.packages).flatMap(([from, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !isLocked(lock, from, name))
        .map((name) => `${name}, asked for by ${from}`),
    );
    expect(missing).toEqual([]);
    expect(text).not.toMatch(/"resolved": "https?:/);
  },
);

const manifest = z.object({ overrides: names });

// A tag such as `latest` moves with each release, and `npm ci` refuses the lock file on the day it does.
it.each(['', 'edge', 'tools/lighthouse'])('pins the packages that others ask for by a tag (%s)', (folder) => {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(path.resolve(import.meta.dirname, '..', folder, file), 'utf8'));
  const lock = lockFile.parse(read('package-lock.json'));
  const { overrides } = manifest.parse(read('package.json'));
  const tagged = Object.values(lock.packages).flatMap((entry) =>
    Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter(([name, range]) => /^[a-z]+$/i.test(range) && range !== 'x' && overrides[name] === undefined)
      .map(([name]) => name),
  );
  expect(tagged).toEqual([]);
});
