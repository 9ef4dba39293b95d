import { parseArgs } from 'node:util';
import { z } from 'zod';
import { EVENT_NAMES, type EventName, isEventName } from '../../../src/core/events/event-definitions.ts';
import type { CountFilter, EventFilter } from '../../../src/core/events/event-store.ts';
import { ROLLUP_DIMENSIONS, type RollupDimension } from '../../../src/core/events/rollup.ts';

/** A parsed command line of `npm run events -- …`. */
export type EventCommand =
  | { readonly kind: 'export'; readonly format: 'ndjson' | 'csv'; readonly filter: CountFilter }
  | { readonly kind: 'count'; readonly filter: CountFilter }
  | { readonly kind: 'delete'; readonly session: string }
  | { readonly kind: 'prune'; readonly isForced: boolean }
  | { readonly kind: 'report'; readonly report: ReportRequest }
  | { readonly kind: 'rebuild' }
  | { readonly kind: 'help' };

/** What `report` counts; days are `YYYY-MM-DD`, both inclusive. */
export interface ReportRequest {
  readonly by: RollupDimension | 'day';
  readonly format: 'table' | 'csv' | 'json';
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const REPORTS = [...ROLLUP_DIMENSIONS, 'day'] as const;

export const USAGE = `Usage:
  npm run -s events -- export [--all] [--format ndjson|csv] [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  npm run -s events -- count [--all] [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  npm run -s events -- report --by ${REPORTS.join('|')} [--from DAY] [--to DAY] [--format table|csv|json]
  npm run -s events -- rebuild
  npm run -s events -- delete --session ID
  npm run -s events -- prune [--force]
  npm run -s events -- --help

export  writes the stored events as lines of JSON or as CSV.
count   prints how many events there are.
        Both leave out what no visitor did (bots, prefetches, duplicates, ...); --all includes it.
report  prints page views, sessions, calls to action and clicks by page, placement, campaign, answer, partner, path (entry
        page, page of the link, partner), stage of the assessment, or day.
        Days are those of TIME_ZONE, --from and --to inclusive. Counts stay when their events have been removed.
rebuild counts the stored events again.
delete  removes the events of one session.
prune   removes the events that are older than RETENTION_MONTHS (13); more than a month of them only with --force.

TIME is ISO 8601, for example 2025-11-20 or 2025-11-20T10:00:00Z; --from is inclusive, --to is exclusive.
NAME is one of ${EVENT_NAMES.slice(0, 4).join(', ')},
  ${EVENT_NAMES.slice(4).join(', ')}.
DATA_DIR (./data) is the folder that holds the events.`;

/** A wrong command line; the message says what is wrong and what is expected. */
export class UsageError extends Error {}

const OPTIONS = {
  all: { type: 'boolean' },
  by: { type: 'string' },
  format: { type: 'string' },
  force: { type: 'boolean' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string', multiple: true },
  session: { type: 'string' },
  to: { type: 'string' },
} as const;

type Command = Exclude<EventCommand['kind'], 'help'>;

const ALLOWED: Readonly<Record<Command, readonly (keyof typeof OPTIONS)[]>> = {
  export: ['all', 'format', 'from', 'to', 'name', 'session'],
  count: ['all', 'from', 'to', 'name', 'session'],
  report: ['by', 'format', 'from', 'to'],
  rebuild: [],
  delete: ['session'],
  prune: ['force'],
};

/** Parses the arguments after `events --`. Throws `UsageError`. */
export function parseCommand(words: readonly string[]): EventCommand {
  const { values, positionals } = parseWords(words);
  if (values.help) return { kind: 'help' };
  const [kind = '', ...rest] = positionals;
  if (kind === '') throw new UsageError(`Name a command: ${Object.keys(ALLOWED).join(', ')}.`);
  if (!isCommand(kind)) throw new UsageError(`There is no command "${kind}".`);
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}".`);
  const wrong = Object.keys(values).find((option) => !ALLOWED[kind].some((allowed) => allowed === option));
  if (wrong) throw new UsageError(`${kind} does not take --${wrong}.`);
  switch (kind) {
    case 'export':
      return {
        kind,
        format: parseFormat(values.format ?? 'ndjson'),
        filter: { ...parseFilter(values), all: values.all ?? false },
      };
    case 'count':
      return { kind, filter: { ...parseFilter(values), all: values.all ?? false } };
    case 'report':
      return { kind, report: parseReport(values) };
    case 'rebuild':
      return { kind };
    case 'delete':
      if (!values.session) throw new UsageError('delete requires --session ID.');
      return { kind, session: values.session };
    case 'prune':
      return { kind, isForced: values.force ?? false };
  }
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof parseWords>['values'];

function isCommand(text: string): text is Command {
  return Object.hasOwn(ALLOWED, text);
}

function parseFormat(text: string): 'ndjson' | 'csv' {
  if (text !== 'ndjson' && text !== 'csv') throw new UsageError(`--format is ndjson or csv, not "${text}".`);
  return text;
}

function parseFilter(values: Values): EventFilter {
  return {
    from: parseTime('from', values.from),
    to: parseTime('to', values.to),
    names: values.name?.map(parseName),
    session: values.session,
  };
}

function parseReport(values: Values): ReportRequest {
  const { by, format = 'table' } = values;
  const dimension = REPORTS.find((name) => name === by);
  if (dimension === undefined) throw new UsageError(`report requires --by ${REPORTS.join('|')}.`);
  if (format !== 'table' && format !== 'csv' && format !== 'json') {
    throw new UsageError(`--format of a report is table, csv or json, not "${format}".`);
  }
  return { by: dimension, format, from: parseDay('from', values.from), to: parseDay('to', values.to) };
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
