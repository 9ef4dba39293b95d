import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../src/core/clock.ts';

/** Events in a transaction. */
const BATCH = 100_000;
const CLICK_EVERY = 33;
const DAYS = 395;
const PAGES = 300;
const CAMPAIGNS = 200;
const PARTNERS = ['highlevel', 'activecampaign', 'kit', 'hubspot'];

/** How many events there are, and the clicks among them that earned commissions. */
export interface FilledEvents {
  readonly clickIds: readonly string[];
  /** ms since 1970. */
  readonly newest: number;
}

/** A number from 0 to 1 that depends on the index alone, so that every run has the same events. */
function spread(index: number, salt: number): number {
  const mixed = Math.imul(index ^ (salt * 0x9e3779b9), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** Ids grow with time, as no index has to be sorted then; everything else is as the collector stores it. */
function buildId(index: number): string {
  return `${index.toString(16).padStart(8, '0')}-0000-4000-8000-${Math.imul(index, 0x9e3779b9)
    .toString(16)
    .replace('-', 'f')
    .padStart(12, '0')}`;
}

/**
 * Writes 13 months of events into the database of a data folder, past the store: sessions of eight events, of which
 * every 33rd is a click. Few pages and campaigns get most of them.
 */
export function fillEvents(file: string, count: number, commissions: number): FilledEvents {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const insert = database.prepare(
    `INSERT INTO events (id, name, session, page, label, value, data, campaign, server_time, flags)
    VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, '')`,
  );
  const clickIds: string[] = [];
  const clicks = Math.floor(count / CLICK_EVERY);
  const step = Math.max(1, Math.floor(clicks / commissions));
  const newest = Date.now();
  const first = newest - DAYS * DAY_MS;
  for (let start = 0; start < count; start += BATCH) {
    database.exec('BEGIN');
    for (let index = start; index < Math.min(count, start + BATCH); index++) {
      const id = buildId(index);
      const session = index >> 3;
      const isClick = index % CLICK_EVERY === 0;
      const page = `/page-${Math.floor(PAGES * spread(index, 1) ** 3)}`;
      const entryPage = `/page-${Math.floor(PAGES * spread(session, 2) ** 3)}`;
      const campaign = Math.floor(CAMPAIGNS * spread(session, 3) ** 3);
      if (isClick && clickIds.length < commissions && (index / CLICK_EVERY) % step === 0) clickIds.push(id);
      const data = isClick
        ? `{"partner":"${PARTNERS[index % 4]}","destination":"trial","source":"place${index % 7}","entry_page":"${entryPage}","assessment_type":"type${index % 6}","budget":"budget${index % 4}"}`
        : index % 8 === 0
          ? '{"referrer":"direct"}'
          : '{}';
      const isStep = !isClick && index % 50 === 1;
      const name = isClick ? 'affiliate_redirect' : isStep ? 'assessment_step' : 'page_view';
      insert.run(
        id,
        name,
        `s${session}`,
        page,
        isStep ? 1 + (index % 4) : 0,
        data,
        campaign === 0 ? '{}' : `{"utm_source":"source${campaign % 12}","utm_campaign":"c${campaign}"}`,
        Math.floor(first + (index / count) * DAYS * DAY_MS),
      );
    }
    database.exec('COMMIT');
  }
  database.close();
  return { clickIds, newest };
}
