import { parseArgs } from 'node:util';
import type { EventFilter } from '../../src/core/journey/event-store.ts';
import { EVENT_NAMES, type EventName } from '../../src/core/journey/site-event.ts';

/** What `npm run events -- …` is asked to do. */
export type EventCommand =
  | { readonly kind: 'export'; readonly format: 'ndjson' | 'csv'; readonly filter: EventFilter }
  | { readonly kind: 'count'; readonly filter: EventFilter }
  | { readonly kind: 'delete'; readonly session: string }
  | { readonly kind: 'prune' };

export const USAGE = `Usage:
  npm run -s events -- export [--format ndjson|csv] [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  npm run -s events -- count [--from TIME] [--to TIME] [--name NAME]... [--session ID]
  npm run -s events -- delete --session ID
  npm run -s events -- prune
TIME is ISO 8601, for example 2025-11-20 or 2025-11-20T10:00:00Z; --from is included, --to is not.
DATA_DIR says where the events are (./data), RETENTION_MONTHS how long prune keeps them (13).`;

/** Wrong words on the command line; the message says which and what is right. */
export class UsageError extends Error {}

const OPTIONS = {
  format: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  name: { type: 'string', multiple: true },
  session: { type: 'string' },
} as const;

type Option = keyof typeof OPTIONS;

const ALLOWED: Readonly<Record<EventCommand['kind'], readonly Option[]>> = {
  export: ['format', 'from', 'to', 'name', 'session'],
  count: ['from', 'to', 'name', 'session'],
  delete: ['session'],
  prune: [],
};

/** Parses the words after `events --`. Throws `UsageError`. */
export function parseCommand(words: readonly string[]): EventCommand {
  const { values, positionals } = parseWords(words);
  const [kind = '', ...rest] = positionals;
  if (!isKind(kind)) throw new UsageError(kind === '' ? 'Say what to do.' : `There is no command "${kind}".`);
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  const wrong = Object.keys(values).find((option) => !ALLOWED[kind].some((allowed) => allowed === option));
  if (wrong) throw new UsageError(`${kind} takes no --${wrong}.`);
  switch (kind) {
    case 'export':
      return { kind, format: parseFormat(values.format ?? 'ndjson'), filter: parseFilter(values) };
    case 'count':
      return { kind, filter: parseFilter(values) };
    case 'delete':
      if (!values.session) throw new UsageError('delete needs --session ID.');
      return { kind, session: values.session };
    case 'prune':
      return { kind };
  }
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isKind(text: string): text is EventCommand['kind'] {
  return Object.hasOwn(ALLOWED, text);
}

function parseFormat(text: string): 'ndjson' | 'csv' {
  if (text !== 'ndjson' && text !== 'csv') throw new UsageError(`--format is ndjson or csv, not "${text}".`);
  return text;
}

function parseFilter(values: {
  from?: string | undefined;
  to?: string | undefined;
  name?: string[] | undefined;
  session?: string | undefined;
}): EventFilter {
  return {
    from: parseTime('from', values.from),
    to: parseTime('to', values.to),
    names: values.name?.map(parseName),
    session: values.session,
  };
}

/** A time without a zone would mean another moment on another machine: a bare date is UTC, the rest has to say. */
function parseTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isIso ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageError(`--${option} is a time such as 2025-11-20 or 2025-11-20T10:00:00Z, not "${text}".`);
  }
  return time;
}

function parseName(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text);
  if (!name) throw new UsageError(`There is no event "${text}"; there are: ${EVENT_NAMES.join(', ')}.`);
  return name;
}
