import type { UnmatchedReason } from '../../core/commissions/ledger/build-ledger.ts';
import type { FactSource } from '../../core/commissions/ledger/commission-fact.ts';
import type { MessageMeaning } from '../../core/commissions/ledger/message-mapping.ts';
import type { ReportColumn } from '../../core/commissions/ledger/stored-money.schema.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { formatChosenPeriod } from './format.ts';
import { type ConsoleDimension, type ConsoleFilter, type ConsoleQuery, findSite, NO_VALUE } from './query.ts';
import { RANGE_PRESETS } from './range.ts';
import type { CodedQuestion, SiteNames } from './site-pages.ts';

/** Names of the dimensions in filters and tables. */
export const DIMENSION_NAMES: Readonly<Record<ConsoleDimension, string>> = {
  site: 'Site',
  page: 'Page',
  placement: 'Place',
  campaign: 'Campaign',
  source: 'Source',
  answer: 'Answer',
  partner: 'Partner',
  status: 'Status',
  journey: 'Visit',
};

/** Which visits are counted. */
const VISIT_NAMES: Readonly<Record<string, string>> = {
  all: 'all',
  with: 'with journey',
  without: 'without journey',
};

/** Why a commission has no click, in a few words. */
export const UNMATCHED_NAMES: Readonly<Record<UnmatchedReason, string>> = {
  'no-sub-id': 'names no click',
  'unknown-token': 'click not stored',
  'click-deleted': 'click too old',
  'test-message': 'test message',
};

/** What a column of a network's report can hold. */
export const REPORT_COLUMN_NAMES: Readonly<Record<ReportColumn, string>> = {
  id: 'Id of the commission',
  subId: 'Sub-id (the click)',
  amount: 'Commission',
  status: 'Status',
  eventTime: 'Day of the commission',
  saleAmount: 'Sale',
  currency: 'Currency',
  kind: 'Kind',
  changeTime: 'Last change',
  clickTime: 'Time of the click',
  voided: 'Voided',
  locked: 'Locked',
  label: 'Tracking id',
  item: 'Product id',
  itemName: 'Product',
  items: 'Items',
  from: 'First day',
  paid: 'Paid on',
};

/** What a field of a network's message can mean. */
export const MESSAGE_MEANING_NAMES: Readonly<Record<MessageMeaning, string>> = {
  id: 'Id of the commission',
  click: 'Sub-id (the click)',
  amount: 'Commission',
  saleAmount: 'Sale',
  currency: 'Currency',
  status: 'Status',
  kind: 'Kind',
  time: 'Time of the status',
};

/** How what a network reports reaches the ledger. */
export const SOURCE_NAMES: Readonly<Record<FactSource, string>> = {
  postback: 'by postback',
  webhook: 'by webhook',
  api: 'read from the API',
  csv: 'from a file',
  manual: 'entered by hand',
};

const LABELS = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** The labels of a question's options by code: several options can have the same one. */
export function buildAnswerLabels({ options }: CodedQuestion): ReadonlyMap<string, string> {
  const groups = Map.groupBy(options, ({ code }) => code);
  return new Map([...groups].map(([code, same]) => [code, LABELS.format(same.map(({ label }) => label))]));
}

/** Names the answers of a visit, which are codes by field: `What is your revenue?` and `Just starting`. */
export function describeAnswers(
  { questions }: SiteNames,
  answers: Readonly<Record<string, string>>,
): readonly { readonly field: string; readonly question: string; readonly answer: string }[] {
  return Object.entries(answers).map(([field, codes]) => {
    const question = questions.find((known) => known.field === field);
    const labels = question && buildAnswerLabels(question);
    const answer = codes.split(',').map((code) => labels?.get(code) ?? code);
    return { field, question: question?.title ?? field, answer: answer.join(', ') };
  });
}

/** Names the value of a filter; what the content does not know keeps its key. */
export function describeFilterValue(
  names: SiteNames,
  {
    dimension,
    value,
  }: { readonly dimension: ConsoleFilter['dimension']; readonly value: ConsoleFilter['value'] },
): string {
  if (value === NO_VALUE) return dimension === 'answer' ? 'none' : 'none: no click is known';
  if (dimension === 'journey') return VISIT_NAMES[value] ?? value;
  if (dimension === 'site') return names.sites.get(value) ?? value;
  if (dimension === 'page') return names.pages.get(value) ?? value;
  if (dimension === 'partner') return names.partners.get(value) ?? value;
  const end = value.indexOf(' ');
  if (end < 0) return value;
  const [first, last] = [value.slice(0, end), value.slice(end + 1)];
  if (dimension === 'placement') return `${describePlacement(last)} of ${names.pages.get(first) ?? first}`;
  if (dimension !== 'answer') return value;
  return describeAnswers(names, { [first]: last })[0]?.answer ?? value;
}

/** Names the filters of a query: `Partner is not Kit`. */
export function describeFilters(query: ConsoleQuery, names: SiteNames): readonly string[] {
  return query.filters.map((filter) => {
    const verb = filter.isNot ? 'is not' : 'is';
    return `${DIMENSION_NAMES[filter.dimension]} ${verb} ${describeFilterValue(names, filter)}`;
  });
}

/** Names what a view is limited to, with the range as it was chosen: `Last 28 days`, … */
export function describeQuery(query: ConsoleQuery, names: SiteNames): readonly string[] {
  const preset = RANGE_PRESETS.find(({ key }) => key === query.range);
  return [
    preset?.name ?? formatChosenPeriod(query),
    ...(query.currency === null ? [] : [query.currency]),
    ...describeFilters(query, names),
  ];
}

/** Says which sites the figures of a query are of: `All 3 sites`, or the name of one; `All` where there is one alone. */
export function describeSites(query: ConsoleQuery, { sites }: SiteNames): string {
  const site = findSite(query);
  if (site !== null) return sites.get(site) ?? site;
  return sites.size < 2 ? 'All' : `All ${sites.size} sites`;
}

/** Says the range of a query in a sentence: `in the last 12 months`. */
export function describeRange(query: Pick<ConsoleQuery, 'range' | 'from' | 'to'>): string {
  const preset = RANGE_PRESETS.find(({ key }) => key === query.range);
  if (query.range === 'all') return 'since the beginning';
  if (query.range === 'year') return 'this year';
  if (preset !== undefined) return `in the ${preset.name.toLowerCase()}`;
  const days = formatChosenPeriod(query);
  return query.from === query.to ? `on ${days}` : `from ${days.replace(' – ', ' to ')}`;
}
