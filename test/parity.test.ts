import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { NODE_ONLY_SPECS } from './support/node-only-specs.ts';
import { PARITY_PROOFS } from './support/parity-proofs.ts';

const DOCUMENT = readFileSync(path.join(ROOT, 'docs/deployment.md'), 'utf8');
const HEADER = '| | Node | Workers | why |';

/** Where code runs that only the worker has; its unit tests run on Node. */
const WORKER_CODE = [
  /^edge\/test\//,
  /^test\/edge\//,
  /^src\/server\/cloudflare\//,
  /^src\/adapters\/articles\/cache\/shared-copies\.test\.ts$/,
];
/** Code of both, whose tests try the two ways. */
const SHARED_CODE = /^(test\/e2e\/.*\.spec\.ts|src\/server\/commissions\/click-matcher\.test\.ts)$/;

/** The first cells of the table of differences. */
function listRows(document: string): readonly string[] {
  const lines = document.slice(document.indexOf(HEADER)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) => line.split(' | ')[0]?.replace(/^\| /, '') ?? '');
}

/** The lines from the title of a test to its function; null when the file has no such test. */
function findTest(file: string, title: string): string | null {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const quoted = ["'", '"', '`'].map((quote) => source.indexOf(quote + title));
  const start = Math.max(...quoted);
  if (start < 0) return null;
  return source.slice(start, source.indexOf('=> {', start));
}

/** What is wrong with the proofs of one side of a row. */
function findProblems(
  side: 'node' | 'workers',
  proofs: (typeof PARITY_PROOFS)[string]['node'],
): readonly string[] {
  if ('untested' in proofs) return proofs.untested.length > 20 ? [] : ['no reason'];
  if (proofs.length === 0) return ['no test'];
  return proofs.flatMap((proof) => {
    const [file, title = null] = typeof proof === 'string' ? [proof] : proof;
    if (!existsSync(path.join(ROOT, file))) return [`${file} does not exist`];
    const head = title === null ? '' : findTest(file, title);
    if (head === null) return [`${file} has no test "${title}"`];
    const isShared = SHARED_CODE.test(file);
    const isOfWorkers = WORKER_CODE.some((pattern) => pattern.test(file));
    if (!isShared && isOfWorkers !== (side === 'workers')) return [`${file} is about the other side`];
    const isOnNodeAlone = path.basename(file) in NODE_ONLY_SPECS || head.includes('@node');
    return side === 'workers' && isOnNodeAlone ? [`${file} does not run "${title}" on workerd`] : [];
  });
}

describe('the table of differences between Node and Workers', () => {
  const rows = listRows(DOCUMENT);

  it('has tests for each row, and no tests for a row that is gone', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(Object.keys(PARITY_PROOFS)).toEqual(rows);
  });

  it.each(Object.entries(PARITY_PROOFS))('names tests that exist and run on both sides: %s', (_, proofs) => {
    expect(findProblems('node', proofs.node)).toEqual([]);
    expect(findProblems('workers', proofs.workers)).toEqual([]);
  });

  it.each([
    ['node', [], 'no test'],
    ['node', ['test/no-such.test.ts'], 'does not exist'],
    ['workers', [['test/edge/data.test.ts', 'moves nothing']], 'has no test'],
    ['workers', ['test/contract/event-store.test.ts'], 'is about the other side'],
    ['node', ['test/edge/data.test.ts'], 'is about the other side'],
    ['workers', ['test/e2e/budget.spec.ts'], 'does not run'],
    ['workers', [['test/e2e/serving.spec.ts', 'what the build has compressed']], 'does not run'],
    ['workers', { untested: '' }, 'no reason'],
  ] as const)('refuses for %s: %j', (side, proofs, problem) => {
    expect(findProblems(side, proofs)).toEqual([expect.stringContaining(problem)]);
  });

  it('reads the first cell of each row', () => {
    const table = [HEADER, '|---|---|---|---|', '| `a` | yes | no | |', '| b, c | 1 | 2 | 3 |', '', '| d |'];
    expect(listRows(table.join('\n'))).toEqual(['`a`', 'b, c']);
  });
});
