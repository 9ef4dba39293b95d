import { buildLabelDay, type PlacedClicks } from '../../core/commissions/credit/labels.ts';
import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type { LabelDay } from '../../core/commissions/ledger/stored-money.schema.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import { listLabels } from '../../core/outbound/labels.ts';
import type { PartnerLabels } from '../../core/outbound/partner.schema.ts';
import { isPayeeLabel, type Partner } from '../../core/outbound/partner.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Rollups } from '../../stores/rollups.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

export interface LabelReaderOptions {
  readonly store: Ledger;
  readonly rollups: Rollups;
  readonly readPartners: () => ReadonlyMap<string, Partner>;
  readonly timeZone: string;
}

/** Finds the ids of pages that networks report, and what they stood for on a day. */
export class LabelReader {
  readonly #options: LabelReaderOptions;

  constructor(options: LabelReaderOptions) {
    this.#options = options;
  }

  /** A report with its label: the network's, or a sub-id that is one. */
  complete(partner: string, reported: ReportedFact): ReportedFact {
    const { token, label } = reported;
    const labels = this.#options.readPartners().get(partner)?.labels;
    if (label !== undefined || token === '' || labels === undefined || !listLabels(labels).includes(token))
      return reported;
    return { ...reported, label: { id: token, item: '', name: '', items: 1 } };
  }

  /** The days of labels that facts (times in ms since 1970) name and that are not stored yet. */
  async build(
    partner: string,
    facts: readonly { readonly label?: ReportedFact['label']; readonly eventTime: number }[],
  ): Promise<readonly LabelDay[]> {
    const { timeZone } = this.#options;
    const wanted = new Map<string, readonly [string, string]>();
    for (const { label, eventTime } of facts) {
      if (label === undefined) continue;
      const day = getLocalDay(eventTime, timeZone);
      wanted.set(`${label.id} ${day}`, [label.id, day]);
    }
    return this.buildDays(partner, [...wanted.values()]);
  }

  /** The weights of ids of a partner on days, of those that are not stored yet. */
  async buildDays(
    key: string,
    all: readonly (readonly [label: string, day: string])[],
  ): Promise<readonly LabelDay[]> {
    const { readPartners, rollups, store } = this.#options;
    const { labels, affiliate } = readPartners().get(key) ?? {};
    if (labels === undefined || all.length === 0) return [];
    const wanted = await store.listNewLabelDays(key, all);
    const days = wanted.map(([, day]) => day).sort();
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const groups = await rollups.readByDayAndKey({
      dimension: 'placement',
      from: addDays(first, -labels.longestDays),
      to: last,
      parts: [{ index: 2, value: key }],
    });
    const clicks = groups.flatMap(({ day, key: [page = '', place = ''], clicks: count }): PlacedClicks[] =>
      count > 0 ? [{ day, page, place, clicks: count }] : [],
    );
    const own =
      affiliate !== undefined && affiliate !== null && isPayeeLabel(affiliate, labels)
        ? affiliate.value
        : null;
    return wanted.flatMap(([label, day]) => buildLabelDay({ key, labels, own }, label, day, clicks) ?? []);
  }

  /** Stores what every id stood for on a day that is over, so that a later change of the file changes nothing of it. */
  async freeze(day: string): Promise<void> {
    const { readPartners, store } = this.#options;
    for (const [key, { labels, affiliate }] of readPartners()) {
      if (labels === undefined) continue;
      const own = isPayeeLabel(affiliate, labels) && affiliate !== null ? [affiliate.value] : [];
      const ids = [...new Set([...own, ...listActive(labels, day)])];
      const labelDays = await this.buildDays(
        key,
        ids.map((id) => [id, day]),
      );
      if (labelDays.length > 0) await store.append({ facts: [], labelDays });
    }
  }
}

const listActive = ({ uses }: PartnerLabels, day: string) =>
  uses.filter(({ since }) => since <= day).map(({ id }) => id);

const JOB_MS = 3_600_000;

/** Creates the job that stores what ids of networks stood for yesterday. */
export function createLabelJob({ log, settings, clock, money: { labels } }: Site): PeriodicJob {
  const freeze = () => labels.freeze(addDays(getLocalDay(clock.now(), settings.TIME_ZONE), -1));
  return new PeriodicJob(log, 'what ids of networks stood for could not be stored', freeze, JOB_MS, 60_000);
}
