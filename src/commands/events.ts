import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { CLICKS, type Column, exported, PAGE_VIEWS } from '../console/reports/columns.ts';
import { formatShare } from '../console/reports/format.ts';
import { type CrawlerRequests, getCrawler } from '../core/events/crawlers.ts';
import { buildCsvHead, buildCsvRow } from '../core/events/event-csv.ts';
import { EVENT_NAMES, type EventName, isEventName } from '../core/events/event-definitions.ts';
import { ROLLUP_DIMENSIONS } from '../core/events/rollup.ts';
import { parseSiteEvents } from '../core/events/site-event.schema.ts';
import { isCounted, type SiteEvent } from '../core/events/site-event.ts';
import { buildSourceName, parseVisitSource } from '../core/events/visit-source.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { NOT_STORED } from '../server/events/durable-event-queue.ts';
import { buildRetentionLimit, planRetention } from '../server/events/remove-old-events.ts';
import { removeVisit } from '../server/events/visit.ts';
import type { CountFilter, EventReader, EventStore } from '../stores/events.ts';
import type { RollupGroup, Rollups } from '../stores/rollups.ts';
import {
  type CommandLine,
  type CommandOutput,
  defineCommand,
  formatCsv,
  formatLines,
  formatTable,
  UsageError,
} from './command.ts';
import type { CommandSite } from './site.ts';

const REPORTS = [...ROLLUP_DIMENSIONS, 'day', 'crawler', 'crawled-page'] as const;

const RUN = nameCommand('events');

const USAGE = `Usage:
  ${RUN} export [--all] [--format ndjson|csv] [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  ${RUN} count [--all] [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  ${RUN} report --by ${REPORTS.join('|')} [--from DAY] [--to DAY] [--format table|csv|json]
  ${RUN} rebuild
  ${RUN} delete --session ID
  ${RUN} prune [--force]
  ${RUN} recover LOG
  ${RUN} --help

export  writes the stored events as lines of JSON or as CSV.
count   prints how many events there are.
        Both leave out what no visitor did (bots, prefetches, duplicates, ...); --all includes it.
report  prints page views, sessions, calls to action and clicks by page, placement, campaign, source (channel and name of
        where visits came from), arrival (source, page, partner), answer, partner, stage of the assessment, or
        day. By source and arrival, page views are those that began a session.
        By crawler and crawled-page, it prints how often known agents, such as GPTBot, requested pages; verified are those
        from addresses that their operators have published (DATA_DIR/crawler-ranges).
        Days are those of TIME_ZONE, --from and --to inclusive. Counts stay when their events have been removed.
rebuild counts the stored events again.
delete  removes the events of one session, and what commissions have of its visit: campaigns, pages, answers.
prune   removes the events that are older than RETENTION_MONTHS (13); more than a month of them only with --force.
recover stores the events that the site could not store and has written to its log when it stopped, each once: LOG is a
        file with lines of the log, as journalctl or docker logs print them. Lines that cannot be read are named.

TIME is ISO 8601, for example 2025-11-20 or 2025-11-20T10:00:00Z; --from is inclusive, --to is exclusive.
NAME is one of ${EVENT_NAMES.slice(0, 4).join(', ')},
  ${EVENT_NAMES.slice(4).join(', ')}.
DATA_DIR (./data) is the folder that holds the events.`;

const OPTIONS = {
  all: { type: 'boolean' },
  by: { type: 'string' },
  format: { type: 'string' },
  force: { type: 'boolean' },
  from: { type: 'string' },
  name: { type: 'string', multiple: true },
  session: { type: 'string' },
  to: { type: 'string' },
} as const;

type Values = CommandLine<typeof OPTIONS>['values'];

interface Subcommand {
  readonly options: readonly (keyof typeof OPTIONS)[];
  /** What the word after its name is; left out: it takes no word. */
  readonly word?: string;
  /** Resolves with what is printed, unless it has printed everything itself. */
  readonly run: (
    site: CommandSite,
    values: Values,
    output: CommandOutput,
    word: string,
  ) => Promise<string | undefined>;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  export: {
    options: ['all', 'format', 'from', 'to', 'name', 'session'],
    async run(site, values, output) {
      const { format = 'ndjson' } = values;
      if (format !== 'ndjson' && format !== 'csv') {
        throw new UsageError(`--format is ndjson or csv, not "${format}".`);
      }
      const filter = parseFilter(values);
      await writeExport(await site.openEventReader(), filter, format, output);
      return undefined;
    },
  },
  count: {
    options: ['all', 'from', 'to', 'name', 'session'],
    async run(site, values) {
      const filter = parseFilter(values);
      return `${await (await site.openEventReader()).count(filter)}\n`;
    },
  },
  report: { options: ['by', 'format', 'from', 'to'], run: printReport },
  rebuild: {
    options: [],
    run: async (site) => `${await rebuildCounts((await site.openEvents()).money.rollups)} events counted\n`,
  },
  delete: {
    options: ['session'],
    async run(site, { session }) {
      if (!session) throw new UsageError('delete requires --session ID.');
      const { visitors, money } = await site.openEvents();
      const { events, journeys } = await removeVisit(visitors, money, session);
      const copies =
        journeys === 0 ? '' : `${journeys} journeys removed from commissions, which stay matched\n`;
      return `${events} events removed\n${copies}`;
    },
  },
  prune: {
    options: ['force'],
    async run(site, { force = false }) {
      const { events, archive, trustedTime } = (await site.openEvents()).visitors;
      const now = force ? Date.now() : await trustedTime.read();
      const before = await readRetentionLimit(events, force, now, readConfig(site).RETENTION_MONTHS);
      const removed = `${await events.remove({ before })} events removed\n`;
      const files = await archive.removeBefore(before);
      return files > 0 ? `${removed}${files} files removed from the archive\n` : removed;
    },
  },
  recover: {
    options: [],
    word: 'LOG',
    async run(site, _, __, log) {
      if (!existsSync(log)) throw new UsageError(`There is no file ${log}.`);
      return recoverEvents((await site.openEvents()).visitors.events, log);
    },
  },
};

/** Events of one append. */
const RECOVERED_BATCH = 200;

/**
 * Stores the events of a log that are not stored yet; resolves with the summary. Throws when lines about events cannot be
 * read, after the others were stored.
 */
async function recoverEvents(store: EventStore, log: string): Promise<string> {
  const damaged: string[] = [];
  let batch: SiteEvent[] = [];
  let [stored, known] = [0, 0];
  const append = async () => {
    const result = await store.append(batch);
    stored += result.stored;
    known += result.duplicates;
    batch = [];
  };
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(log),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++;
    if (!line.includes(NOT_STORED)) continue;
    // Other programs write the time, the host or the service before the entry.
    const entry: unknown = parseJson(line.slice(Math.max(0, line.indexOf('{'))));
    const [event] = parseSiteEvents([Object(entry).event]) ?? [];
    if (event === undefined) damaged.push(`line ${number}: ${line.slice(0, 120)}`);
    else batch.push(event);
    if (batch.length >= RECOVERED_BATCH) await append();
  }
  await append();
  const summary = `${stored} events stored, ${known} were stored already\n`;
  if (damaged.length === 0) return summary;
  throw new Error(
    `${summary}${damaged.length} lines have an event that cannot be read:\n${damaged.join('\n')}`,
  );
}

/** `signpost events`: exports, counts, removes and recovers events, also while the site runs. */
export const command = defineCommand({
  usage: USAGE,
  options: OPTIONS,
  words: [0, Number.POSITIVE_INFINITY],
  async run({ values, positionals }, io, site: CommandSite) {
    const [name = '', ...words] = positionals;
    if (name === '') throw new UsageError(`Name a command: ${Object.keys(SUBCOMMANDS).join(', ')}.`);
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (subcommand === undefined) throw new UsageError(`There is no command "${name}".`);
    const [extra] = words.slice(subcommand.word === undefined ? 0 : 1);
    if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
    const [word = ''] = words;
    if (subcommand.word !== undefined && word === '')
      throw new UsageError(`${name} requires ${subcommand.word}.`);
    const allowed: readonly string[] = subcommand.options;
    const wrong = Object.keys(values).find((option) => !allowed.includes(option));
    if (wrong) throw new UsageError(`${name} does not take --${wrong}.`);
    readConfig(site);
    io.stdout.write((await subcommand.run(site, values, io.stdout, word)) ?? '');
  },
});

const readConfig = (site: CommandSite) => site.readSettings('DATA_DIR', 'RETENTION_MONTHS', 'TIME_ZONE');

function parseFilter(values: Values): CountFilter {
  return {
    all: values.all ?? false,
    from: parseTime('from', values.from),
    to: parseTime('to', values.to),
    names: values.name?.map(parseName),
    session: values.session,
  };
}

function parseDay(option: string, text: string | undefined): string | undefined {
  if (text === undefined || z.iso.date().safeParse(text).success) return text;
  throw new UsageError(`--${option} of a report is a day such as 2025-11-20, not "${text}".`);
}

/** A bare date is UTC. A time needs its zone: without one it would mean another moment on another machine. */
const TIME = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

function parseTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (TIME.safeParse(text).success) return Date.parse(text);
  throw new UsageError(`--${option} is a time such as 2025-11-20 or 2025-11-20T10:00:00Z, not "${text}".`);
}

function parseName(text: string): EventName {
  if (isEventName(text)) return text;
  throw new UsageError(`There is no event "${text}". Events: ${EVENT_NAMES.join(', ')}.`);
}

const CHUNK = 65_536;

/** Writes events line by line as they are read, at the pace of `output`; those that no visitor caused only for `all`. */
async function writeExport(
  reader: EventReader,
  filter: CountFilter,
  format: 'ndjson' | 'csv',
  output: CommandOutput,
): Promise<void> {
  let chunk = format === 'csv' ? buildCsvHead() : '';
  for await (const event of reader.read(filter)) {
    if (!filter.all && !isCounted(event)) continue;
    chunk += format === 'csv' ? buildCsvRow(event) : `${JSON.stringify(event)}\n`;
    if (chunk.length < CHUNK) continue;
    if (!output.write(chunk)) await output.drained();
    chunk = '';
  }
  output.write(chunk);
}

/** Reads the time before which `prune` removes events. Throws when retention refuses and it is not forced. */
async function readRetentionLimit(
  store: EventStore,
  isForced: boolean,
  now: number | null,
  months: number,
): Promise<number> {
  if (now === null) {
    throw new Error(
      'Nothing was removed, because the clock may be wrong: the site has not been started on three days or run for two ' +
        `weeks yet. If the date is right, run: ${RUN} prune --force`,
    );
  }
  const range = await store.readTimeRange();
  if (isForced || range === null) return buildRetentionLimit(now, months);
  const plan = planRetention(range.oldest, Math.min(now, range.newest), months);
  if (plan.kind === 'refuse') throw new Error(plan.reason);
  return plan.before;
}

const REPORT_COLUMNS: readonly Column<RollupGroup>[] = [
  PAGE_VIEWS,
  exported('sessions', ({ sessions }) => sessions),
  exported('actions', ({ actions }) => actions),
  CLICKS,
];

const CRAWLED_PAGE = exported<CrawlerRequests>('page', ({ page }) => page);
const CRAWLER_COLUMNS: readonly Column<CrawlerRequests>[] = [
  exported('agent', ({ agent }) => agent),
  exported('operator', ({ agent }) => getCrawler(agent)?.operator ?? ''),
  exported('kind', ({ agent }) => getCrawler(agent)?.kind ?? ''),
  exported('requests', ({ requests }) => requests),
  exported('verified', ({ verified }) => verified),
  exported('last_day', ({ day }) => day),
];

async function printReport(site: CommandSite, values: Values): Promise<string> {
  const by = REPORTS.find((name) => name === values.by);
  if (by === undefined) throw new UsageError(`report requires --by ${REPORTS.join('|')}.`);
  const { format = 'table' } = values;
  if (format !== 'table' && format !== 'csv' && format !== 'json') {
    throw new UsageError(`--format of a report is table, csv or json, not "${format}".`);
  }
  const range = { from: parseDay('from', values.from), to: parseDay('to', values.to) };
  const { money, visitors } = await site.openEvents();
  const { rollups } = money;
  const { crawlerRequests } = visitors;
  if (by === 'crawler' || by === 'crawled-page') {
    const rows = await (by === 'crawler'
      ? crawlerRequests.readByAgent(range)
      : crawlerRequests.readByPage(range));
    const columns = by === 'crawler' ? CRAWLER_COLUMNS : [CRAWLED_PAGE, ...CRAWLER_COLUMNS];
    return format === 'json'
      ? `${JSON.stringify({ rows: rows.map((row) => buildCrawlerRow(row, by === 'crawled-page')) })}\n`
      : (format === 'csv' ? formatCsv : formatTable)(rows, columns);
  }
  const groups =
    by === 'day'
      ? await rollups.readByDay({ dimension: 'page', ...range })
      : sortByClicks(await rollups.readByKey({ dimension: by, ...range }));
  const shares = await rollups.readShares(range);
  if (format === 'json')
    return `${JSON.stringify({ rows: groups.map((group) => buildJsonRow(group, by)), ...shares })}\n`;
  const name = exported<RollupGroup>(by, ({ key }) => nameKey(key, by) || '(none)');
  const columns = [name, ...REPORT_COLUMNS];
  return format === 'csv'
    ? formatCsv(groups, columns)
    : formatTable(groups, columns) + formatLines(describeShares(shares));
}

/** `Without journey: 38% of the visits, 12% of the clicks.` Nothing where all have one. */
function describeShares(shares: Awaited<ReturnType<Rollups['readShares']>>): readonly string[] {
  const parts = (['visits', 'clicks'] as const).flatMap((name) => {
    const { all, without } = shares[name];
    return without === 0 ? [] : [`${formatShare(without / all)} of the ${name}`];
  });
  return parts.length === 0 ? [] : [`Without journey: ${parts.join(', ')}.`];
}

/** Counts the stored events again; resolves with how many. */
export async function rebuildCounts(store: Rollups): Promise<number> {
  await store.rebuild();
  let total = 0;
  for (let count = -1; count !== 0; total += Math.max(0, count)) count = await store.advance();
  return total;
}

/** A source is named as in the reports of commissions. */
const nameKey = (key: readonly string[], by: (typeof REPORTS)[number]) =>
  by === 'source' && key.length > 1
    ? buildSourceName(parseVisitSource(key[0], key[1]))
    : key.filter(Boolean).join(' ');

function buildJsonRow({ key, ...counts }: RollupGroup, by: (typeof REPORTS)[number]) {
  return { key: by === 'source' ? nameKey(key, by) : key.join(' ').trim(), parts: key, ...counts };
}

function buildCrawlerRow({ agent, page, requests, verified, day }: CrawlerRequests, hasPage: boolean) {
  const { operator = '', kind = '' } = getCrawler(agent) ?? {};
  return { ...(hasPage && { page }), agent, operator, kind, requests, verified, lastDay: day };
}

/** Most clicks first, then most views. */
function sortByClicks(groups: readonly RollupGroup[]): RollupGroup[] {
  return [...groups].sort((one, other) => other.clicks - one.clicks || other.views - one.views);
}
