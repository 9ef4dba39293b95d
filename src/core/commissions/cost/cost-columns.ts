import { getCampaignParts } from '../../events/campaign.ts';
import { cleanText } from '../../text/parse-text.ts';
import { buildCampaignName } from '../credit/credit.ts';
import { CommissionSourceError } from '../ledger/commission-source.ts';
import {
  askAboutTwins,
  askAboutUnread,
  askForMissing,
  type ColumnQuestion,
  type FileNeed,
  type FileRow,
  findCodeProblem,
  findHeadings,
  findMisfit,
  ImportQuestions,
  isDayText,
  isNote,
  listFullOf,
  MONEY,
  mergeChoices,
  NO_CURRENCY,
  PERCENT,
  readWriting,
  SMALL_UNIT,
} from '../ledger/csv-columns.ts';
import { simplifyName } from '../ledger/message-fields.ts';
import { type ImportProfile, REPORT_COLUMNS } from '../ledger/stored-money.schema.ts';
import { addDays, type DayOrder, findTimeProblem, parseDate } from '../local-time.ts';
import {
  type DecimalSign,
  findTwoAmounts,
  formatDecimalAmount,
  getHeaderCurrency,
  isCurrencyWord,
  isPlausibleAmount,
  parseReportAmount,
} from '../money.ts';
import type { AdPlatform, CostRow } from './campaign-cost.ts';

/**
 * The names of columns in the exports of Google Ads, Microsoft Ads and Meta Ads, in the languages of their users, the most
 * specific one first.
 */
const COLUMN_NAMES = {
  campaign:
    'campaign name, campaign, kampagnenname, name der kampagne, kampagne, nom de la campagne, campagne, nombre de la campaña, ' +
    'campaña, nome della campagna, nome campagna, campagna, nome da campanha, campanha, campagnenaam, naam campagne, ' +
    'nazwa kampanii, kampania, kampanj, chiến dịch, キャンペーン名, キャンペーン',
  campaignId:
    'campaign id, kampagnen-id, id de la campagne, id de campagne, id de la campaña, id de campaña, id campagna, id campanha, ' +
    'id da campanha, campagne-id, id chiến dịch',
  amount:
    'cost, spend, amount spent, kosten, ausgaben, ausgegebener betrag, coût, dépenses, montant dépensé, coste, costo, gasto, ' +
    'importe gastado, spesa, importo speso, custo, valor usado, valor gasto, montante gasto, uitgaven, besteed bedrag, koszt, ' +
    'kostnad, chi phí, 費用',
  currency:
    'currency code, currency, account currency, währungscode, währung, code de devise, code devise, devise, código de moneda, ' +
    'moneda, codice valuta, valuta, código de moeda, código da moeda, moeda, valutacode, mã đơn vị tiền tệ, 通貨コード, 通貨',
  day:
    'day, gregorian date, date, time period, tag, datum, jour, día, fecha, giorno, data, dia, dag, dzień, ngày, 日, ' +
    'reporting starts, berichtsstart, start der berichterstattung, début des rapports, début du rapport, inicio del informe, ' +
    'inizio report, inizio dei report, início dos relatórios, begin rapportage',
  lastDay:
    'reporting ends, berichtsende, ende der berichterstattung, fin des rapports, fin du rapport, fin del informe, fine report, ' +
    'fine dei report, término dos relatórios, fim dos relatórios, einde rapportage',
  month: 'month, month start date, monat, mois, mes, mese, mês, maand, miesiąc, tháng, 月',
  timeZone:
    'time zone, timezone, account time zone, account timezone, zeitzone, fuseau horaire, zona horaria, fuso orario',
} as const;

type CostColumn = keyof typeof COLUMN_NAMES;
const COST_COLUMNS = Object.keys(COLUMN_NAMES) as readonly CostColumn[];
/** What a column of a report or of an export of costs can be called by an operator. */
export const FILE_COLUMNS: readonly string[] = [...new Set<string>([...REPORT_COLUMNS, ...COST_COLUMNS])];
const listCostNames = (column: CostColumn) => COLUMN_NAMES[column].split(', ');

/** Columns whose cells are addresses, or the end of one, with the tags of the ads. */
const ADDRESS = /url|tracking template|landing page|tracking-vorlage|suffix/i;

/** A file as it was read: the lines of its title, and its rows. */
export interface CostTable {
  readonly titles: readonly string[];
  readonly rows: readonly FileRow[];
}

/** What is said about a file of a platform, and what is remembered of its last one; `now` in ms since 1970. */
export interface CostFileProfile extends ImportProfile {
  readonly platform: AdPlatform;
  readonly now: number;
}

/** A campaign of the file, with what finds the campaign of the reports. */
export interface FileCampaign {
  readonly name: string;
  readonly id: string;
  readonly tagged: string | null;
}

const MAX_PROBLEMS = 10;
const MAX_NAME_LENGTH = 400;
/** Dots and dashes are what platforms write for nothing. */
const isNothing = (text: string) => /^[\s–—-]*$/.test(text);
/** How rows of totals begin: `Total: Campaigns`, `Gesamt: Konto`, `Overall total`. */
const TOTAL =
  /^(?:(?:grand|overall) total\b|(?:totals?|totale|totaal|gesamt|summe|insgesamt|łącznie|razem|tổng|合計)\s*(?:[:：]|$))/i;
/** The last line of reports of Microsoft. */
const COPYRIGHT = /^(?:@|©|\(c\))\s*\d{4} microsoft/i;
/** What Meta writes for all days or campaigns together. */
const ALL = /^(?:all|alle|tous|toutes|todos|todas|tutti|tutte)$/i;

/**
 * Reads the export of an advertising platform as it is: totals are left out, rows of one campaign and period are added up,
 * as those of ad groups, devices or accounts. A file with a problem brings nothing. Throws `ImportQuestions` for what it leaves
 * open, and `CommissionSourceError` where it lacks what no column can be.
 */
export function parseCostFile(
  { titles, rows }: CostTable,
  profile: CostFileProfile,
  known: ImportProfile = {},
) {
  const { platform, now } = profile;
  const cellsOnly = rows.map(({ row }) => row);
  const headers = Object.keys(cellsOnly[0] ?? {});
  const choices = mergeChoices(headers, profile, known);
  const columns = findHeadings(headers, COST_COLUMNS, listCostNames, choices, simplifyCostHeading);
  const unread = headers.filter((header) => !Object.values(columns).includes(header));
  const cells = (name: CostColumn) => cellsOnly.map((row) => row[columns[name] ?? ''] ?? '');
  const titled = titles.map((title) => /^time zone:\s*(.+)$/i.exec(title)?.[1]).find(Boolean);
  const timeZone = titled ?? cells('timeZone').find((text) => !isNothing(text)) ?? '';
  const said = profile.currency ?? known.currency;
  const stated = getHeaderCurrency(columns.amount ?? null, said) ?? said ?? '';
  const currency = (cells('currency').find((text) => !isNothing(text)) ?? stated).trim().toUpperCase();
  const dates = [...cells('day'), ...cells('lastDay'), ...cells('month'), ...listDates(titles)];
  const needs = new Map<FileNeed, string>();
  const amounts = cells('amount');
  const writing = readWriting({ dates, amounts, currency }, profile, known, now, needs);
  if (columns.amount !== undefined && currency === '') needs.set('currency', NO_CURRENCY);
  const open = unread.filter((header) => !choices.unused.includes(header));
  const questions = findCostQuestions(cellsOnly, open, columns, choices.chosen, stated);
  if (questions.length > 0 || needs.size > 0) throw new ImportQuestions(questions, needs);
  const hasDays = columns.day !== undefined || columns.month !== undefined;
  const wholePeriod = hasDays ? '' : findPeriod(titles, writing.dayOrder);
  if (wholePeriod === null)
    throw new CommissionSourceError(
      'invalid-file',
      'The file names neither days nor a month: add the column of the day, or export one whole month.',
    );
  return {
    /** As the file states it; empty when it states none. */
    timeZone,
    /** The headings that are read, and those that nothing reads. */
    columns,
    unread,
    ...parseCostRows(rows, { ...writing, platform, columns, wholePeriod, stated, now }),
  };
}

/** Asks about the columns of which costs may be read, as about those of a report. */
function findCostQuestions(
  rows: readonly FileRow['row'][],
  open: readonly string[],
  columns: CostFormat['columns'],
  chosen: Readonly<Record<string, string>>,
  currency: string,
): readonly ColumnQuestion[] {
  const isFull = (isOne: (text: string) => boolean) => listFullOf(rows, open, isOne);
  const isMoney = (header: string) => !PERCENT.test(header) && !/micro/i.test(header);
  const money = isFull((text) => MONEY.test(text) && !text.includes('%') && !isDayText(text)).filter(isMoney);
  const words = isFull((text) => /\p{L}/u.test(text) && !isDayText(text) && !isCurrencyWord(text));
  const isOther = (text: string) => isCurrencyWord(text) && text.toUpperCase() !== currency;
  const isFree = (column: CostColumn) => columns[column] === undefined && chosen[column] === undefined;
  const others = isFree('currency') ? isFull(isOther) : [];
  const days =
    isFree('day') && columns.month === undefined
      ? isFull(isPeriodText).filter((header) => !WEEK.test(header))
      : [];
  // Two columns of costs, one of them in another currency: `Cost`, `Amount spent`.
  const isCost = (header: string) =>
    COST_NAMES.includes(simplifyCostHeading(header)) && header !== columns.amount;
  const second = columns.amount === undefined || chosen.amount !== undefined ? [] : money.filter(isCost);
  return [
    ...(columns.campaign === undefined ? askForMissing(rows, 'campaign', 'campaign', words) : []),
    ...(columns.amount === undefined ? askForMissing(rows, 'amount', 'cost', money) : []),
    ...askAboutTwins(rows, open, columns, chosen),
    ...askAboutUnread(rows, second, 'amounts', 'the cost', 'amount'),
    ...askAboutUnread(rows, others, 'currencies', 'the currency', 'currency'),
    ...askAboutUnread(rows, days, 'days', 'the day', 'day'),
  ];
}

/** Headings of weeks, whose first day is not that of a cost. */
const WEEK = /^(?:week|woch|semaine|semana|settiman|uke|vecka|tydz|týd|tuần)/i;
const COST_NAMES = listCostNames('amount').map(simplifyName);

const isPeriodText = (text: string) => isDayText(text) || parseMonth(text) !== null;

/** How a file writes what a row costs. */
interface CostFormat {
  readonly platform: AdPlatform;
  readonly columns: Readonly<Partial<Record<CostColumn, string>>>;
  readonly dayOrder: DayOrder;
  readonly decimal: DecimalSign | 'unknown';
  /** The period of a file without days; empty when each row has its own. */
  readonly wholePeriod: string;
  /** Of rows that name no currency. */
  readonly stated: string;
  readonly now: number;
}

function parseRowCost(
  read: (name: CostColumn) => string,
  currency: string,
  { columns, dayOrder, decimal, wholePeriod, now }: CostFormat,
) {
  const period = wholePeriod === '' ? parsePeriod(read, columns, dayOrder) : { period: wholePeriod };
  if ('problem' in period) return period;
  const wrong = findTimeProblem(Date.parse(period.period), now);
  if (wrong !== null) return { problem: `${period.period} ${wrong}` };
  const cost = SMALL_UNIT.test(columns.amount ?? '')
    ? parseSmallUnits(read('amount'), currency)
    : parseCost(read('amount'), currency, decimal);
  return cost.problem === undefined
    ? { period: period.period, amount: cost.amount }
    : { problem: cost.problem };
}

/** Adds up the rows of each campaign and period. */
function parseCostRows(rows: CostTable['rows'], format: CostFormat) {
  const { platform, columns } = format;
  const costs = new Map<string, CostRow & { readonly line: number }>();
  const campaigns = new Map<string, FileCampaign>();
  /** What cannot be read, by line; at most 10. */
  const problems: string[] = [];
  const report = (line: number, problem: string) => problems.push(`Line ${line}: ${problem}.`);
  const nameless: { line: number; currency: string; period: string; amount: number }[] = [];
  let totals = 0;
  for (const own of rows) {
    const { line, row } = own;
    const read = (name: CostColumn) => (columns[name] === undefined ? '' : (row[columns[name]] ?? '').trim());
    const name = cleanText(read('campaign'), MAX_NAME_LENGTH);
    const currency = (read('currency') || format.stated).toUpperCase();
    if (isTotal(own, columns.campaign, name, columns.day === undefined ? null : read('day'))) {
      totals += 1;
      const sum = parseRowCost(read, currency, format);
      if ('amount' in sum) nameless.push({ line, currency, ...sum });
      continue;
    }
    const misfit = findMisfit(own, [columns.campaign, columns.amount, columns.day ?? columns.month]);
    const cost = misfit === null ? parseRowCost(read, currency, format) : { problem: misfit };
    if ('problem' in cost) {
      report(line, cost.problem);
      continue;
    }
    const key = JSON.stringify([name, cost.period]);
    const known = costs.get(key);
    if (known !== undefined && known.currency !== currency) {
      report(line, `the campaign has ${known.currency} in line ${known.line} for the same days`);
      continue;
    }
    const amount = (known?.amount ?? 0) + cost.amount;
    costs.set(key, {
      platform,
      name,
      period: cost.period,
      amount,
      currency,
      line: known?.line ?? line,
    });
    const id = read('campaignId');
    if (!campaigns.has(name)) campaigns.set(name, { name, id, tagged: findTags(row, { name, id }) });
  }
  // What is called a total and is not one is a cost that lost its campaign.
  for (const { line, currency, period, amount } of nameless) {
    const own = [...costs.values()].filter((one) => one.currency === currency);
    const sums = [own, own.filter((one) => one.period === period)].flatMap((list) =>
      list.length > 1 ? list.reduce((sum, one) => sum + one.amount, 0) : [],
    );
    if (amount !== 0 && !sums.includes(amount)) report(line, 'it has a cost, and names no campaign');
  }
  if (costs.size === 0 && problems.length === 0) problems.push('The file has no campaign with a cost.');
  return {
    /** One for each campaign and period, in the order of the file. */
    costs: problems.length > 0 ? [] : [...costs.values()].map(({ line: _, ...cost }): CostRow => cost),
    campaigns: [...campaigns.values()],
    /** Rows of totals, which were left out. */
    totals,
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}

/** A heading without case, separators, and a currency or hundredths behind it: `Amount spent (USD)`, `Cost (cents)`. */
const simplifyCostHeading = (header: string) =>
  simplifyName(
    header
      .normalize('NFC')
      .replace(/\s*\([A-Z]{3}\)\s*$/, '')
      .replace(SMALL_UNIT, ''),
  );

/**
 * Whether a row sums others, or has no figures. `day` is null in a file without days; where there are days, every row of a
 * campaign has one, whatever the campaign is called.
 */
function isTotal(own: FileRow, campaign: string | undefined, name: string, day: string | null): boolean {
  const [first = ''] = Object.values(own.row);
  // Of a row that ends before its campaign nobody knows what it was.
  if (own.row[campaign ?? ''] === undefined)
    return TOTAL.test(first.trim()) || COPYRIGHT.test(first.trim()) || isNote(own);
  if (isNothing(name) || ALL.test(name) || COPYRIGHT.test(first.trim())) return true;
  return day === null || isNothing(day) ? TOTAL.test(first.trim()) : ALL.test(day);
}

/** Hundredths, which have no decimals. */
const parseSmallUnits = (text: string, currency: string) =>
  /^\d{1,15}$/.test(text)
    ? parseCost(formatDecimalAmount(Number(text), currency), currency, '.')
    : { problem: `"${text.slice(0, 20)}" is no whole number of cents` };

function parseCost(text: string, currency: string, decimal: CostFormat['decimal']) {
  const wrong = findCodeProblem(currency);
  if (wrong !== null) return { problem: wrong };
  const amounts = findTwoAmounts(text, currency, decimal);
  if (amounts !== null)
    return { problem: `the amount ${text} can be ${amounts}: choose the decimal sign . or , (--decimal)` };
  const amount = isNothing(text)
    ? 0
    : parseReportAmount(text, currency, decimal === 'unknown' ? '.' : decimal);
  if (amount === null) return { problem: `"${text.slice(0, 20)}" is no amount` };
  return isPlausibleAmount(amount, currency)
    ? { amount }
    : { problem: `${text.slice(0, 20)} ${currency} is too much for one campaign` };
}

function parsePeriod(
  read: (column: CostColumn) => string,
  columns: Readonly<Partial<Record<CostColumn, string>>>,
  dayOrder: DayOrder,
): { readonly period: string } | { readonly problem: string } {
  const text = read(columns.day === undefined ? 'month' : 'day');
  const day = parseDay(text, dayOrder);
  const first = day ?? parseMonth(text);
  if (first === null)
    return { problem: `"${text.slice(0, 30)}" is no ${columns.day === undefined ? 'month' : 'day'}` };
  // Columns of dates have months too, in reports by month.
  if (columns.day === undefined || day === null) return { period: first.slice(0, 7) };
  const end = read('lastDay');
  // `Reporting ends` is the end of the whole report where the row has a day of its own.
  const isSpan =
    columns.lastDay !== undefined && /report|rapport|bericht|inform/i.test(columns.day) && !isNothing(end);
  const last = isSpan ? parseDay(end, dayOrder) : first;
  const period = last === null ? null : buildPeriod(first, last);
  return period === null
    ? {
        problem: `it covers ${text.slice(0, 30)} to ${end.slice(0, 30)}: export it by day, or one whole month`,
      }
    : { period };
}

/** A day, or a month whose first and last day are given; null for other spans. */
function buildPeriod(first: string, last: string): string | null {
  if (first === last) return first;
  const month = first.slice(0, 7);
  const isWhole = first.endsWith('-01') && last.startsWith(month) && addDays(last, 1).endsWith('-01');
  return isWhole ? month : null;
}

function parseDay(text: string, dayOrder: DayOrder): string | null {
  const time = parseDate(text, 'UTC', dayOrder);
  return time === null ? null : new Date(time).toISOString().slice(0, 10);
}

/** The first day of a month such as `2026-11`, `11/2026`, `November 2026` or `Nov 2026`. */
function parseMonth(text: string): string | null {
  const value = text.trim();
  const numbers = /^(\d{1,2})[/.-](\d{4})$/.exec(value);
  if (numbers !== null) return parseDay(`${numbers[2]}-${numbers[1]}-01`, 'month-first');
  if (/^\d{4}[/.-]\d{1,2}$/.test(value)) return parseDay(`${value.replace(/[/.]/g, '-')}-01`, 'month-first');
  const words = /^([a-z]{3,9})\.?,? (\d{4})$/i.exec(value);
  return words === null ? null : parseDay(`${words[1]} 1, ${words[2]}`, 'month-first');
}

/** The dates of a title such as `August 1, 2026 - August 31, 2026` or `Report Time: 8/1/2026,8/31/2026`. */
function listDates(titles: readonly string[]): readonly string[] {
  return titles.flatMap((title) => {
    const text = title.replace(/^report time:\s*/i, '');
    return text.split(/\s+[-–—]\s+|(?<=\d{4}),(?=\s*\d)/).map((part) => part.trim());
  });
}

/** The day or the whole month that the title names; null without one. */
function findPeriod(titles: readonly string[], dayOrder: DayOrder): string | null {
  for (const title of titles) {
    const days = listDates([title]).map((text) => parseDay(text, dayOrder));
    const [first, last = first] = days;
    if (first && last && days.length <= 2) return buildPeriod(first, last);
  }
  return null;
}

/** The campaign that the tags in the addresses of a row name, with the variables that the row itself has. */
function findTags(
  row: FileRow['row'],
  { name, id }: { readonly name: FileCampaign['name']; readonly id: FileCampaign['id'] },
): string | null {
  for (const [header, cell = ''] of Object.entries(row)) {
    if (!ADDRESS.test(header) || !/utm_/i.test(cell)) continue;
    const query = new URLSearchParams(cell.slice(cell.indexOf('?') + 1));
    const read = (parameter: string) =>
      (query.get(parameter) ?? '')
        .replace(/\{\{campaign\.name\}\}|\{campaign\}/gi, name)
        .replace(/\{\{campaign\.id\}\}|\{campaignid\}/gi, id);
    const [utm_source = '', utm_medium = '', utm_campaign = ''] = [
      'utm_source',
      'utm_medium',
      'utm_campaign',
    ].map(read);
    const parts = getCampaignParts({ utm_source, utm_medium, utm_campaign });
    // A variable that only the platform can fill in says nothing.
    const isKnown = utm_campaign !== '' && parts.every((part) => !/[{}]/.test(part));
    if (isKnown) return buildCampaignName({ utm_source, utm_medium, utm_campaign });
  }
  return null;
}
