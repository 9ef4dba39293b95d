import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../playwright.config.ts';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { NODE_ONLY_SPECS } from './support/node-only-specs.ts';

const FOLDER = path.join(ROOT, 'test/e2e');
const specs = readdirSync(FOLDER).filter((name) => name.endsWith('.spec.ts'));
/** A test, or a loop of tests, with the tag. */
const TAG = /^.*tag: .*@node.*$/;

/** Tests tagged `@node` without a comment directly before them or before the loop around them. */
function findUnexplained(source: string): readonly string[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    if (!TAG.test(line)) return [];
    const before = lines.slice(0, index + 1).reverse();
    const comment = before.findIndex((one) => /^\s*\/\/ /.test(one));
    // What ends at the margin was another test or loop, and the comment before it is about that one.
    const end = before.findIndex((one) => /^\}(\);)?$/.test(one));
    const isExplained = comment >= 0 && (end < 0 || comment < end);
    return isExplained ? [] : [line.trim()];
  });
}

describe('browser tests on workerd', () => {
  it('runs every file of them that has no reason to run on Node alone', () => {
    const project = config.projects?.find(({ name }) => name === 'workers');
    expect(project?.testMatch).toBeUndefined();
    expect(project?.testIgnore).toEqual(Object.keys(NODE_ONLY_SPECS).map((name) => `**/${name}`));
    expect(String(project?.grepInvert)).toBe('/@node/');
  });

  it('gives a reason of its own for each file that exists', () => {
    expect(Object.keys(NODE_ONLY_SPECS).filter((name) => !specs.includes(name))).toEqual([]);
    for (const [name, reason] of Object.entries(NODE_ONLY_SPECS)) {
      expect(reason.length, name).toBeGreaterThan(20);
    }
  });

  it('explains every test tagged @node', () => {
    for (const name of specs) {
      expect(findUnexplained(readFileSync(path.join(FOLDER, name), 'utf8')), name).toEqual([]);
    }
    expect(findUnexplained("test('one', { tag: '@node' }, () => {});")).toHaveLength(1);
    expect(findUnexplained("// Why.\ntest('one', () => {\n});\ntest('two', { tag: '@node' }")).toHaveLength(
      1,
    );
  });
});
