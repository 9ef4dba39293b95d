import { ANSWER_KEYS } from '../../core/commissions/credit/build-click-key.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import type { CommissionCell } from '../../stores/commission-sums.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { type Earned, NOTHING_EARNED, sumEarned } from '../reports/earned.ts';
import { buildAnswerLabels } from '../reports/names.ts';
import { readSiteNames } from '../reports/site-pages.ts';

/** What visits with one answer did; amounts in minor units. */
export interface AnswerRow extends Earned {
  readonly key: string;
  readonly label: string;
  readonly clicks: number;
}

/** Reads how far visits come in the assessment, and what their answers earn by the day of the click. */
export async function readAssessment(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { periods, money } = site;
  const { questions } = readSiteNames(site);
  const { from, to } = query;
  const [stages, answers, { cells, currency: known }] = await Promise.all([
    money.rollups.readByKey({ dimension: 'assessment', from, to, visits: 'with' }),
    money.rollups.readByKey({ dimension: 'answer', from, to, visits: 'with' }),
    periods.readCells(query),
  ]);
  const currency = known ?? 'USD';
  const isAnswered = ({ path }: CommissionCell) => Object.keys(path?.answers ?? {}).length > 0;
  const selected = cells.filter(isAnswered);
  const count = (key: string) => stages.find((group) => group.key[0] === key)?.views ?? 0;
  const fields = new Map(Object.entries(ANSWER_KEYS).map(([field, key]) => [key, field]));
  const clicks = new Map(
    answers.map(({ key, clicks: own }) => [`${fields.get(key[0] ?? '') ?? key[0]} ${key[1]}`, own]),
  );
  // Those who clicked here, as the report of the page counts them; visits with answers may click elsewhere.
  const ofPage = cells.filter(({ path }) => path?.page === ASSESSMENT_PATH);
  const own = sumEarned(ofPage, currency, () => '').get('') ?? NOTHING_EARNED;
  return {
    currency,
    /** Each with the visits that reached it. */
    stages: [
      ...questions.map(({ title }, index) => ({ name: title, count: count(String(index + 1)) })),
      { name: 'Finished', count: count('completed') },
      { name: 'Clicked the recommendation', count: count('clicked') },
      { name: 'Became customers', count: own.customers },
    ],
    questions: questions.map((question) => {
      const { field, title } = question;
      const labels = buildAnswerLabels(question);
      // A visit with several answers to a question is in the row of each.
      const rows = [...labels].map(([code, label]): AnswerRow => {
        const own = selected.filter(({ path }) => path?.answers[field]?.split(',').includes(code));
        const sum = sumEarned(own, currency, () => '').get('') ?? NOTHING_EARNED;
        return { ...sum, key: `${field} ${code}`, label, clicks: clicks.get(`${field} ${code}`) ?? 0 };
      });
      return { field, title, rows };
    }),
  };
}
