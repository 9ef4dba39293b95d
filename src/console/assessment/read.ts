import { ANSWER_KEYS } from '../../core/commissions/credit/build-click-key.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  BOOKED,
  buildTable,
  CLICKS,
  CONVERSIONS,
  type Column,
  CURRENCY,
  column,
  exported,
  formatAmountCell,
} from '../reports/columns.ts';
import { buildAnswerLabels } from '../reports/names.ts';
import { sumOf } from '../reports/payments.ts';
import { findVisits, selectJourneys } from '../reports/periods.ts';
import { type CodedQuestion, readSiteNames } from '../reports/site-pages.ts';

/** A stage of the assessment and how many visits reached it. */
export type AssessmentStage = ReturnType<typeof buildStages>[number];
/** The answers to one question. */
export type QuestionMatrix = ReturnType<typeof buildMatrices>[number];
/** What visitors with one answer did. Amounts are minor units. */
export type AnswerRow = QuestionMatrix['rows'][number];

/** Adds to each stage the share of the one before. */
function buildStages(
  stages: readonly { readonly key: string; readonly name: string; readonly count: number }[],
) {
  return stages.map((stage, index) => {
    const before = stages[index - 1]?.count ?? 0;
    const isCounted = stage.count > 0 || stages.slice(index + 1).every(({ count }) => count === 0);
    return {
      ...stage,
      /** False when later stages were reached and this one was not stored. */
      isCounted,
      /** Share of the stage before, from 0 to 1; null for the first stage and after an empty one. */
      share: before > 0 ? stage.count / before : null,
    };
  });
}

/** Builds the answers of each question with the clicks and the money that followed. `clicks` are by `field code`. */
function buildMatrices(
  questions: readonly CodedQuestion[],
  cells: readonly CommissionCell[],
  clicks: ReadonlyMap<string, number>,
  { partners, currency }: { readonly partners: readonly string[]; readonly currency: string | null },
) {
  return questions.map((question) => {
    const { field, title } = question;
    const labels = buildAnswerLabels(question);
    const byCode = new Map<string, CommissionCell[]>([...labels.keys()].map((code) => [code, []]));
    for (const cell of cells) {
      // A visit may have answered other questions alone: its customer is in the funnel too.
      for (const code of new Set(cell.path?.answers?.[field]?.split(',') ?? [''])) {
        const own = byCode.get(code) ?? [];
        byCode.set(code, own);
        own.push(cell);
      }
    }
    const rows = [...byCode].map(([code, own]) => {
      const key = `${field} ${code}`;
      return {
        /** The value of the filter. */
        key,
        code,
        /** Labels of the options with this code. */
        label: code === '' ? 'No answer' : (labels.get(code) ?? code),
        clicks: clicks.get(key) ?? 0,
        ...sumOutcome(own, currency),
        /** By partner, in their order. */
        outcomes: partners.map((partner) =>
          sumOutcome(
            own.filter((cell) => cell.partner === partner),
            currency,
          ),
        ),
      };
    });
    return { field, title, rows };
  });
}

/** Customers of every currency, as the funnel has them, and the money of one. */
function sumOutcome(cells: readonly CommissionCell[], currency: string | null) {
  const own = cells.filter((cell) => cell.currency === currency && cell.status !== 'unknown');
  return {
    conversions: sumOf(cells, ({ state, count }) => (state === STATES.conversion ? count : 0)),
    amount: sumOf(own, ({ amount }) => amount),
  };
}

type AnswerLine = AnswerRow & { readonly question: string; readonly currency: string | null };

/** Columns of the answers; partners have a column each, in the order of their outcomes. */
export function buildAnswerColumns(
  partners: readonly { readonly key: string; readonly name: string }[],
): readonly Column<AnswerLine>[] {
  return [
    exported('question', ({ question }) => question),
    column('answer', 'Answer', ({ label }) => label),
    exported('code', ({ code }) => code),
    CLICKS,
    CONVERSIONS,
    BOOKED,
    CURRENCY,
    ...partners.map(({ key, name }, index) => {
      const amount = ({ outcomes }: AnswerLine) => outcomes[index]?.amount ?? 0;
      const text = (row: AnswerLine) => formatAmountCell(amount(row), row.currency);
      return column(key, name, text, { ...AMOUNT_LOOK, figure: amount });
    }),
  ];
}

const AMOUNT_LOOK = {
  isNumeric: true,
  format: 'money',
  currency: ({ currency }: AnswerLine) => currency,
} as const;

/** Reads how far visitors come in the assessment, and what their answers earn. */
export async function readAssessment(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { periods } = site;
  const { rollups } = site.money;
  const { questions, partners: partnerNames } = readSiteNames(site);
  const { from, to } = query;
  const visits = findVisits(selectJourneys(query));
  const [stages, answers, { cells, currency }] = await Promise.all([
    rollups.readByKey({ dimension: 'assessment', from, to, visits }),
    rollups.readByKey({ dimension: 'answer', from, to, visits }),
    periods.readCells(query),
  ]);
  const selected = cells.filter(
    (cell) =>
      (query.currency === null || cell.currency === currency) &&
      Object.keys(cell.path?.answers ?? {}).length > 0,
  );
  const own = selected.filter((cell) => cell.currency === currency);
  const partners = [...new Set(own.map(({ partner }) => partner))].sort();
  const count = (key: string) => stages.find((group) => group.key[0] === key)?.views ?? 0;
  return {
    stages: buildStages([
      ...questions.map(({ title }, index) => ({
        key: String(index + 1),
        name: index === 0 ? `Started: ${title}` : `Step ${index + 1}: ${title}`,
        count: count(String(index + 1)),
      })),
      { key: 'completed', name: 'Finished', count: count('completed') },
      { key: 'clicked', name: 'Clicked the recommendation', count: count('clicked') },
      { key: 'converted', name: 'Became customers', count: sumOutcome(selected, currency).conversions },
    ]),
    matrices: buildMatrices(questions, selected, buildClicks(answers), { partners, currency }),
    /** The columns of the outcomes. */
    partners: partners.map((key) => ({ key, name: partnerNames.get(key) ?? key })),
    /** Null without any money. */
    currency,
  };
}

/** Reads the answers to all questions, with the columns of the partners that they led to. */
export async function readAnswerTable(site: ConsoleSite, request: ViewRequest) {
  const { matrices, partners, currency } = await readAssessment(site, request);
  const rows = matrices.flatMap((matrix) =>
    matrix.rows.map((row): AnswerLine => ({ ...row, question: matrix.title, currency })),
  );
  return buildTable(rows, buildAnswerColumns(partners));
}

/** The clicks by `field code`; events name the fields as partners receive them. */
function buildClicks(groups: readonly { readonly key: readonly string[]; readonly clicks: number }[]) {
  const fields = new Map(Object.entries(ANSWER_KEYS).map(([field, key]) => [key, field]));
  return new Map(
    groups.map(({ key, clicks }) => [`${fields.get(key[0] ?? '') ?? key[0]} ${key[1]}`, clicks]),
  );
}
