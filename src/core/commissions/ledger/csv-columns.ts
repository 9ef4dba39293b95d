import { DAY_MS } from '../../clock.ts';
import { memoizeByKey } from '../../text/memoize-by-key.ts';
import {
  DAY_ORDERS,
  type DayOrder,
  findTimeProblem,
  getLocalDay,
  isAmbiguousDay,
  parseDate,
} from '../local-time.ts';
import {
  type DecimalSign,
  findForeignSign,
  formatDecimalAmount,
  getHeaderCurrency,
  isCurrency,
  isCurrencyWord,
  parseReportAmount,
  readDashes,
} from '../money.ts';
import { MEANINGS, type Meaning, type NetworkFile, type Networks } from '../networks/network.schema.ts';
import { getDocumented, MONEY_NAME, STATUS_NAME } from '../networks/parse-message.ts';
import {
  buildReport,
  decideKind,
  decideStatus,
  readValue,
  type Scope,
  toText,
} from '../networks/read-record.ts';
import type { FactLabel, ReportedFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';
import {
  buildNativeId,
  buildTotalId,
  isNothing,
  NO_MONEY_NAME,
  parseStatus,
  parseToken,
  saysTakenBack,
} from './message-fields.ts';

export type ReportColumn = Meaning;

/** Every kind of column, for messages and checks. */
export const REPORT_COLUMNS: readonly ReportColumn[] = MEANINGS;

/** The header of each column that was found; null for those that the file does not have. */
export type ColumnMap = Readonly<Record<ReportColumn, string | null>>;

/** A row of a file as it was read. */
export interface FileRow {
  /** The number of the line on which it begins, from 1. */
  readonly line: number;
  /** Its cells by heading; undefined where it ends before that column. A line end within a cell without quotes is `\r`. */
  readonly row: Row;
  /** Its filled cells behind the last heading. */
  readonly extra: readonly string[];
}

/** Why a row does not fit its headings; null when it does. `needed`: the headings without which it says nothing. */
export function findMisfit(
  { row, extra }: FileRow,
  needed: readonly (string | null | undefined)[],
): string | null {
  const [beyond] = extra;
  if (beyond !== undefined)
    return `it has more cells than the heading, the last one with "${beyond.slice(0, 20)}": quote the cell that has the separator in it`;
  const cut = needed.find(
    (header) => header && Object.hasOwn(row, header) && (row[header] ?? '\r').includes('\r'),
  );
  if (cut) return `the line ends before or within the column ${cut}`;
  const headings = Object.keys(row);
  const divided = headings.findIndex((header) => row[header]?.includes('\r'));
  const last = Math.max(...needed.map((header) => headings.indexOf(header ?? '')));
  return divided > last
    ? `its line end in the column ${headings[divided]} can be the end of a row: quote the cell that has it`
    : null;
}

/** Whether a row is a note between or behind the rows of a table: one cell with words. */
export function isNote({ row, extra }: FileRow): boolean {
  const filled = [...Object.values(row), ...extra].filter((text) => text?.trim());
  const [text = ''] = filled;
  return (
    filled.length === 1 && (row[Object.keys(row)[0] ?? ''] ?? '') === text && /^[^\d\s]\S*\s+\S+\s/.test(text)
  );
}

const PRODUCT_NAME = /^(?:product|item|article|sku|asin)(?:id|no|number|name|sku)?$/;

/** The headings of what was sold. */
export const listProductColumns = (row: Row, { item, itemName }: ColumnMap): readonly string[] =>
  Object.keys(row).filter(
    (name) => name === item || name === itemName || PRODUCT_NAME.test(simplifyHeading(name)),
  );

const simplified = new Map<string, string>();

/** What a heading of hundredths ends with: `(cents)`, `_cents`. */
const SMALL_UNIT = /[\s_(["-]+(?:cents?|centimes|centavos|pence|minor(?: units?)?)\W*$/i;
/** What is no money, though its heading begins like one: `Commission (%)`, `Commission in k`. */
const PERCENT = /%|\b(?:pct|tsd|thousands?|mio|millions?)\b|\(k\p{Sc}?\)|\bk\b/iu;

/** A heading without case, separators and the unit in brackets: `Publisher Commission (USD)`, `Ad Fees($)`. */
export function simplifyHeading(header: string): string {
  const known = simplified.get(header);
  if (known !== undefined) return known;
  const name = header
    .replace(/\s*(?:\((?![^()]*[\d%])[^()]*\)|\[(?![^[\]]*[\d%])[^[\]]*\])\s*$/, '')
    .replace(SMALL_UNIT, '')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '');
  if (simplified.size < 5_000) simplified.set(header, name);
  return name;
}

/**
 * The network whose report has these headings: the partner's own if it has one, else the one that recognizes most of
 * them, else the one with the usual names. Returns its name in `networks`, with that of a further report behind a slash.
 */
export function findReportNetwork(headers: readonly string[], own: string, networks: Networks): string {
  const names = new Set(headers.map(simplifyHeading));
  const find = (all: Iterable<readonly [string, NetworkFile]>) => {
    const known = [...all].flatMap(([network, { report, reports }]) =>
      [
        [network, report] as const,
        ...Object.entries(reports).map(([name, one]) => [`${network}/${name}`, one] as const),
      ].flatMap(([name, one]) => {
        const headings = one?.recognize ?? [];
        return headings.length > 0 && headings.every((heading) => names.has(simplifyHeading(heading)))
          ? [{ name, count: headings.length }]
          : [];
      }),
    );
    const [best] = known.sort((one, other) => other.count - one.count);
    return best?.name;
  };
  const file = networks.get(own);
  if (file?.report !== undefined) return find([[own, file]]) ?? own;
  return find(networks) ?? 'generic';
}

const getReports = memoizeByKey(
  ({ reports, ...file }: NetworkFile) =>
    new Map(Object.entries(reports).map(([name, report]) => [name, { ...file, reports, report }])),
);

/** The file of a report that `findReportNetwork` has named, with that report as its own. */
export function getReportFile(networks: Networks, name: string): NetworkFile {
  const [network = '', report] = name.split('/');
  const file = networks.get(network) ?? getDocumented(networks);
  return (report === undefined ? undefined : getReports(file).get(report)) ?? file;
}

/** The names of columns by what they hold: those of a network's file before the usual ones. */
const listNames = (column: ReportColumn, file: NetworkFile, networks: Networks) => [
  ...(file.report?.columns[column] ?? []),
  // Of a network with ids of its own, one of orders has several commissions.
  ...(getDocumented(networks).names[column] ?? []).filter(
    (name) => column !== 'id' || !file.report?.columns.id || !ORDER_ID.test(name),
  ),
  ...(FILE_NAMES[column] ?? []),
];

const ORDER_ID = /order|oid|receipt|^key$|^transaction$/;

/** Headings in files alone: fields of messages with these names mean less. */
const FILE_NAMES: Partial<Record<ReportColumn, readonly string[]>> = {
  currency: ['währung', 'devise', 'moneda', 'moeda', 'valuta', 'curr', 'ccy'],
  eventTime: ['order date', 'sale date', 'purchase date', 'conversion time', 'datum', 'fecha'],
};

/** Says how dates are read; their order only where a date needs it. */
export const describeDates = ({
  timeZone,
  dayOrder,
}: {
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
}) => `dates in ${timeZone}${dayOrder === 'unknown' ? '' : `, ${dayOrder}`}`;

/** Whether a file says what has become of its commissions. */
export const hasStatus = ({ status, voided, locked, paid }: ColumnMap) =>
  (status ?? voided ?? locked ?? paid) !== null;

/** How columns are found. */
interface Detection {
  readonly file: NetworkFile;
  readonly networks: Networks;
  /** What the operator has chosen: taken as it is; empty: no column. */
  readonly chosen: Readonly<Partial<Record<ReportColumn, string>>>;
  /** Columns that the operator has called not used. */
  readonly unused: readonly string[];
  /** Of several columns of one name the one in this currency is taken. */
  readonly currency: string;
}

const IS_MONEY: ReadonlySet<ReportColumn> = new Set(['amount', 'saleAmount']);

/** Finds columns by their names; no header serves twice. */
export function detectColumns(headers: readonly string[], detection: Detection): ColumnMap {
  const { file, networks, chosen, currency } = detection;
  const taken = new Set<string>([...Object.values(chosen), ...detection.unused]);
  const found: Partial<Record<ReportColumn, string | null>> = {};
  const isFirst = (header: string) => Number(getHeaderCurrency(header, currency) === currency);
  const ordered = headers.toSorted((one, other) => isFirst(other) - isFirst(one));
  for (const column of REPORT_COLUMNS) {
    // A sale in another currency than its commission is left out.
    const unit = getHeaderCurrency(found.amount ?? null, currency) ?? currency;
    const isOther = (text: string) =>
      (column === 'saleAmount' && (getHeaderCurrency(text, unit) ?? unit) !== unit) ||
      (IS_MONEY.has(column) && PERCENT.test(text));
    const named =
      chosen[column] ??
      listNames(column, file, networks)
        .map((name) =>
          ordered.find(
            (text) => simplifyHeading(text) === simplifyHeading(name) && !taken.has(text) && !isOther(text),
          ),
        )
        .find((text) => text !== undefined);
    const header = named || null;
    if (header !== null) taken.add(header);
    found[column] = header;
  }
  return found as ColumnMap;
}

const MONEY = /^[^\d]{0,4}\d[\d.,\s']*[^\d]{0,4}$/;
const HAS_DECIMALS = /[.,]\d{2}(?!\d)/;
const STATE_WORD = /^(yes|no|y|n|true|false)$/i;
/** How words of a status begin in languages whose words are not read: enough to ask. */
const STATE_WORDS = [
  'best[äa]tig|genehmig|freigegeben|storn|abgelehn|offen$|ausstehend|bezahlt|approuv|valid[eé]|refus|annul|en attente|pay[ée]',
  'aprob|aprov|rechaz|rejeit|recus|pend[ie]|confirm|cancel|anul|pagad|approvat|rifiut|in attesa|goedgekeur|afge(?:wez|keur)',
  'godk[äaej]n|av(?:vis|bröt)|afvis|afvent|väntar|hyväks|hylät|odot|zatwierdz|odrzuc|oczek|zaakcept|schvál|zamít|ček',
  'jóváhagy|elutas|függő|onay|redd|bekle|iptal|подтв|одобр|отклон|отмен|ожид|承認|否認|却下|保留|確定|批准|拒绝|待|승인|거절|대기',
];
const STATE_BEGIN = new RegExp(`^(?:${STATE_WORDS.join('|')})`, 'iu');
const STATE_NAME = /stat(us|e)$|approv|reject|declin|cancel|void|revers|valid/;

/** The headings that nothing reads, and that neither the operator nor the network's file knows as such. */
function listUnread(headers: readonly string[], columns: ColumnMap, detection: Detection): readonly string[] {
  const { file, unused } = detection;
  const used = new Set([...Object.values(columns), ...unused]);
  const ignored = new Set(file.report?.ignore.map(simplifyHeading));
  return headers.filter((header) => !used.has(header) && !ignored.has(simplifyHeading(header)));
}

/** The columns whose words can take a row back: none once the operator has said which one has the status. */
export const listWatched = (headers: readonly string[], columns: ColumnMap, detection: Detection) =>
  detection.chosen.status === undefined ? listUnread(headers, columns, detection) : [];

/** A column that may be what the reading lacks, or what it reads from another one. */
export interface ColumnQuestion {
  readonly header: string;
  /** Some of its cells. */
  readonly samples: readonly string[];
  /** What it may be, the likeliest first. */
  readonly as: readonly ReportColumn[];
  /** What is asked, in a sentence. */
  readonly text: string;
}

/** Money of a report that is not the site's. */
const OTHER_MONEY =
  /price|tax|vat|gst|shipping|discount|coupon|revenue|sale|order|basket|cart|quantity|cost|balance|turnover|umsatz|mwst|preis/;
/** Questions about days, states and ids at once; the others follow the answers. */
const MAX_QUESTIONS = 3;
const MAX_SAMPLES = 3;

/**
 * Asks about each column that nothing reads and whose cells look like amounts, currencies, ids, states or days that the
 * reading lacks. What the operator has chosen, and what the network's file names, is never doubted.
 */
export function findColumnQuestions(
  rows: readonly Row[],
  columns: ColumnMap,
  detection: Detection,
): readonly ColumnQuestion[] {
  const { file, networks, chosen, currency } = detection;
  const headers = Object.keys(rows[0] ?? {});
  const unread = listUnread(headers, columns, detection);
  const documented = getDocumented(networks);
  const read = (header: string | null) => rows.map((row) => (row[header ?? ''] ?? '').trim());
  const list = (header: string) => read(header).filter((text) => text !== '');
  const ask = (header: string, text: string, ...as: readonly ReportColumn[]): ColumnQuestion => ({
    header,
    samples: [...new Set(list(header))].slice(0, MAX_SAMPLES),
    as,
    text,
  });
  const differs = (one: string, other: string | null) => read(one).join('\n') !== read(other).join('\n');
  const isNamed = (header: string, names: readonly string[] = []) =>
    names.some((name) => simplifyHeading(name) === simplifyHeading(header));
  const isVague = (header: string | null) => isNamed(header ?? '', documented.vague);
  const isUnasked = (column: ReportColumn) => chosen[column] === undefined;

  const isKnown = isNamed(columns.amount ?? '', file.report?.columns.amount);
  // Of a commission in several currencies the one in the operator's is read.
  const isChosen = getHeaderCurrency(columns.amount, currency) === currency;
  const isOther = (header: string) => (getHeaderCurrency(header, currency) ?? currency) !== currency;
  const isAny = columns.amount === null || (isVague(columns.amount) && columns.saleAmount === null);
  const isMoney = (header: string) => {
    const name = simplifyHeading(header);
    const texts = list(header).filter((text) => /[1-9]/.test(text));
    const isWritten = (text: string) =>
      MONEY.test(text) &&
      !isDay(text) &&
      (HAS_DECIMALS.test(text) || /\p{Sc}/u.test(text) || MONEY_NAME.test(name));
    if (texts.filter(isWritten).length * 2 <= texts.length || (isChosen && isOther(header))) return false;
    if (NO_MONEY_NAME.test(name) || PERCENT.test(header) || !differs(header, columns.amount)) return false;
    return isAny || isNamed(header, documented.names.amount) || !OTHER_MONEY.test(name);
  };
  const isPair = isVague(columns.amount) && isVague(columns.saleAmount) && isUnasked('saleAmount');
  const money =
    !isUnasked('amount') || isKnown || file.report?.money === 'none' ? [] : unread.filter(isMoney);
  const both = isPair && !isKnown && isUnasked('amount') ? [columns.saleAmount ?? ''] : [];
  const amounts = [...both, ...money].map((header) =>
    ask(
      header,
      columns.amount === null
        ? `Nothing but the column ${header} looks like the commission: say whether it is (--column amount="${header}").`
        : `The columns ${columns.amount} and ${header} can both be the commission: say which (--column amount="${columns.amount}" or amount="${header}").`,
      'amount',
      'saleAmount',
    ),
  );

  const unit = getHeaderCurrency(columns.amount, currency);
  const isForeign = (text: string) => isCurrencyWord(text) && text.toUpperCase() !== unit;
  const foreign =
    columns.amount === null || !isUnasked('currency')
      ? []
      : listFullOf(rows, unread, isForeign).filter(
          (header) =>
            columns.currency === null ||
            (differs(header, columns.currency) && !OTHER_MONEY.test(simplifyHeading(header))),
        );

  const isState = (header: string) => {
    const texts = list(header);
    const name = simplifyHeading(header);
    const isOne = (text: string) =>
      parseStatus(text, { statuses: {} }) !== 'unknown' ||
      STATE_BEGIN.test(text) ||
      (STATE_WORD.test(text) && STATE_NAME.test(name));
    const isStatus = STATUS_NAME.test(name) && columns.status === null;
    return texts.length > 0 && (isStatus || texts.every((text) => !/\d/.test(text) && isOne(text)));
  };
  const days = columns.eventTime === null ? listFullOf(rows, unread, isDay) : [];
  const isId = (header: string) => {
    const texts = list(header);
    const isOne = (text: string) => /^[^\s@/]*\d[^\s@/]*$/.test(text) && text.length <= 60 && !isDay(text);
    return new Set(texts).size === rows.length && texts.every(isOne) && !isMoney(header);
  };
  const hasId = file.report?.id !== undefined || file.report?.money === 'sums' || file.report?.numbersRows;
  const ids = columns.id === null && !hasId && isUnasked('id') ? unread.filter(isId) : [];
  const twins = unread.flatMap((header) => {
    const first = header.replace(/ \(\d+\)$/, '');
    const column = REPORT_COLUMNS.find((name) => columns[name] === first && isUnasked(name));
    return first === header || column === undefined || !differs(header, first) ? [] : [{ header, column }];
  });
  const sayUnread = (header: string, words: string, what: string, column: ReportColumn) =>
    `Not read, but mostly ${words}: ${header}. Say which column has ${what} (--column ${column}=HEADER, or ${column}= if none has it).`;
  const others = [
    ...ids.map((header) =>
      ask(header, sayUnread(header, 'ids', 'the id of the commission', 'id'), 'id', 'subId'),
    ),
    ...(isUnasked('status') ? unread.filter(isState) : []).map((header) =>
      ask(
        header,
        `The column ${header} has words of a status and is not read: say which column has the status (--column status="${columns.status ?? header}").`,
        'status',
      ),
    ),
    ...(isUnasked('eventTime') ? days : []).map((header) =>
      ask(
        header,
        sayUnread(header, 'days', 'the day of the commission', 'eventTime'),
        'eventTime',
        'changeTime',
        'clickTime',
      ),
    ),
  ];
  const questions = [
    ...twins.map(({ header, column }) =>
      ask(header, `Two columns are called ${columns[column]}: say which is read.`, column),
    ),
    ...amounts,
    ...foreign.map((header) =>
      ask(header, sayUnread(header, 'currencies', 'the currency', 'currency'), 'currency'),
    ),
    ...others.slice(0, MAX_QUESTIONS),
  ];
  return questions.filter(
    ({ header }, index) => questions.findIndex((one) => one.header === header) === index,
  );
}

const DAY = /^(?:\d{1,4}([-/. ])(?:\d{1,2}|\p{L}{3,9})\1\d{2,4}|20\d{2}[01]\d[0-3]\d)(?=$|[T\s,])/u;
const isDay = (text: string) =>
  DAY.test(text) || (/\D/.test(text) && parseDate(text, 'UTC', 'day-first') !== null);

/** The headings of which most cells that say something are of a kind. */
export const listFullOf = (
  rows: readonly Row[],
  headers: readonly string[],
  isOne: (text: string) => boolean,
) =>
  headers.filter((header) => {
    const texts = rows.map((row) => (row[header] ?? '').trim()).filter((text) => !isNothing(text));
    return texts.filter(isOne).length * 2 > texts.length;
  });

/** By column and text. */
const takenBack = new Map<string, Map<string, boolean>>();

/** Why an unread column takes back a row that adds money; null when none does. */
function findTakenBack(row: Row, { watched, columns }: RowFormat, used: ReadonlySet<string>): string | null {
  for (const header of watched) {
    const text = (row[header] ?? '').trim();
    if (text === '' || text.length > MAX_WORD || used.has(header)) continue;
    const known = takenBack.get(header) ?? new Map<string, boolean>();
    const isTaken = known.get(text) ?? saysTakenBack(simplifyHeading(header), text);
    if (known.size < 500) takenBack.set(header, known.set(text, isTaken));
    if (isTaken)
      return `the column ${header} says "${text}" and is not read: say which column has the status (--column status="${columns.status ?? header}")`;
  }
  return null;
}

const MAX_WORD = 40;

/** How the rows of a file are read. */
export interface RowFormat {
  /** The network whose report it is. */
  readonly network: string;
  readonly columns: ColumnMap;
  /** For rows without a currency of their own: that of the heading, else what the operator said. */
  readonly currency: string;
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
  readonly decimal: DecimalSign | 'unknown';
  /** The columns that are not read and may say that a row is taken back. */
  readonly watched: readonly string[];
  /** All columns that are not read. */
  readonly unread: readonly string[];
  /** The operator's meanings of words of the status. */
  readonly statuses?: CommissionTerms['statuses'] | undefined;
  /** When the file is imported; ms since 1970. */
  readonly now: number;
}

/** A row that was read. */
export interface ParsedRow {
  readonly report: ReportedFact;
  /** The file's word for the status. */
  readonly statusWord: string;
  /** Whether the row has no id of its own: another row of its click and day would have the same. */
  readonly isUnnamed: boolean;
}

type Row = Readonly<Record<string, string | undefined>>;

/** Reads a row by what columns mean, or by their headings. */
function createReader(row: Row, { columns }: RowFormat, used = new Set<string>()): (name: string) => string {
  return (name) => {
    const header = Object.hasOwn(columns, name) ? columns[name as ReportColumn] : null;
    if (header !== null) return readCell(row, header).trim();
    if (Object.hasOwn(columns, name)) return '';
    const wanted = simplifyHeading(name);
    for (const heading in row) {
      if (simplifyHeading(heading) !== wanted) continue;
      used.add(heading);
      return toText(row[heading]);
    }
    return '';
  };
}

/** A text of money; one of hundredths by its heading as a decimal. */
function readMoney(
  column: 'amount' | 'saleAmount',
  read: (name: string) => string,
  format: RowFormat,
): string {
  const text = read(column);
  if (!SMALL_UNIT.test(format.columns[column] ?? '')) return text;
  const currency = (read('currency') || format.currency).toUpperCase();
  const decimal = format.decimal === 'unknown' ? '.' : format.decimal;
  return /^[+-]?\d{1,15}$/.test(text) && isCurrency(currency)
    ? formatDecimalAmount(Number(text), currency).replace('.', decimal)
    : text === ''
      ? ''
      : `${text} cents`;
}
const JOIN = ' + ';

/** A cell by its heading; those of several headings, `Order ID + SKU`, as one text. */
const readCell = (row: Row, header: string) =>
  Object.hasOwn(row, header)
    ? (row[header] ?? '')
    : splitHeading(header)
        .map((part) => (row[part] ?? '').trim())
        .filter(Boolean)
        .join('-');

/** The headings of a column that several make together. */
export const splitHeading = (header: string): readonly string[] => header.split(JOIN);

const TIMES = ['eventTime', 'changeTime', 'clickTime'] as const;

/**
 * Parses a row. Without an id, it is an item of a report by item, or the total of a click (of a day, when there is a date).
 * A negative amount is a correction.
 */
export function parseReportRow(
  row: Row,
  format: RowFormat,
  terms: CommissionTerms,
  networks: Networks,
): ParsedRow | { readonly problem: string } {
  const documented = getDocumented(networks);
  const file = getReportFile(networks, format.network);
  const { timeZone, dayOrder, now, decimal } = format;
  const used = new Set<string>();
  const read = createReader(row, format, used);
  const scope: Scope = { read, timeZone, dayOrder, now };
  const amountText = readMoney('amount', read, format);
  const currency = (read('currency') || format.currency).toUpperCase();
  const mismatch = findCurrencyProblem(read, currency, format);
  if (mismatch !== null) return { problem: mismatch };
  const click = read('subId');
  const token = parseToken(click);
  const own = read('id');
  const isNegative = /^[-(]|-$/.test(readDashes(amountText));
  const isSum = file.report?.money === 'sums';
  const id = isSum
    ? buildSumId(read, format)
    : own === ''
      ? buildRowId(file, scope, token === '' ? '' : click, isNegative)
      : buildNativeId(own);
  if (id === '')
    return { problem: `the row has ${isSum ? 'not the days that it sums' : 'neither an id nor a sub-id'}` };
  if (own === '' && format.columns.id !== null && file.report?.id === undefined && !isSum)
    return { problem: `the column ${format.columns.id} is empty, so that the row has no id` };
  const rules = file.report?.status ?? (file.status.length > 0 ? file.status : documented.status);
  const kinds = file.report?.kind ?? (file.kind.length > 0 ? file.kind : documented.kind);
  const status = decideStatus([...rules, ...(rules === documented.status ? [] : documented.status)], scope, {
    statuses: { ...terms.statuses, ...format.statuses },
  });
  const kind = decideKind([...kinds, ...documented.kind], scope);
  const isEmpty = amountText === '' && format.columns.amount !== null;
  if (isEmpty && status.is !== 'reversed' && kind.is !== 'lead')
    return { problem: `the column ${format.columns.amount} is empty: write 0 where there is no commission` };
  const changed = read('changeTime');
  const report = buildReport(
    {
      id,
      token,
      status: status.is,
      kind,
      currency,
      amount: amountText === '' ? '0' : amountText,
      sale: readMoney('saleAmount', read, format),
      eventTime: read('eventTime'),
      changeTime: changed,
      clickTime: read('clickTime'),
    },
    {
      unit: 'decimal',
      decimal,
      currency: format.currency,
      timeZone,
      dayOrder,
      negative: 'adjustment',
      isByHand: true,
      mayLeaveOut: false,
    },
  );
  const problem = findRowProblem(report, row, format, used);
  if ('problem' in report || problem !== null) return { problem: problem ?? 'it cannot be read' };
  const changeTime = buildChangeTime(report.changeTime, changed, now);
  const label = readLabel(read, report.amount, format.columns.items !== null);
  return {
    report: { ...report, changeTime, ...(label !== undefined && { label }) },
    statusWord: status.word,
    isUnnamed: own === '',
  };
}

/** Why the money of a row is in no currency, or in two; null when it is in one. */
function findCurrencyProblem(read: (name: string) => string, currency: string, format: RowFormat) {
  if (currency === '') return `it names no currency: say that of such rows (--currency CODE)`;
  if (!isCurrency(currency)) return `"${currency.slice(0, 20)}" is no currency code`;
  const stated = getHeaderCurrency(format.columns.amount, currency);
  if (stated !== null && stated !== currency)
    return `the commission is in ${stated} by its heading, and in ${currency} by its row`;
  const foreign = [read('amount'), read('saleAmount')].find((text) => findForeignSign(text, currency));
  return foreign === undefined
    ? null
    : `"${foreign.slice(0, 20)}" is not in ${currency}: name the currency of the file (--currency CODE)`;
}

/** Why what was read of a row cannot count, in the words of the file; null when it can. */
function findRowProblem(
  report: ReturnType<typeof buildReport>,
  row: Row,
  format: RowFormat,
  used: ReadonlySet<string>,
): string | null {
  const read = createReader(row, format);
  const isProblem = 'problem' in report;
  const wrongTime = TIMES.find((column) => {
    const text = read(column);
    // A database writes a zero day for one that it does not know.
    if (isNothing(text) && !(column === 'eventTime' && text.startsWith('0000-'))) return false;
    return (isProblem ? parseDate(text, format.timeZone, format.dayOrder) : report[column]) === null;
  });
  if (wrongTime !== undefined) return describeTime(read(wrongTime), format);
  if (isProblem) {
    const isSale = report.problem.startsWith('the amount of the sale');
    if (!isSale && !report.problem.startsWith('amount must be')) return report.problem;
    return `"${read(isSale ? 'saleAmount' : 'amount').slice(0, 20)}" is no amount`;
  }
  const time = report.eventTime ?? report.changeTime;
  // A period may be told before its end.
  const wrong = time === null || format.columns.from !== null ? null : findTimeProblem(time, format.now);
  if (wrong !== null) return `"${read(report.eventTime === null ? 'changeTime' : 'eventTime')}" ${wrong}`;
  const isAdded = report.amount > 0 && report.status !== 'reversed';
  return isAdded ? findTakenBack(row, format, used) : null;
}

/** The id of a row that names a page, with what was bought. */
function readLabel(read: (name: string) => string, amount: number, hasItems: boolean): FactLabel | undefined {
  const id = read('label').slice(0, 100);
  if (id === '') return undefined;
  const count = Number(read('items').replaceAll(',', ''));
  const items = hasItems ? (Number.isSafeInteger(count) ? Math.max(0, count) : 0) : Number(amount > 0);
  return { id, item: read('item').slice(0, 40), name: read('itemName').slice(0, 100), items };
}

/** Why a text is no time of a file. */
function describeTime(text: string, { timeZone, dayOrder }: RowFormat): string {
  if (dayOrder === 'unknown' && isAmbiguousDay(text))
    return `"${text.slice(0, 30)}" can begin with the day or the month: choose its order (--dates)`;
  const isSkipped = parseDate(text, 'UTC', dayOrder) !== null;
  const reason = isSkipped ? `does not exist in ${timeZone}, whose clocks skip it` : 'is no date';
  return `"${text.slice(0, 30)}" ${reason}`;
}

/** The id of a row that is the sum of a period: its days and its tracking id; empty without one of them. */
function buildSumId(read: (name: string) => string, { timeZone, dayOrder }: RowFormat): string {
  const [from, to] = [read('from'), read('eventTime')].map((text) => parseDate(text, timeZone, dayOrder));
  if (from == null || to == null || read('label') === '') return '';
  return `sum:${getLocalDay(from, timeZone)}:${getLocalDay(to, timeZone)}:${read('label')}`;
}

/** The id of a row that names none; empty when it cannot have one. */
function buildRowId(file: NetworkFile, scope: Scope, click: string, isNegative: boolean): string {
  const { id, returns } = file.report ?? {};
  if (id === undefined) return click === '' ? '' : buildTotalId(click, toText(scope.read('eventTime')));
  const text = readValue(id, scope);
  // A return on the day of a sale is a row of its own.
  return text !== '' && isNegative && returns !== undefined ? `${text}:${returns}` : text;
}

const getTotals = memoizeByKey(({ totals }: NetworkFile) => new Set(totals.map(simplifyHeading)));

/**
 * Whether a row is one of totals: a cell says so, or it names nothing and has the sum of the rows before it. `unclear`: it has
 * a word as its id or click, and no date.
 */
export function isTotalsRow(
  row: Row,
  format: RowFormat,
  sums: Readonly<Record<string, number>>,
  networks: Networks,
): boolean | 'unclear' {
  const read = createReader(row, format);
  const words = getTotals(getDocumented(networks));
  const isTotal = (text: string) =>
    /^\p{L}/u.test(text) && text.length <= MAX_WORD && words.has(simplifyHeading(text.normalize('NFKC')));
  // `Total: 2 rows`, `Totals for November`
  const [id = '', click = '', time = ''] = [read('id'), read('subId'), read('eventTime')];
  if ([id, click, time].some((text) => isTotal(text) || isTotal(text.split(/[:：(\s]/, 1)[0] ?? '')))
    return true;
  const hasWord = () => Object.values(row).some((text) => isTotal(text ?? ''));
  const name = id || click;
  if (time !== '' || /\d/.test(name) || (id !== '' && click !== '')) return name === '' && hasWord();
  // It lacks what other rows have.
  const isBare = (['eventTime', 'currency'] as const).some(
    (column) => format.columns[column] !== null && read(column) === '',
  );
  if ((name === '' || isBare) && hasWord()) return true;
  const decimal = format.decimal === 'unknown' ? '.' : format.decimal;
  const isSum = Object.entries(sums).some(([currency, sum]) => {
    const amount = parseReportAmount(read('amount'), currency, decimal);
    return amount === sum && amount !== 0;
  });
  if (isSum && (name === '' || (isBare && click === ''))) return true;
  return name !== '' && (isSum || (isBare && click === '')) ? 'unclear' : false;
}

/** A change on a day without a time counts from the end of that day, so that it follows messages of the same day. */
function buildChangeTime(time: number | null, text: string, now: number): number | null {
  if (time === null || text.includes(':') || /^\d{10,13}$/.test(text)) return time;
  return Math.max(time, Math.min(time + DAY_MS - 1, now));
}

/**
 * Detects whether dates such as `03/04/2026` begin with the day, and short ones with the year; `unknown` when no value is such
 * a date, null when the values do not say it or contradict each other. `now`: ms since 1970.
 */
export function detectDayOrder(values: readonly string[], now: number): DayOrder | null {
  const short = values.filter((value) => /^\d{1,2}\/\d{1,2}\/\d{2}(?!\d)/.test(value.trim()));
  const possible = DAY_ORDERS.filter((order) =>
    short.every((value) => {
      const time = parseDate(value, 'UTC', order);
      return time !== null && findTimeProblem(time, now) === null;
    }),
  );
  if (short.length > 0 && possible.includes('year-first')) return possible.length === 1 ? 'year-first' : null;
  let order: DayOrder = 'unknown';
  for (const value of values) {
    const match: readonly string[] | null = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2}/.exec(value.trim());
    const found: DayOrder =
      Number(match?.[1]) > 12 ? 'day-first' : Number(match?.[2]) > 12 ? 'month-first' : order;
    if (order !== 'unknown' && order !== found) return null;
    order = found;
  }
  return order === 'unknown' && values.some(isAmbiguousDay) ? null : order;
}
