import { buildSchedule, PAYMENT_COLUMNS } from '../console/reports/payments.ts';
import { getEntryTime } from '../console/reports/select-entries.ts';
import { DAY_MS } from '../core/clock.ts';
import {
  REPORT_DIMENSIONS,
  type ReportQuery,
  startReport,
} from '../core/commissions/credit/commission-report.ts';
import { CAMPAIGN_MODELS } from '../core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import { buildPayments } from '../core/commissions/ledger/due-date.ts';
import { isTimeZone, parseDate } from '../core/commissions/local-time.ts';
import { buildPostbackPath } from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { undoImport } from '../server/commissions/csv-import.ts';
import { MAX_FORMER_DAYS, PostbackAddresses } from '../server/commissions/postbacks.ts';
import {
  type CommandLine,
  chooseSubcommand,
  defineCommand,
  FLAG,
  formatCsv,
  formatFields,
  formatJson,
  formatTable,
  parseChoice,
  UsageError,
} from './command.ts';
import {
  formatCostImport,
  formatCostReport,
  formatCosts,
  listCosts,
  nameTime,
  runAssignCost,
  runCostImport,
  runSetCost,
} from './commissions/costs.ts';
import { formatImport, runImport, runSync } from './commissions/imports.ts';
import {
  convertPages,
  formatExchange,
  formatRateImport,
  formatRates,
  importRates,
  listRates,
  setRate,
  setReportingCurrency,
} from './commissions/rates.ts';
import {
  buildExplanation,
  countClicks,
  formatExplanation,
  formatReport,
  formatUnmatched,
  listUnmatched,
} from './commissions/reports.ts';
import type { DataFolderSite, OpenedLedger } from './site.ts';

const RUN = nameCommand('commissions');

const USAGE = `Usage:
  ${RUN} report [--by page|placement|campaign|source|answer|partner|month] [--from DAY]
      [--to DAY] [--model first|last] [--answer FIELD] [--currency CODE] [--time-zone ZONE]
      [--format table|csv|json] [--cost]
  ${RUN} payments [--partner KEY] [--format table|csv|json]
  ${RUN} unmatched [--format table|json]
  ${RUN} explain ID [--partner KEY] [--format table|json]
  ${RUN} assign ID CLICK [--partner KEY]
  ${RUN} dismiss ID [--partner KEY]
  ${RUN} reset ID [--partner KEY]
  ${RUN} import FILE --partner KEY --currency CODE --time-zone ZONE [--dates ORDER] [--decimal .|,]
      [--column FIELD=HEADER]... [--not-used HEADER]... [--status WORD=MEANING]...
      [--alike same|other] [--repeated same|other] [--checked] [--yes] [--format table|json]
  ${RUN} imports [--format table|json]
  ${RUN} undo IMPORT
  ${RUN} cost import FILE --platform google|microsoft|meta [--currency CODE] [--time-zone ZONE]
      [--dates day-first|month-first|year-first|year-day] [--decimal .|,] [--column FIELD=HEADER]... [--not-used HEADER]...
      [--yes] [--format table|json]
  ${RUN} cost set CAMPAIGN AMOUNT CURRENCY --month MONTH|--day DAY
  ${RUN} cost assign PLATFORM NAME CAMPAIGN
  ${RUN} cost list [--format table|json]
  ${RUN} rates [--format table|json]
  ${RUN} rates import FILE [--yes] [--format table|json]
  ${RUN} rates set BASE QUOTE RATE [--day DAY]
  ${RUN} rates remove BASE QUOTE [--day DAY]
  ${RUN} rates total CODE|none
  ${RUN} sync [--partner KEY] [--format table|json]
  ${RUN} postback-url PARTNER [--renew DAYS]

report        sums commissions and clicks by the day of the click; what names no click counts on the day of the commission.
              --from is inclusive, --to exclusive. --model says which campaign before a click has its money: the last one
              unless it is first. --currency converts the money of other currencies, at the rate of the day of the booking.
              --cost with --by campaign adds what campaigns cost, and what they earned less that.
payments      lists what was paid, is due, is overdue or has no date, by day and partner, as the partners' files state
              their terms.
unmatched     lists commissions without a click, the reason, and where sources disagree.
explain       shows the chain from a commission to its click, page, campaign and answers.
assign        assigns a commission to a click; dismiss leaves it out of every total; reset takes either back.
import        shows what a CSV file of a network would bring; --yes imports it. The currency and the time zone of the
              last import of the partner are used again. imports lists the imports, undo takes one back as a whole.
cost          import shows what the CSV export of an advertising platform would bring; --yes imports it. set stores what a
              campaign cost in a month or on a day. assign names the campaign of the reports for one that was not
              matched. list shows all of it; undo takes an import or an amount back.
rates         lists the exchange rates. rates import reads eurofxref-hist.csv of the European Central Bank, or its XML;
              rates set stores what one BASE costs in QUOTE on a day, which has priority; rates total sets the currency in
              which the console shows totals.
sync          reads the networks whose credentials are set now.
postback-url  prints the secret address at which a partner's network reports commissions. --renew gives the partner
              another one; the former is accepted for so many days.

DATA_DIR (./data) is the folder of the ledger and the events.`;

const OPTIONS = {
  answer: { type: 'string', default: 'businessType' },
  by: { type: 'string', default: 'page' },
  column: { type: 'string', multiple: true },
  cost: FLAG,
  currency: { type: 'string' },
  dates: { type: 'string' },
  decimal: { type: 'string' },
  alike: { type: 'string' },
  repeated: { type: 'string' },
  checked: { type: 'boolean' },
  day: { type: 'string' },
  format: { type: 'string', default: 'table' },
  from: { type: 'string' },
  model: { type: 'string' },
  month: { type: 'string' },
  'not-used': { type: 'string', multiple: true },
  partner: { type: 'string' },
  platform: { type: 'string' },
  renew: { type: 'string' },
  status: { type: 'string', multiple: true },
  'time-zone': { type: 'string' },
  to: { type: 'string' },
  yes: FLAG,
} as const;

const SINGLE_ANSWERS = ['businessType', 'budget', 'revenue'];

/** The words and options of the command line. */
export type Line = CommandLine<typeof OPTIONS>;
/** What a subcommand prints; its exit code is 0 when it resolves with a text alone. */
type Outcome = string | { readonly text: string; readonly code: number };

interface Subcommand {
  readonly words: number;
  /** Whether a site may begin with it: what it writes needs nothing that is there. */
  readonly creates?: true;
  readonly run: (opened: OpenedLedger, line: Line) => Promise<Outcome>;
}

/** The subcommands of `cost`, whose name is the first of their words. */
const COST_SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  import: { words: 2, creates: true, run: importCostFile },
  set: { words: 4, creates: true, run: setCampaignCost },
  assign: { words: 4, run: (opened, { positionals }) => runAssignCost(opened, positionals.slice(2)) },
  list: { words: 1, run: async (opened, line) => formatAs(line, await listCosts(opened), formatCosts) },
};

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  report: { words: 1, run: printReport },
  payments: { words: 1, run: printPayments },
  unmatched: {
    words: 1,
    async run(opened, line) {
      await update(opened);
      const { waiting, ...list } = await listUnmatched(opened);
      return formatAs(line, list, () => formatUnmatched(waiting, list));
    },
  },
  explain: {
    words: 2,
    async run(opened, line) {
      await update(opened);
      return formatAs(line, buildExplanation(await findNamed(opened, line)), formatExplanation);
    },
  },
  assign: { words: 3, run: (opened, line) => decide(opened, line, 'assign') },
  dismiss: { words: 2, run: (opened, line) => decide(opened, line, 'dismiss') },
  reset: { words: 2, run: (opened, line) => decide(opened, line, 'reset') },
  import: { words: 2, creates: true, run: importFile },
  imports: { words: 1, run: printImports },
  undo: { words: 2, run: undo },
  rates: { words: 1, run: async (opened, line) => formatAs(line, await listRates(opened), formatRates) },
  sync: { words: 1, run: sync },
  'postback-url': { words: 2, run: printPostbackUrl },
};

/** What follows the word `rates`. */
const RATE_SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  import: {
    words: 2,
    creates: true,
    async run(opened, line) {
      const summary = await importRates(opened, line.positionals[2] ?? '', line.values.yes);
      return formatAs(line, summary, formatRateImport);
    },
  },
  set: {
    words: 4,
    creates: true,
    run: (opened, { positionals: [, , base = '', quote = '', rate = ''], values }) =>
      setRate(opened, { base, quote, rate }, values.day),
  },
  remove: {
    words: 3,
    run: (opened, { positionals: [, , base = '', quote = ''], values }) =>
      setRate(opened, { base, quote, rate: null }, values.day),
  },
  total: {
    words: 2,
    creates: true,
    run: (opened, { positionals }) => setReportingCurrency(opened, positionals[2] ?? ''),
  },
};

/** `signpost commissions`: reports, matches and imports commissions, also while the site runs. */
export const command = defineCommand({
  usage: USAGE,
  options: OPTIONS,
  words: [1, 5],
  async run(line, io, site: DataFolderSite) {
    const [first, ...rest] = line.positionals;
    const subcommand =
      first === 'cost'
        ? chooseSubcommand(COST_SUBCOMMANDS, rest)
        : first === 'rates' && rest.length > 0
          ? chooseSubcommand(RATE_SUBCOMMANDS, rest)
          : chooseSubcommand(SUBCOMMANDS, line.positionals);
    const outcome = await subcommand.run(await site.openLedger(subcommand.creates), line);
    io.stdout.write(typeof outcome === 'string' ? outcome : outcome.text);
    return typeof outcome === 'string' ? 0 : outcome.code;
  },
});

async function printReport(opened: OpenedLedger, { values }: Line): Promise<string> {
  const by = parseChoice('by', values.by, REPORT_DIMENSIONS);
  const timeZone = values['time-zone'] ?? opened.config.TIME_ZONE;
  if (!isTimeZone(timeZone))
    throw new UsageError(`--time-zone is an IANA name such as Europe/Berlin, not "${timeZone}".`);
  const options: ReportQuery = {
    by,
    model: parseChoice('model', values.model ?? 'last', CAMPAIGN_MODELS),
    from: parseDay('from', values.from, timeZone) ?? 0,
    to: parseDay('to', values.to, timeZone) ?? Number.MAX_SAFE_INTEGER,
    timeZone,
    answerField: parseChoice('answer', values.answer, SINGLE_ANSWERS),
  };
  const format = parseChoice('format', values.format, ['table', 'csv', 'json']);
  const { currency } = values;
  await update(opened);
  if (values.cost) {
    if (by !== 'campaign')
      throw new UsageError('--cost goes with --by campaign: a cost belongs to a campaign.');
    return formatCostReport(opened, options, { format, currency });
  }
  const report = startReport(await countClicks(opened, options), options);
  // Days of any time zone are among these.
  const { from, to } = options;
  const days = { from: Math.floor(from / DAY_MS) - 1, to: Math.ceil(to / DAY_MS) + 1 };
  const pages = opened.ledger.table.readPages({ isCounted: true, days });
  if (currency === undefined) {
    for await (const page of pages) for (const entry of page) report.add(entry);
    return formatReport(report.finish(), options, format);
  }
  const isOfPeriod = (entry: LedgerEntry) => {
    const time = getEntryTime(entry);
    return time >= from && time < to;
  };
  const exchange = await convertPages(opened, pages, currency, { ...report, isOfPeriod });
  if (format === 'json') return formatJson({ ...report.finish(), exchange });
  const text = formatReport(report.finish(), options, format);
  return format === 'csv' ? text : text + formatExchange(exchange);
}

async function printPayments(opened: OpenedLedger, { values }: Line): Promise<string> {
  const format = parseChoice('format', values.format, ['table', 'csv', 'json']);
  const { ledger, partners } = opened;
  await update(opened);
  const [dues, all] = await Promise.all([ledger.table.readDues(null), ledger.table.readCohorts(null)]);
  const scheduled = buildSchedule(dues, all, partners, Date.now());
  const isOwn = ({ partner }: (typeof scheduled)[number]) =>
    values.partner === undefined || partner === values.partner;
  const payments = buildPayments(scheduled.filter(isOwn));
  if (format === 'json') return formatJson({ payments });
  return format === 'csv' ? formatCsv(payments, PAYMENT_COLUMNS) : formatTable(payments, PAYMENT_COLUMNS);
}

async function decide(
  opened: OpenedLedger,
  line: Line,
  action: 'assign' | 'dismiss' | 'reset',
): Promise<string> {
  const { commission } = await findNamed(opened, line);
  const clickId = action === 'assign' ? (line.positionals[2] ?? '').toLowerCase() : null;
  if (!(await opened.ledger.decide(commission, { action, clickId }))) {
    throw new Error(`There is no click ${clickId}: name the id of a stored affiliate_redirect.`);
  }
  return `${action}: ${commission.partner} ${commission.nativeId}\n`;
}

async function importFile(opened: OpenedLedger, line: Line): Promise<Outcome> {
  const summary = await runImport(opened, line.positionals[1] ?? '', line.values);
  const isOpen = summary.problems.length > 0 || (line.values.yes && !summary.committed);
  return { text: formatAs(line, summary, formatImport), code: isOpen ? 1 : 0 };
}

async function importCostFile(opened: OpenedLedger, line: Line): Promise<Outcome> {
  const summary = await runCostImport(opened, line.positionals[2] ?? '', line.values);
  const text = formatAs(line, summary, (result) => formatCostImport(result, opened.config.TIME_ZONE));
  return { text, code: summary.problems.length > 0 ? 1 : 0 };
}

function setCampaignCost(
  opened: OpenedLedger,
  { positionals, values: { month, day } }: Line,
): Promise<string> {
  if (month !== undefined && day !== undefined) throw new UsageError('Choose one of --month and --day.');
  if (month !== undefined && month.length !== 7)
    throw new UsageError(`--month is a month such as 2026-11, not "${month}".`);
  return runSetCost(opened, positionals.slice(2), month ?? day);
}

async function printImports({ store }: OpenedLedger, line: Line): Promise<string> {
  const imports = (await store.readImports()).map(nameTime);
  const format = () => formatFields(imports, 'id', 'partner', 'file', 'state', 'rows', 'changed');
  return formatAs(line, { imports }, format);
}

async function undo({ store, costs }: OpenedLedger, { positionals: [, id = ''] }: Line): Promise<string> {
  if ((await undoImport(store, id, Date.now())) || (await costs.undo(id, Date.now())))
    return `undone: ${id}\n`;
  throw new Error(`There is no import "${id}" that counts.`);
}

async function sync(opened: OpenedLedger, line: Line): Promise<Outcome> {
  const results = await runSync(opened, line.values.partner);
  const code = results.some(({ state }) => state === 'failed') ? 1 : 0;
  const format = () => formatFields(results, 'network', 'state', 'stored', 'matched', 'problem');
  return { text: formatAs(line, { results }, format), code };
}

async function printPostbackUrl(
  { config, partners, store }: OpenedLedger,
  { positionals: [, key = ''], values: { renew } }: Line,
): Promise<string> {
  if (!partners.has(key)) {
    throw new Error(`There is no partner "${key}". Partners: ${[...partners.keys()].join(', ')}.`);
  }
  const addresses = new PostbackAddresses(store, Date.now);
  await addresses.create();
  if (renew !== undefined) await addresses.renew(key, parseDays(renew) * DAY_MS);
  const tokens = await addresses.readTokens();
  return `${config.siteUrl}${buildPostbackPath(key, tokens?.build(key) ?? '')}\n`;
}

function parseDays(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= MAX_FORMER_DAYS) return Number(text);
  throw new UsageError(`--renew is a number of days from 0 to ${MAX_FORMER_DAYS}, not "${text}".`);
}

/** Matches and folds what became known meanwhile; a ledger that cannot be written is read as it is. */
async function update({ ledger }: OpenedLedger): Promise<void> {
  await ledger.rematch().catch(() => 0);
  await ledger.fold.refold().catch(() => undefined);
}

/** Finds the commission that the command line names. Rejects when it is missing, or when several partners have it. */
async function findNamed({ ledger }: OpenedLedger, { positionals: [, id = ''], values }: Line) {
  const partners = values.partner === undefined ? undefined : [values.partner];
  const found = await ledger.table.readWhole({ nativeId: id, partners });
  const [entry] = found;
  if (entry === undefined) throw new Error(`There is no commission "${id}".`);
  if (found.length === 1) return entry;
  const names = found.map(({ commission }) => commission.partner).join(', ');
  throw new Error(`Several partners have a commission "${id}": add --partner (${names}).`);
}

/** Formats a result as JSON if `--format` says so, else for a terminal. */
function formatAs<Result extends object>(
  { values }: Line,
  result: Result,
  format: (result: Result) => string,
): string {
  return parseChoice('format', values.format, ['table', 'json']) === 'json'
    ? formatJson(result)
    : format(result);
}

function parseDay(option: string, text: string | undefined, timeZone: string): number | undefined {
  if (text === undefined) return undefined;
  const time = parseDate(text, timeZone, 'month-first');
  if (time === null) throw new UsageError(`--${option} is a day such as 2026-11-20, not "${text}".`);
  return time;
}
