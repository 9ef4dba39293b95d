// npm run -s commissions -- --help: reports, matches and imports commissions, also while the site runs.

import type { LedgerEntry } from '../../src/core/commissions/build-ledger.ts';
import { RANKING_DIMENSIONS } from '../../src/core/commissions/build-ranking.ts';
import type { CommissionId } from '../../src/core/commissions/commission-fact.ts';
import {
  buildCommissionReport,
  REPORT_DIMENSIONS,
  type ReportClock,
  type ReportOptions,
} from '../../src/core/commissions/commission-report.ts';
import { CREDIT_MODELS } from '../../src/core/commissions/credit.ts';
import { isTimeZone } from '../../src/core/commissions/local-time.ts';
import { buildPostbackPath } from '../../src/core/paths.ts';
import { undoImport } from '../../src/server/commissions/csv-import.ts';
import { readListedCommissions } from '../../src/server/commissions/listed-commissions.ts';
import {
  createPostbackKey,
  createPostbackTokens,
  POSTBACK_KEY,
} from '../../src/server/commissions/postbacks.ts';
import { failWithUsage } from './arguments/parse-arguments.ts';
import { runCommand } from './arguments/run-command.ts';
import {
  parseChoice,
  parseDay,
  parseFormat,
  positionals,
  USAGE,
  values,
} from './commissions/command-line.ts';
import { countClicks } from './commissions/count-clicks.ts';
import { buildExplanation, formatExplanation } from './commissions/explain-commission.ts';
import { CommandError, findEntry } from './commissions/find-entry.ts';
import { formatImports, listImports } from './commissions/list-imports.ts';
import { formatUnmatched, listUnmatched } from './commissions/list-unmatched.ts';
import { type OpenedLedger, openLedger } from './commissions/open-ledger.ts';
import { formatRanking, rankClicks } from './commissions/rank-clicks.ts';
import { formatImport, runImportCommand } from './commissions/run-import.ts';
import { formatSync, runSyncCommand } from './commissions/run-sync.ts';
import { formatReport } from './commissions/write-report.ts';

/** Questions that have one answer. */
const SINGLE_ANSWERS = ['businessType', 'budget', 'revenue'];

const COMMANDS: Readonly<Record<string, { words: number; run: (opened: OpenedLedger) => Promise<string> }>> =
  {
    report: { words: 1, run: printReport },
    rank: { words: 1, run: printRanking },
    unmatched: { words: 1, run: printUnmatched },
    explain: { words: 2, run: printExplanation },
    assign: { words: 3, run: (opened) => decide(opened, 'assign') },
    dismiss: { words: 2, run: (opened) => decide(opened, 'dismiss') },
    reset: { words: 2, run: (opened) => decide(opened, 'reset') },
    import: { words: 2, run: importFile },
    imports: { words: 1, run: printImports },
    undo: { words: 2, run: undo },
    sync: { words: 1, run: sync },
    'postback-url': { words: 2, run: printPostbackUrl },
  };

async function printReport(opened: OpenedLedger): Promise<string> {
  const by = parseChoice('by', values.by, REPORT_DIMENSIONS);
  const timeZone = values['time-zone'] ?? opened.config.TIME_ZONE;
  if (!isTimeZone(timeZone))
    failWithUsage(`--time-zone is an IANA name such as Europe/Berlin, not "${timeZone}".`, USAGE);
  const options: ReportOptions = {
    by,
    clock: parseChoice<ReportClock>('clock', values.clock, ['click', 'booking']),
    model: parseChoice('model', values.model ?? (by === 'campaign' ? 'last' : 'clickPage'), CREDIT_MODELS),
    from: parseDay('from', values.from, timeZone) ?? 0,
    to: parseDay('to', values.to, timeZone) ?? Number.MAX_SAFE_INTEGER,
    timeZone,
    answerField: parseChoice('answer', values.answer, SINGLE_ANSWERS),
  };
  const [clicks, entries] = await Promise.all([countClicks(opened, options), readEntries(opened)]);
  const counted = entries.filter(({ isCounted }) => isCounted);
  const report = buildCommissionReport(counted, clicks, options);
  return formatReport(report, by, parseFormat(['table', 'csv', 'json']));
}

async function printRanking(opened: OpenedLedger): Promise<string> {
  const by = parseChoice('by', values.by, RANKING_DIMENSIONS);
  const currency = values.currency ?? 'USD';
  const ranking = await rankClicks(opened, { by, currency, now: Date.now() });
  return parseFormat(['table', 'json']) === 'json'
    ? formatJson({ currency, ...ranking, maturities: Object.fromEntries(ranking.maturities) })
    : formatRanking(ranking, by, currency);
}

async function printUnmatched(opened: OpenedLedger): Promise<string> {
  const list = listUnmatched(await readEntries(opened), await readListedCommissions(opened.store));
  return formatAs(list, formatUnmatched);
}

async function printExplanation(opened: OpenedLedger): Promise<string> {
  const explanation = buildExplanation(findTyped(await readEntries(opened)));
  return formatAs(explanation, formatExplanation);
}

async function decide(opened: OpenedLedger, action: 'assign' | 'dismiss' | 'reset'): Promise<string> {
  const { commission } = findTyped(await opened.ledger.readEntries());
  const clickId = action === 'assign' ? (positionals[2] ?? '').toLowerCase() : null;
  if (!(await opened.ledger.decide(commission, { action, clickId }))) {
    throw new CommandError(`There is no click ${clickId}: name the id of a stored affiliate_redirect.`);
  }
  return `${action}: ${formatId(commission)}\n`;
}

async function importFile(opened: OpenedLedger): Promise<string> {
  const summary = await runImportCommand(opened, positionals[1] ?? '', {
    partner: values.partner,
    currency: values.currency,
    timeZone: values['time-zone'],
    dates: values.dates,
    columns: values.column,
    isCommit: values.yes,
  });
  if (summary.problems.length > 0) process.exitCode = 1;
  return formatAs(summary, formatImport);
}

async function printImports({ store }: OpenedLedger): Promise<string> {
  const imports = listImports(await store.readImports());
  return formatAs({ imports }, () => formatImports(imports));
}

async function undo({ store }: OpenedLedger): Promise<string> {
  const [, id = ''] = positionals;
  if (await undoImport(store, id, Date.now())) return `undone: ${id}\n`;
  throw new CommandError(`There is no import "${id}" that counts.`);
}

async function sync(opened: OpenedLedger): Promise<string> {
  const results = await runSyncCommand(opened, values.partner);
  if (results.some(({ state }) => state === 'failed')) process.exitCode = 1;
  return formatAs({ results }, () => formatSync(results));
}

async function printPostbackUrl({ config, partners, store }: OpenedLedger): Promise<string> {
  const [, key = ''] = positionals;
  if (!partners.has(key)) {
    throw new CommandError(`There is no partner "${key}". Partners: ${[...partners.keys()].join(', ')}.`);
  }
  const tokens = createPostbackTokens(await store.createState(POSTBACK_KEY, createPostbackKey()));
  return `${config.siteUrl}${buildPostbackPath(key, tokens.build(key))}\n`;
}

/** Matches what became known meanwhile first; a ledger that cannot be written is read as it is. */
async function readEntries({ ledger }: OpenedLedger): Promise<readonly LedgerEntry[]> {
  await ledger.rematch().catch(() => 0);
  return ledger.readEntries();
}

/** The commission whose id, and perhaps partner, was typed. */
const findTyped = (entries: readonly LedgerEntry[]) =>
  findEntry(entries, positionals[1] ?? '', values.partner);
const formatId = ({ partner, nativeId }: CommissionId) => `${partner} ${nativeId}`;

/** Formats a result as JSON or, unless `--format` says so, for a terminal. */
function formatAs<Result extends object>(result: Result, format: (result: Result) => string): string {
  return parseFormat(['table', 'json']) === 'json' ? formatJson(result) : format(result);
}

const formatJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const [name = ''] = positionals;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) failWithUsage(`There is no command "${name}".`, USAGE);
if (positionals.length !== command.words) {
  const isShort = positionals.length < command.words;
  failWithUsage(isShort ? 'An argument is missing.' : `Unexpected argument "${positionals.at(-1)}".`, USAGE);
}
await runCommand(async () => {
  const opened = openLedger();
  try {
    return await command.run(opened);
  } finally {
    await opened.close();
  }
});
