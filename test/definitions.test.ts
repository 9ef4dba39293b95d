import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CONSOLE_KEYS } from '../src/console/islands/shortcuts.ts';
import { METRICS } from '../src/core/commissions/metric-definitions.ts';
import { CONSOLE_VIEWS } from '../src/core/console/console-view.ts';
import {
  BROWSER_EVENT_NAMES,
  CONTENT_EVENT_NAMES,
  EVENT_NAMES,
  getEventDefinition,
} from '../src/core/events/event-definitions.ts';
import { SOURCE_RULES } from '../src/core/events/visit-source.ts';
import { parseWireEvent } from '../src/core/events/wire-event.schema.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { action } from '../src/core/pages/sections/fields.schema.ts';

const readDocs = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../docs', file), 'utf8');

it('docs/console.md defines every metric as the code does', () => {
  const text = readDocs('console.md');
  const rows = Object.values(METRICS).map(
    ({ name, meaning, formula }) => `| ${name} | ${meaning} | ${formula} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

it('docs/console.md lists every key of the console', () => {
  const text = readDocs('console.md');
  const views = CONSOLE_VIEWS.map(({ letter, name }) => [`G ${letter.toUpperCase()}`, name] as const);
  const rows = [...CONSOLE_KEYS, ...views].map(([keys, meaning]) => `| ${keys} | ${meaning} |`);
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

it('docs/attribution.md has the rules of sources in their order', () => {
  const rules = SOURCE_RULES.map(({ when }, index) => `${index + 1}. ${when}\n`).join('');
  expect(readDocs('attribution.md')).toContain(rules);
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

it.each(EVENT_NAMES)('the collector accepts %s exactly if a browser sends it', (name) => {
  expect(isCollected(name)).toBe(getEventDefinition(name).senders.includes('browser'));
});

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

it.each(EVENT_NAMES)('docs/attribution.md describes %s as it is defined', (name) => {
  const { senders, inContent, when, label, value, data } = getEventDefinition(name);
  const keys = data.map((key) => (key === '*' ? 'other `data-*`' : `\`${key}\``));
  const row = [
    `\`${name}\``,
    when,
    senders.map((sender) => (sender === 'browser' ? 'page' : sender)).join(', '),
    inContent ? 'yes' : '',
    label,
    value,
    keys.join(', '),
  ];
  const documented = readFileSync(path.join(ROOT, 'docs/attribution.md'), 'utf8').split('\n');
  const line = `| ${row.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  expect(documented.includes(line), `the table lacks the row\n${line}\n`).toBe(true);
});

it('docs/attribution.md describes no event that is not defined', () => {
  const documented = readFileSync(path.join(ROOT, 'docs/attribution.md'), 'utf8');
  const [, table = ''] = /\n\| event \|[^\n]*\n\|-[^\n]*\n((?:\|[^\n]*\n)+)/.exec(documented) ?? [];
  expect([...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name)).toEqual(EVENT_NAMES);
});
