import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { readEvents } from '../support/events.ts';
import { navigate } from '../support/navigate.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeEach(async () => {
  ensureBuild();
  site = await startSite();
});
afterEach(() => site.remove());

const click = (token: string) => navigate(`${site.url}/go/highlevel?click=${token}&source=fault`);
const readClicks = async () => {
  const events = readEvents(site.dataDir);
  return events.filter((event) => event['name'] === 'affiliate_redirect');
};

/** Opens the events beside the site, which may write at this moment. */
const openEvents = () => new DatabaseSync(path.join(site.dataDir, 'events.sqlite'), { timeout: 5_000 });

it('every visitor is sent on, and every click is stored once when the lock is gone', async () => {
  const other = openEvents();
  other.exec('BEGIN IMMEDIATE');
  const clicks = Array.from({ length: 200 }, () => randomUUID());
  const responses = await Promise.all([...clicks, ...clicks.slice(0, 5)].map(click));
  for (const { status, html } of responses) {
    expect(status).toBe(200);
    expect(html).toContain('https://www.gohighlevel.com/pricing?fp_ref=hlmax&amp;');
  }
  expect(await readClicks()).toEqual([]);
  other.exec('ROLLBACK');
  other.close();
  for (let tries = 0; tries < 120 && (await readClicks()).length < 205; tries += 1) await sleep(250);
  const stored = await readClicks();
  const counted = stored.filter((event) => (event['flags'] as string[]).length === 0);
  expect(counted.map((event) => event['id']).sort()).toEqual([...clicks].sort());
  expect(stored).toHaveLength(205);
});

it('clicks that wait when the site is stopped in order are stored', async () => {
  const other = openEvents();
  other.exec('BEGIN IMMEDIATE');
  const token = randomUUID();
  expect((await click(token)).status).toBe(200);
  other.exec('ROLLBACK');
  other.close();
  await site.stop();
  expect((await readClicks()).map((event) => event['id'])).toContain(token);
});
