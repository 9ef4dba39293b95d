import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PINNED_NODE, ROOT } from '../scripts/pinned-node.mjs';
import { createSqliteEventStore } from '../src/adapters/events/sqlite-event-store.ts';
import type { EventStore } from '../src/core/journey/event-store.ts';
import { buildSampleEvent } from './support/sample-events.ts';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'events-command-'));
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

const events = [
  buildSampleEvent({ session: 'a', serverTime: at('2025-11-01'), label: '=1+1' }),
  buildSampleEvent({ session: 'b', serverTime: at('2025-11-02'), name: 'pricing_view' }),
  buildSampleEvent({ session: 'b', serverTime: at('2025-11-03'), data: { source: 'a,b' } }),
];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(words: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { DATA_DIR, ...env } };
    execFile(PINNED_NODE, ['scripts/events.ts', ...words], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe('npm run events', () => {
  let store: EventStore;

  // The store stays open, as it is while the site runs.
  beforeAll(async () => {
    store = createSqliteEventStore({ dir: DATA_DIR, report: () => undefined });
    await store.append(events);
  });
  afterAll(async () => {
    await store.close();
    await rm(DATA_DIR, { recursive: true });
  });

  it('exports every event as one line of JSON', async () => {
    const { code, stdout } = await run(['export']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events);
  });

  it('exports CSV', async () => {
    const lines = (await run(['export', '--format', 'csv'])).stdout.split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^id,name,server_time,/);
    expect(lines[1]).toContain(",'=1+1,");
    expect(lines[3]).toContain('"{""source"":""a,b""}"');
  });

  it.each([
    [['count'], '3'],
    [['count', '--session', 'b'], '2'],
    [['count', '--name', 'pricing_view'], '1'],
    [['count', '--name', 'pricing_view', '--name', 'page_view'], '3'],
    [['count', '--from', '2025-11-02'], '2'],
    [['count', '--from', '2025-11-02', '--to', '2025-11-03T12:00:00Z'], '1'],
    [['count', '--to', '2025-11-01T13:00:00+01:00'], '0'],
    [['count', '--session', "' OR 1=1 --"], '0'],
  ])('%j gives %s', async (words, expected) => {
    expect(await run(words)).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' });
  });

  it('explains wrong words and shows how to use it', async () => {
    const { code, stdout, stderr } = await run(['count', '--format', 'csv']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^count takes no --format\.\n\nUsage:\n/);
  });

  it.each([
    [{ DATA_DIR: '/nowhere' }, 'There are no events at /nowhere/events.sqlite'],
    [{ RETENTION_MONTHS: 'many' }, 'RETENTION_MONTHS'],
  ])('the setting %j is explained', async (env, message) => {
    const { code, stderr } = await run(['count'], env);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  it('explains a file that is no event store, and leaves it as it is', async () => {
    const dir = mkdtempSync(path.join(DATA_DIR, 'other-'));
    writeFileSync(path.join(dir, 'events.sqlite'), 'not a database, but somebody may need it');
    const { code, stderr } = await run(['export'], { DATA_DIR: dir });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\[events:sqlite\] file is not a database/);
  });

  it('ends quietly when its reader has enough', async () => {
    await store.append(Array.from({ length: 3_000 }, () => buildSampleEvent({ session: 'many' })));
    const child = spawn(PINNED_NODE, ['scripts/events.ts', 'export'], { cwd: ROOT, env: { DATA_DIR } });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await store.remove({ session: 'many' });
  });

  it('deletes the events of a session', async () => {
    expect(await run(['delete', '--session', 'b'])).toEqual({
      code: 0,
      stdout: '2 events removed\n',
      stderr: '',
    });
    expect(await store.count({})).toBe(1);
  });

  it('prunes what is past its retention', async () => {
    await store.append([buildSampleEvent({ serverTime: Date.now() })]);
    await store.append([buildSampleEvent({ serverTime: Date.now() - 40 * 86_400_000 })]);
    const { stdout } = await run(['prune'], { RETENTION_MONTHS: '1' });
    expect(Number.parseInt(stdout, 10)).toBeGreaterThanOrEqual(1);
    const left = await run(['count', '--to', new Date(Date.now() - 39 * 86_400_000).toISOString()]);
    expect(left.stdout).toBe('0\n');
    expect(await store.count({})).toBeGreaterThanOrEqual(1);
  });
});
