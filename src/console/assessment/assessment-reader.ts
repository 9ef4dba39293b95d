import { ANSWER_KEYS } from '../../core/commissions/build-journey.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { RollupStore } from '../../stores/rollup-reader.ts';
import type { LedgerReading } from '../commissions/commissions-reader.ts';
import { listCurrencies } from '../figures/list-currencies.ts';
import { selectEntries } from '../figures/select-entries.ts';
import type { SiteNames } from '../figures/site-names.ts';
import type { ExportTable, ViewReader, ViewRequest } from '../view-reader.ts';
import { type AssessmentModel, buildMatrices, buildStages } from './assessment-model.ts';

export interface AssessmentReaderOptions extends LedgerReading {
  readonly rollups: Pick<RollupStore, 'readByKey'>;
  readonly readNames: () => Pick<SiteNames, 'questions' | 'partners'>;
}

/** The assessment: how far visitors come, and what their answers earn. */
export class AssessmentReader implements ViewReader<AssessmentModel> {
  readonly #options: AssessmentReaderOptions;

  constructor(options: AssessmentReaderOptions) {
    this.#options = options;
  }

  async read({ query }: ViewRequest): Promise<AssessmentModel> {
    const { rollups, readNames, readEntries, timeZone } = this.#options;
    const { questions, partners: partnerNames } = readNames();
    const { from, to } = query;
    const [stages, answers, all] = await Promise.all([
      rollups.readByKey({ dimension: 'assessment', from, to }),
      rollups.readByKey({ dimension: 'answer', from, to }),
      readEntries(),
    ]);
    const selected = selectEntries(all, query, timeZone).filter(
      ({ isCounted, journey }) => isCounted && Object.keys(journey?.answers ?? {}).length > 0,
    );
    const currency = query.currency ?? listCurrencies(all)[0] ?? null;
    const entries = selected.filter(({ commission }) => commission.currency === currency);
    const partners = [...new Set(entries.map(({ commission }) => commission.partner))].sort();
    const count = (key: string) => stages.find((group) => group.key[0] === key)?.views ?? 0;
    const conversions = new Set(
      selected.filter(({ commission }) => commission.amount !== 0).map(({ journey }) => journey?.clickId),
    );
    return {
      stages: buildStages([
        ...questions.map(({ title }, index) => ({
          key: String(index + 1),
          name: index === 0 ? `Started: ${title}` : `Step ${index + 1}: ${title}`,
          count: count(String(index + 1)),
        })),
        { key: 'completed', name: 'Finished', count: count('completed') },
        { key: 'clicked', name: 'Clicked the recommendation', count: count('clicked') },
        { key: 'converted', name: 'Converted', count: conversions.size },
      ]),
      matrices: buildMatrices(questions, entries, buildClicks(answers), partners),
      partners: partners.map((key) => ({ key, name: partnerNames.get(key) ?? key })),
      currency,
    };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { matrices, partners, currency } = await this.read(request);
    const amount = (value: number) => formatDecimalAmount(value, currency ?? 'USD');
    return {
      columns: [
        'question',
        'answer',
        'code',
        'clicks',
        'conversions',
        'amount',
        'currency',
        ...partners.map(({ key }) => key),
      ],
      rows: matrices.flatMap(({ title, rows }) =>
        rows.map((row) => [
          title,
          row.label,
          row.code,
          row.clicks,
          row.conversions,
          amount(row.amount),
          currency,
          ...row.outcomes.map((outcome) => amount(outcome.amount)),
        ]),
      ),
    };
  }
}

/** The clicks by `field code`; events name the fields as partners receive them. */
function buildClicks(groups: readonly { readonly key: readonly string[]; readonly clicks: number }[]) {
  const fields = new Map(Object.entries(ANSWER_KEYS).map(([field, key]) => [key, field]));
  return new Map(
    groups.map(({ key, clicks }) => [`${fields.get(key[0] ?? '') ?? key[0]} ${key[1]}`, clicks]),
  );
}
