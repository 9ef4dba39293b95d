import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeTables } from '../scripts/test/doc-tables.ts';
import { FOLD_VERSION } from '../src/core/commissions/ledger/fold-commission.ts';
import {
  BROWSER_EVENT_NAMES,
  CONTENT_EVENT_NAMES,
  EVENT_NAMES,
  getEventDefinition,
} from '../src/core/events/event-definitions.ts';
import {
  ACTION_EVENTS,
  ANSWER_FIELDS,
  ASSESSMENT_STAGES,
  ROLLUP_DIMENSIONS,
  ROLLUP_VERSION,
} from '../src/core/events/rollup.ts';
import { UNCOUNTED_FLAGS } from '../src/core/events/site-event.ts';
import { parseWireEvent } from '../src/core/events/wire-event.schema.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { action } from '../src/core/pages/sections/fields.schema.ts';
import { buildRollupCount, buildRollupInsert } from '../src/stores/rollup-queries.ts';

it('a table of the documentation is written between its marks, and nothing else', () => {
  const [start, end] = ['Before\n\n<!-- table: sources -->\n\n', '\n\n<!-- /table -->\n\nAfter\n'];
  const written = writeTables(`${start}1. old${end}`);
  expect(written).toMatch(
    /^Before\n\n<!-- table: sources -->\n\n1\. the medium is `affiliate`: affiliate\n2\. /,
  );
  expect(written.endsWith(`no referrer: direct${end}`)).toBe(true);
  expect(writeTables(written)).toBe(written);
  expect(() => writeTables(`<!-- table: nothing -->${end}`.replace('-->', '-->\n\n'))).toThrow(/"nothing"/);
});

const ROOT = path.resolve(import.meta.dirname, '..');

/** What decides what is stored of a commission: its money, the click that it belongs to, and the pages that share it. */
const FOLDED_BY = ['ledger/fold-commission', 'ledger/build-ledger', 'ledger/click-token', 'credit/labels'];

/** A version that stored figures have, with a hash of what it stands for: where that changes, both do. */
it.each([
  [
    'ROLLUP_VERSION',
    ROLLUP_VERSION,
    '9 cdd64dea3e34',
    hashText(
      JSON.stringify([ROLLUP_DIMENSIONS, ACTION_EVENTS, ANSWER_FIELDS, ASSESSMENT_STAGES, UNCOUNTED_FLAGS]) +
        buildRollupInsert('') +
        buildRollupCount('', []),
    ),
  ],
  [
    'FOLD_VERSION',
    FOLD_VERSION,
    '5 922a7a44d0b6',
    hashText(FOLDED_BY.map((file) => readCode(`src/core/commissions/${file}.ts`)).join('')),
  ],
])('%s is that of the rules that it stands for', (_, version, known, hash) =>
  // Raise the version when stored figures would be others, and write the new hash here in any case.
  expect(`${version} ${hash}`).toBe(known),
);

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The code of a module without comments, spaces and commas at the end of lists. */
function readCode(file: string): string {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\s+|,(?=\s*[)\]}])/g, '');
}

const isCollected = (name: string) =>
  parseWireEvent({ id: '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52', name, session: '', page: '/', time: 0 }).ok;

const isTakenByAction = (event: string) =>
  action.safeParse({ label: 'Start', partnerLink: 'trial', event }).success;

function isTakenByPage(event: string): boolean {
  const { error } = pageSchema.safeParse({ cta: { source: 'hero', event } });
  return !error?.issues.some(({ path }) => path.join('.') === 'cta.event');
}

it.each(EVENT_NAMES)('page files can name %s only if the collector accepts it', (name) => {
  const isNamed = CONTENT_EVENT_NAMES.includes(name);
  expect([isTakenByAction(name), isTakenByPage(name)]).toEqual([isNamed, isNamed]);
  expect(isCollected(name) || !isNamed).toBe(true);
});

it.each(EVENT_NAMES)('the collector accepts %s exactly if a browser sends it', (name) =>
  expect(isCollected(name)).toBe(getEventDefinition(name).senders.includes('browser')),
);

it('elements name only events that the collector accepts', () => {
  const files = globSync('src/**/*.{ts,tsx,astro}', { cwd: ROOT }).filter((file) => !file.includes('.test.'));
  const named = files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const names = text.matchAll(
      /\b(?:data-action|data-view|action|event)['"]?\s*[=:]\s*['"]([a-z]+_[a-z_]+)['"]/g,
    );
    return [...names].map(([, name = '']) => name);
  });
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !BROWSER_EVENT_NAMES.some((known) => known === name))).toEqual([]);
});
