import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeTables } from '../scripts/test/doc-tables.ts';
import {
  BROWSER_EVENT_NAMES,
  CONTENT_EVENT_NAMES,
  EVENT_NAMES,
  getEventDefinition,
} from '../src/core/events/event-definitions.ts';
import { parseWireEvent } from '../src/core/events/wire-event.schema.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { action } from '../src/core/pages/sections/fields.schema.ts';

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
