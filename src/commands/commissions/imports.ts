import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { FILE_COLUMNS } from '../../core/commissions/cost/cost-columns.ts';
import { ANSWERED_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { describeDates, hasStatus, isByLabel } from '../../core/commissions/ledger/csv-columns.ts';
import type { ImportProfile } from '../../core/commissions/ledger/stored-money.schema.ts';
import { DAY_ORDERS } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { findProfileProblem } from '../../server/commissions/cost-import.ts';
import { commitImport, type ImportSummary, previewImport } from '../../server/commissions/csv-import.ts';
import type { ImportFile } from '../../server/commissions/detect-import-format.ts';
import {
  createCommissionSources,
  type SyncResult,
  syncNetworks,
} from '../../server/commissions/sync-networks.ts';
import { parseSentMessage } from '../../server/commissions/unread-messages.ts';
import { guardedGet } from '../../sources/http/guarded-http.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { formatLines, parseChoice } from '../command.ts';
import type { Line } from '../commissions.ts';
import { CLOCK, type OpenedLedger } from '../site.ts';

/** Previews the import of a file, or commits it with `--yes`. Throws an `Error` that says what is missing. */
export async function runImport(
  { ledger, store, partners, networks }: OpenedLedger,
  file: string,
  values: Line['values'],
): Promise<ImportSummary> {
  const { partner: key = '', yes } = values;
  const partner = partners.get(key);
  if (partner === undefined) {
    throw new Error(`Name the partner of the file: --partner ${[...partners.keys()].join('|')}.`);
  }
  const options = {
    ledger,
    store,
    partner: key,
    terms: partner.terms,
    networks,
    profile: parseProfile(values),
    now: Date.now(),
  };
  const opened = await openCsvFile(file);
  return yes ? commitImport(opened, options) : previewImport(opened, options);
}

/** Opens a CSV file for an import. Rejects with `CommissionSourceError`, or with the error of the file system. */
async function openCsvFile(file: string): Promise<ImportFile> {
  const open = () => createReadStream(file);
  const hash = createHash('sha256');
  for await (const chunk of open()) hash.update(chunk);
  const format = await detectCsvFormat(open);
  return {
    hash: hash.digest('hex'),
    name: path.basename(file),
    readRows: () => readCsvRows(open, format),
  };
}

const SAME_OR_OTHER = ['same', 'other'] as const;

/** What the command line says of how a report or an export of costs is read. Throws an `Error` that says what is wrong. */
export function parseProfile(values: Line['values']): ImportProfile {
  const { currency, 'time-zone': timeZone, dates, decimal, alike, checked, column, status } = values;
  const { 'not-used': unused, repeated } = values;
  const problem = findProfileProblem({ currency, timeZone });
  if (problem !== null) throw new Error(problem);
  return {
    ...(alike !== undefined && { alike: parseChoice('alike', alike, SAME_OR_OTHER) }),
    ...(repeated !== undefined && { repeated: parseChoice('repeated', repeated, SAME_OR_OTHER) }),
    ...(checked && { isChecked: true }),
    ...(currency !== undefined && { currency }),
    ...(decimal !== undefined && { decimal: parseChoice('decimal', decimal, ['.', ','] as const) }),
    ...(timeZone !== undefined && { timeZone }),
    ...(dates !== undefined && { dayOrder: parseChoice('dates', dates, DAY_ORDERS) }),
    ...(status !== undefined && { statuses: Object.fromEntries(status.map(parseStatusWord)) }),
    ...(unused !== undefined && { unused }),
    ...(column !== undefined && { columns: Object.fromEntries(column.map(parseColumn)) }),
  };
}

function parseStatusWord(text: string) {
  const at = text.lastIndexOf('=');
  const status = parseChoice('status WORD', text.slice(at + 1), ANSWERED_STATUSES);
  return [text.slice(0, at).trim().toLowerCase(), status] as const;
}

function parseColumn(word: string): readonly [string, string] {
  const [name = '', ...header] = word.split('=');
  if (FILE_COLUMNS.includes(name) && header.length > 0) return [name, header.join('=')];
  throw new Error(`--column is FIELD=HEADER with a field of ${FILE_COLUMNS.join(', ')}, not "${word}".`);
}

/** How many commissions the rows are, where that is another number. */
const describeCommissions = ({ rows, new: fresh, changed, unchanged }: ImportSummary) =>
  fresh + changed + unchanged === rows
    ? ''
    : `${rows} rows became ${fresh + changed + unchanged} commissions: `;

/** Formats what an import brings for a terminal. */
export function formatImport(summary: ImportSummary): string {
  const columns = Object.entries(summary.columns).filter(([, header]) => header !== null);
  const lines = [
    `${summary.rows} rows: ${isByLabel(summary) ? 'by ids of pages' : `${summary.matched} matched, ${summary.unmatched} unmatched`}`,
    `${describeCommissions(summary)}${summary.new} new, ${summary.changed} changed, ${summary.unchanged} unchanged`,
    ...Object.entries(summary.sums).map(
      ([currency, amount]) => `${formatDecimalAmount(amount, currency)} ${currency}`,
    ),
    ...(summary.corrections > 0
      ? [`corrections: ${summary.corrections} rows with a negative amount, part of the sum`]
      : []),
    ...Object.entries(summary.unknownSums).map(
      ([currency, amount]) =>
        `unknown status, in no total: ${formatDecimalAmount(amount, currency)} ${currency}`,
    ),
    ...(summary.unknown > 0
      ? [
          `${summary.unknown} rows have a status that is not known (${summary.unknownStatuses.join(', ')}): ` +
            "say what each means (--status WORD=approved), or name it under statuses in the partner's file",
        ]
      : []),
    ...(hasStatus(summary.columns) ? [] : ['no column has a status']),
    `columns: ${columns.map(([name, header]) => `${name}=${header}`).join(', ')}`,
    `amounts with "${summary.reading.decimal}" before decimals, ${describeDates(summary.reading)}`,
    ...(summary.unused.length > 0 ? [`not used: ${summary.unused.join(', ')}`] : []),
    ...(summary.undated > 0 ? [`${summary.undated} rows without a day count today`] : []),
    ...(summary.totals.length > 0
      ? [`left out as totals or notes: line ${summary.totals.join(', line ')}`]
      : []),
    ...summary.problems,
    summary.committed
      ? `Imported as ${summary.import}; take it back with: ${nameCommand('commissions undo')} ${summary.import}`
      : summary.problems.length > 0
        ? 'Nothing was imported: correct these rows first.'
        : summary.guessed !== ''
          ? `Nothing was imported yet: nobody has tried reports of ${summary.guessed} on an account. Compare rows, sum and days with the network's own page, then add --checked --yes.`
          : 'Nothing was imported yet: add --yes to import it.',
  ];
  return formatLines(lines);
}

/** Reads every network whose credentials are set, or that of one partner. Throws when no network has credentials. */
export async function runSync(
  { config, partners, networks, secrets, ledger: commissions, store: ledger }: OpenedLedger,
  partner: string | undefined,
): Promise<readonly SyncResult[]> {
  const chosen = partner === undefined ? undefined : partners.get(partner);
  if (partner !== undefined && chosen === undefined) throw new Error(`There is no partner "${partner}".`);
  const platform = { clock: CLOCK, httpGet: guardedGet };
  await secrets.readConfirmed(networks);
  const all = [...createCommissionSources(networks, config, platform, secrets)];
  const commissionSources = new Map(all.filter(([network]) => !chosen || chosen.terms.network === network));
  if (commissionSources.size === 0) {
    const own = new Set([...partners.values()].map(({ terms }) => terms.network));
    const needed = [...networks].flatMap(([name, file]) =>
      own.has(name) && file.interface ? [file.interface.needs.join(' and ')] : [],
    );
    const what =
      needed.length === 0 ? 'no network of your partners has an interface' : `set ${needed.join(', or ')}`;
    throw new Error(`No network to read: ${what}.`);
  }
  return syncNetworks({
    money: {
      commissions,
      commissionSources,
      ledger,
      parseMessage: (fields, terms) => parseSentMessage(fields, terms, networks, CLOCK.now()),
    },
    content: { read: () => ({ partners }) },
    clock: CLOCK,
    newId: randomUUID,
  });
}
