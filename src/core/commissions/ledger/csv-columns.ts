import { DAY_MS } from '../../clock.ts';
import { memoizeByKey } from '../../text/memoize-by-key.ts';
import {
  DAY_ORDERS,
  type DayOrder,
  findTimeProblem,
  getLocalDay,
  isAmbiguousDay,
  parseDate,
  YEAR_FIRST,
} from '../local-time.ts';
import {
  describeOpenSign,
  detectCurrencySign,
  findForeignSign,
  formatDecimalAmount,
  getHeaderCurrency,
  isCurrency,
  isCurrencyWord,
  parseReportAmount,
  readDashes,
} from '../money.ts';
import type { NetworkFile, Networks } from '../networks/network.schema.ts';
import { getDocumented, MONEY_NAME, STATUS_NAME } from '../networks/parse-message.ts';
import {
  buildReport,
  decideKind,
  decideStatus,
  isTimeless,
  readValue,
  type Scope,
  toText,
} from '../networks/read-record.ts';
import type { FactLabel, ReportedFact } from './commission-fact.ts';
import { CommissionSourceError } from './commission-source.ts';
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
import {
  type ColumnMap,
  completeColumns,
  type ImportProfile,
  REPORT_COLUMNS,
  type ReportColumn,
  type RowFormat,
} from './stored-money.schema.ts';

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
export const SMALL_UNIT = /[\s_(["-]+(?:cents?|centimes|centavos|pence|minor(?: units?)?)\W*$/i;
/** What is no money, though its heading begins like one: `Commission (%)`, `Commission in k`. */
export const PERCENT = /%|\b(?:pct|tsd|thousands?|mio|millions?)\b|\(k\p{Sc}?\)|\bk\b/iu;

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

/** Whether a report names pages by ids, and no clicks. */
export const isByLabel = (report: { readonly columns: ColumnMap; readonly matched: number }) =>
  report.columns.label !== null && report.matched === 0;

const refuse = (detail: string) => new CommissionSourceError('invalid-file', detail);

/** What columns are: as it was said, and as it is remembered where they are here. Throws `CommissionSourceError`. */
export function mergeChoices(headers: readonly string[], said: ImportProfile, known: ImportProfile) {
  const isHere = ([column, header]: readonly [string, string]) =>
    header === '' ||
    headers.includes(header) ||
    (column === 'id' && splitHeading(header).every((part) => headers.includes(part)));
  const missing = Object.entries(said.columns ?? {}).find((entry) => !isHere(entry));
  if (missing !== undefined) throw refuse(`There is no column "${missing[1]}": ${headers.join(', ')}.`);
  const remembered = Object.entries(known.columns ?? {}).filter(isHere);
  /** Taken as it is; empty: no column. */
  const chosen: Readonly<Record<string, string>> = { ...Object.fromEntries(remembered), ...said.columns };
  const named = Object.values(chosen);
  const unused = [...(known.unused ?? []), ...(said.unused ?? [])].filter((name) => !named.includes(name));
  return { chosen, unused };
}
type Choices = ReturnType<typeof mergeChoices>;

/**
 * How dates and amounts are written: as it was said, as they show, or as in the last file; `needs` gets what is open. `now`: ms
 * since 1970.
 */
export function readWriting(
  {
    dates,
    amounts,
    currency,
  }: Readonly<Record<'dates' | 'amounts', readonly string[]> & { currency: string }>,
  said: ImportProfile,
  known: ImportProfile,
  now: number,
  needs: Map<FileNeed, string>,
) {
  const has = (sign: RegExp) => dates.some((text) => sign.test(text.trim()));
  // With dots the day is always first, whatever was said.
  const isDotted = has(/^\d{1,2}\.\d{1,2}\./) && !has(/^\d{1,2}[/-]\d{1,2}[/-]/);
  const order = isDotted ? 'day-first' : (said.dayOrder ?? detectDayOrder(dates, now));
  const dayOrder = order === null || order === 'unknown' ? (known.dayOrder ?? order) : order;
  if (dayOrder === null)
    needs.set(
      'dates',
      'The dates can begin with the day or the month, or with the year: choose day-first, month-first, year-first or year-day (--dates).',
    );
  const found = detectCurrencySign(amounts, currency);
  const decimal = said.decimal ?? (found === 'ask' ? null : found) ?? known.decimal ?? null;
  if (decimal === null) needs.set('decimal', describeOpenSign(found === 'ask' ? 'ask' : null));
  return { dayOrder: dayOrder ?? 'unknown', decimal: decimal ?? 'unknown' } as const;
}

/** What is asked where no currency is known. */
export const NO_CURRENCY = 'Nobody states the currency: name it (--currency USD).';

/** A file that is read once its questions are answered. */
export class ImportQuestions extends CommissionSourceError {
  readonly columns: readonly ColumnQuestion[];
  readonly needs: readonly FileNeed[];

  constructor(columns: readonly ColumnQuestion[], allNeeds: ReadonlyMap<FileNeed, string>) {
    // A column that may have the currency is asked about first: with it, the file states its currency.
    const hasCurrencies = columns.some(({ as }) => as.length === 1 && as[0] === 'currency');
    const needs = new Map([...allNeeds].filter(([need]) => need !== 'currency' || !hasCurrencies));
    super('invalid-file', [...new Set([...columns.map(({ text }) => text), ...needs.values()])].join(' '));
    // Each column is asked about once.
    this.columns = [...Map.groupBy(columns, ({ header }) => header).values()].flatMap(([one, ...others]) =>
      one === undefined ? [] : { ...one, as: [...new Set([one, ...others].flatMap(({ as }) => as))] },
    );
    this.needs = [...needs.keys()];
  }
}

/** Finds columns by their names, the most specific one first; no header serves twice. */
export function findHeadings<Column extends string>(
  headers: readonly string[],
  columns: readonly Column[],
  listNames: (column: Column) => readonly string[],
  { chosen, unused }: Choices,
  simplify: (name: string) => string,
  isOther: (column: Column, header: string, found: Partial<Record<Column, string>>) => boolean = () => false,
): Partial<Record<Column, string>> {
  const taken = new Set([...Object.values(chosen), ...unused]);
  const found: Partial<Record<Column, string>> = {};
  for (const column of columns) {
    const free = headers.filter((header) => !taken.has(header) && !isOther(column, header, found));
    const named = listNames(column).map((name) => free.find((text) => simplify(text) === simplify(name)));
    const header = chosen[column] ?? named.find((text) => text !== undefined);
    if (!header) continue;
    taken.add(header);
    found[column] = header;
  }
  return found;
}

/** How columns are found. */
interface Detection extends Choices {
  readonly file: NetworkFile;
  readonly networks: Networks;
  /** Of several columns of one name the one in this currency is taken. */
  readonly currency: string;
}

const IS_MONEY: ReadonlySet<ReportColumn> = new Set(['amount', 'saleAmount']);

/** Finds the columns of a report. */
export function detectColumns(headers: readonly string[], detection: Detection): ColumnMap {
  const { file, networks, currency } = detection;
  const isFirst = (header: string) => Number(getHeaderCurrency(header, currency) === currency);
  const ordered = headers.toSorted((one, other) => isFirst(other) - isFirst(one));
  const found = findHeadings(
    ordered,
    REPORT_COLUMNS,
    (column) => listNames(column, file, networks),
    detection,
    simplifyHeading,
    (column, header, { amount = null }) => {
      // A sale in another currency than its commission is left out.
      const unit = getHeaderCurrency(amount, currency) ?? currency;
      return (
        (column === 'saleAmount' && (getHeaderCurrency(header, unit) ?? unit) !== unit) ||
        (IS_MONEY.has(column) && PERCENT.test(header))
      );
    },
  );
  return completeColumns(found);
}

/** A text that may be an amount. */
export const MONEY = /^[^\d]{0,4}\d[\d.,\s']*[^\d]{0,4}$/;
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
  /** What it may be, the likeliest first: columns of a report, or of an export of costs. */
  readonly as: readonly string[];
  /** What is asked, in a sentence. */
  readonly text: string;
}

/** Money of a report that is not the site's. */
const OTHER_MONEY =
  /price|tax|vat|gst|shipping|discount|coupon|revenue|sale|order|basket|cart|quantity|cost|balance|turnover|umsatz|mwst|preis/;
/** Questions about days, states and ids at once; the others follow the answers. */
const MAX_QUESTIONS = 3;
const MAX_SAMPLES = 3;

/** What nobody has said of a file, beside its columns. */
export type FileNeed = 'currency' | 'timeZone' | 'dates' | 'decimal';

/** Asks what a column is. */
export const askAbout = (
  rows: readonly Row[],
  header: string,
  text: string,
  as: ColumnQuestion['as'],
): ColumnQuestion => {
  const texts = rows.map((row) => (row[header] ?? '').trim()).filter((cell) => cell !== '');
  return { header, samples: [...new Set(texts)].slice(0, MAX_SAMPLES), as, text };
};

/** Asks about columns that nothing reads. `words`: what their cells are; `what`: what may be in them, the likeliest column first. */
export const askAboutUnread = (
  rows: readonly Row[],
  headers: readonly string[],
  words: string,
  what: string,
  ...as: readonly [string, ...string[]]
): readonly ColumnQuestion[] => {
  const say = `Say which column has ${what} (--column ${as[0]}=HEADER, or ${as[0]}= if none has it).`;
  return headers.map((header) =>
    askAbout(rows, header, `Not read, but mostly ${words}: ${header}. ${say}`, as),
  );
};

/** Whether two columns say different things. */
const hasOtherCells = (rows: readonly Row[], one: string, other: string | null) =>
  rows.some((row) => (row[one] ?? '').trim() !== (row[other ?? ''] ?? '').trim());

/** Asks which of two columns of one name is read, where they say different things. */
export const askAboutTwins = (
  rows: readonly Row[],
  unread: readonly string[],
  columns: Readonly<Record<string, string | null | undefined>>,
  chosen: Readonly<Record<string, string>>,
): readonly ColumnQuestion[] =>
  unread.flatMap((header) => {
    const first = header.replace(/ \(\d+\)$/, '');
    const column = Object.keys(columns).find((name) => columns[name] === first && !(name in chosen));
    const isTwin = first !== header && column !== undefined && hasOtherCells(rows, header, first);
    return isTwin
      ? [askAbout(rows, header, `Two columns are called ${first}: say which is read.`, [column])]
      : [];
  });

/** Asks which of some columns has what is missing. Throws `CommissionSourceError` where none can be named. */
export function askForMissing(
  rows: readonly Row[],
  column: string,
  what: string,
  candidates: readonly string[],
): readonly ColumnQuestion[] {
  const headers = Object.keys(rows[0] ?? {}).join(', ');
  const text = `No column has the ${what}: name it (--column ${column}=HEADER) among ${headers}.`;
  if (candidates.length === 0) throw refuse(text);
  return candidates.slice(0, MAX_CANDIDATES).map((header) => askAbout(rows, header, text, [column]));
}

const MAX_CANDIDATES = 8;

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
  const list = (header: string) =>
    rows.map((row) => (row[header] ?? '').trim()).filter((text) => text !== '');
  const differs = (one: string, other: string | null) => hasOtherCells(rows, one, other);
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
      !isDayText(text) &&
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
    askAbout(
      rows,
      header,
      columns.amount === null
        ? `Nothing but the column ${header} looks like the commission: say whether it is (--column amount="${header}").`
        : `The columns ${columns.amount} and ${header} can both be the commission: say which (--column amount="${columns.amount}" or amount="${header}").`,
      ['amount', 'saleAmount'],
    ),
  );

  const unit = getHeaderCurrency(columns.amount, currency);
  const isForeign = (text: string) => isCurrencyWord(text) && text.toUpperCase() !== unit;
  const foreign = !isUnasked('currency')
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
  const days =
    columns.eventTime === null && isUnasked('eventTime') ? listFullOf(rows, unread, isDayText) : [];
  const isId = (header: string) => {
    const texts = list(header);
    const isOne = (text: string) =>
      /^[^\s@/]*\d[^\s@/]*$/.test(text) && text.length <= 60 && !isDayText(text);
    return new Set(texts).size === rows.length && texts.every(isOne) && !isMoney(header);
  };
  const hasId = file.report?.id !== undefined || file.report?.money === 'sums' || file.report?.numbersRows;
  const ids = columns.id === null && !hasId && isUnasked('id') ? unread.filter(isId) : [];
  const others = [
    ...askAboutUnread(rows, ids, 'ids', 'the id of the commission', 'id', 'subId'),
    ...(isUnasked('status') ? unread.filter(isState) : []).map((header) =>
      askAbout(
        rows,
        header,
        `The column ${header} has words of a status and is not read: say which column has the status (--column status="${columns.status ?? header}").`,
        ['status'],
      ),
    ),
    ...askAboutUnread(
      rows,
      days,
      'days',
      'the day of the commission',
      'eventTime',
      'changeTime',
      'clickTime',
    ),
  ];
  const questions = [
    ...askAboutTwins(rows, unread, columns, chosen),
    ...amounts,
    ...askAboutUnread(rows, foreign, 'currencies', 'the currency', 'currency'),
    ...others.slice(0, MAX_QUESTIONS),
  ];
  return questions.filter(
    ({ header }, index) => questions.findIndex((one) => one.header === header) === index,
  );
}

const DAY = /^(?:\d{1,4}([-/. ])(?:\d{1,2}|\p{L}{3,9})\1\d{2,4}|20\d{2}[01]\d[0-3]\d)(?=$|[T\s,])/u;
export const isDayText = (text: string) =>
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
function createReader(
  row: Row,
  { columns }: Pick<RowFormat, 'columns'>,
  used = new Set<string>(),
): (name: string) => string {
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
const splitHeading = (header: string): readonly string[] => header.split(JOIN);

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
  // A spreadsheet rounds long numbers: several ids become one.
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(own))
    return { problem: `its id ${own} was rounded by a spreadsheet: export the ids as text` };
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
      now: format.columns.from === null ? now : null,
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

/** Why a code is not that of a currency that people are paid in; null when it is. */
export function findCodeProblem(currency: string): string | null {
  if (currency === '') return 'it names no currency: say that of such rows (--currency CODE)';
  return isCurrency(currency) ? null : `"${currency.slice(0, 20)}" is no currency code`;
}

/** Why the money of a row is in no currency, or in two; null when it is in one. */
function findCurrencyProblem(read: (name: string) => string, currency: string, format: RowFormat) {
  const wrong = findCodeProblem(currency);
  if (wrong !== null) return wrong;
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
    if (isTimeless(column, text)) return false;
    return (isProblem ? parseDate(text, format.timeZone, format.dayOrder) : report[column]) === null;
  });
  if (wrongTime !== undefined) return describeTime(read(wrongTime), format);
  if (isProblem) {
    const isSale = report.problem.startsWith('the amount of the sale');
    if (!isSale && !report.problem.startsWith('amount must be')) return report.problem;
    return `"${read(isSale ? 'saleAmount' : 'amount').slice(0, 20)}" is no amount`;
  }
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
  const reason = isSkipped
    ? `does not exist in ${timeZone}, whose clocks skip it: name the zone of the file (--time-zone)`
    : 'is no date';
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
 * Whether a row is one of totals or repeats the headings: a cell says so, or it names nothing and has the sum of the rows before
 * it. `unclear`: it has a word as its id or click, and no date.
 */
export function isTotalsRow(
  own: FileRow,
  format: Pick<RowFormat, 'columns' | 'decimal'>,
  sums: Readonly<Record<string, number>>,
  networks: Networks,
): boolean | 'unclear' {
  const row = { ...own.row, ...Object.fromEntries(own.extra.entries()) };
  const names = Object.keys(row);
  if (names.length > 1 && names.every((name) => (row[name] ?? '').trim() === name)) return true;
  const read = createReader(row, format);
  const words = getTotals(getDocumented(networks));
  const isTotal = (text: string) =>
    /^\p{L}/u.test(text) && text.length <= MAX_WORD && words.has(simplifyHeading(text.normalize('NFKC')));
  // `Total: 2 rows`, `Totals for November`
  const [id = '', click = '', day = ''] = [read('id'), read('subId'), read('eventTime')];
  if ([id, click, day].some((text) => isTotal(text) || isTotal(text.split(/[:：(\s]/, 1)[0] ?? '')))
    return true;
  const hasWord = () => Object.values(row).some((text) => isTotal(text ?? ''));
  const name = id || click;
  // A row of totals may have a period as its day.
  const isDated = () => DAY_ORDERS.some((order) => parseDate(day, 'UTC', order) !== null);
  if (/\d/.test(name) || (id !== '' && click !== '') || isDated()) return name === '' && hasWord();
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
 * Detects dates such as `2026-20-11`, with the day before the month. Dates of three months and more whose days are all possible
 * months, and not the same few, are open: null. Those of one month are read as ISO 8601: no network writes the day second, and a
 * question would be put to everybody who imports the first days of a month.
 */
function detectYearDay(values: readonly string[], now: number): DayOrder | null {
  const dates = [...new Set(values.map((value) => value.trim()))].filter((text) => YEAR_FIRST.test(text));
  const isPossible = dates.every((text) => {
    const time = parseDate(text, 'UTC', 'year-day');
    return time !== null && findTimeProblem(time, now) === null;
  });
  if (dates.length === 0 || !isPossible) return 'unknown';
  if (dates.some((text) => parseDate(text, 'UTC', 'unknown') === null)) return 'year-day';
  const isVaried = [2, 3].every(
    (part) => new Set(dates.map((text) => YEAR_FIRST.exec(text)?.[part])).size > 2,
  );
  return isVaried ? null : 'unknown';
}

/**
 * Detects whether dates such as `03/04/2026` begin with the day, and short ones with the year; `unknown` when no value is such
 * a date, null when the values do not say it or contradict each other. `now`: ms since 1970.
 */
function detectDayOrder(values: readonly string[], now: number): DayOrder | null {
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
  if (order !== 'unknown') return order;
  return values.some(isAmbiguousDay) ? null : detectYearDay(values, now);
}
