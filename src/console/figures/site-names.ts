import { describePlacement } from '../../core/outbound/placement.ts';
import { CLOCK_NAMES, DIMENSION_NAMES, MODEL_NAMES } from './console-names.ts';
import type { ConsoleFilter, ConsoleQuery } from './console-query.ts';
import { RANGE_PRESETS } from './console-range.ts';
import { formatChosenPeriod } from './format-figures.ts';

/** A question of the assessment with the codes that stored answers have. */
export interface CodedQuestion {
  readonly field: string;
  readonly title: string;
  readonly options: readonly { readonly code: string; readonly label: string }[];
}

/** What the content calls the things that stored data name by a key. */
export interface SiteNames {
  /** Titles of pages by path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Names of partners by key. */
  readonly partners: ReadonlyMap<string, string>;
  /** Labels of the topics of contact forms by key. */
  readonly topics: ReadonlyMap<string, string>;
  /** In the order of the steps. */
  readonly questions: readonly CodedQuestion[];
}

const LABELS = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** The labels of a question's options by code: several options can have the same one. */
export function buildAnswerLabels({ options }: Pick<CodedQuestion, 'options'>): ReadonlyMap<string, string> {
  const groups = Map.groupBy(options, ({ code }) => code);
  return new Map([...groups].map(([code, same]) => [code, LABELS.format(same.map(({ label }) => label))]));
}

/** Names the answers of a visit, which are codes by field: `What is your revenue?` and `Just starting`. */
export function describeAnswers(
  { questions }: Pick<SiteNames, 'questions'>,
  answers: Readonly<Record<string, string>>,
): readonly { readonly field: string; readonly question: string; readonly answer: string }[] {
  return Object.entries(answers).map(([field, codes]) => {
    const question = questions.find((known) => known.field === field);
    const labels = question && buildAnswerLabels(question);
    const answer = codes.split(',').map((code) => labels?.get(code) ?? code);
    return { field, question: question?.title ?? field, answer: answer.join(', ') };
  });
}

/** Names the steps of a path: pages, and the partner at the end. */
export function describeSteps(
  { pages, partners }: Pick<SiteNames, 'pages' | 'partners'>,
  steps: readonly string[],
): readonly string[] {
  return steps.map((step, index) => (index < steps.length - 1 ? pages : partners).get(step) ?? step);
}

/** Names the value of a filter; what the content does not know keeps its key. */
export function describeFilterValue(
  names: SiteNames,
  { dimension, value }: Pick<ConsoleFilter, 'dimension' | 'value'>,
): string {
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
export function describeFilters(query: Pick<ConsoleQuery, 'filters'>, names: SiteNames): readonly string[] {
  return query.filters.map((filter) => {
    const verb = filter.isNot ? 'is not' : 'is';
    return `${DIMENSION_NAMES[filter.dimension]} ${verb} ${describeFilterValue(names, filter)}`;
  });
}

/** Names what a view is limited to, with the range as it was chosen: `Last 28 days`, `Click day`, … */
export function describeQuery(query: ConsoleQuery, names: SiteNames): readonly string[] {
  const preset = RANGE_PRESETS.find(({ key }) => key === query.range);
  return [
    preset?.name ?? formatChosenPeriod(query),
    CLOCK_NAMES[query.clock],
    MODEL_NAMES[query.model],
    ...(query.currency === null ? [] : [query.currency]),
    ...describeFilters(query, names),
  ];
}
