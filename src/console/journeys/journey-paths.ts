import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import type { ClickPath } from '../../stores/clicks.ts';
import type { JourneyMeasure, JourneyPath } from './journeys-model.ts';

const MAX_PAGES = 4;
const SEPARATOR = ' > ';

type Visit = Pick<FrozenJourney, 'entryPage' | 'pages' | 'page' | 'partner'>;
type PathSums = { -readonly [Key in keyof JourneyPath]: JourneyPath[Key] };

/**
 * Sums clicks and commissions by the paths that led to them. Commissions and their clicks have the journey that was
 * stored with them; all other clicks have what their link carried. Add each once.
 */
export class JourneyPaths {
  readonly #paths = new Map<string, PathSums>();
  /** The path of everything that was looked up, by pages and partner: most visits are like many others. */
  readonly #known = new Map<string, PathSums>();
  readonly #names = new Map<string, string>();
  readonly #sitePaths: ReadonlyMap<string, string>;
  readonly #counted = new Set<string>();

  /** `sitePaths` are the paths of the site's pages: journeys name pages without slashes. */
  constructor(sitePaths: readonly string[] = []) {
    this.#sitePaths = new Map(sitePaths.map((path) => [buildPageName(path), path]));
  }

  /** Adds clicks without those that commissions belong to. */
  addClicks(paths: readonly ClickPath[]): void {
    // A link carries pages by their names, and its own page last.
    for (const path of paths)
      this.#find({ ...path, pages: [...path.pages, path.page] }).clicks += path.clicks;
  }

  /** Adds commissions with their clicks, or a part of them. */
  addCommissions(entries: readonly LedgerEntry[]): void {
    for (const { commission, journey, isCounted } of entries) {
      if (journey === null || !isCounted) continue;
      const path = this.#find(journey);
      // Its commission shows that there was one: the event of an old click may be removed already.
      if (!this.#counted.has(journey.clickId)) path.clicks += 1;
      this.#counted.add(journey.clickId);
      if (commission.amount !== 0) path.conversions += 1;
      path.amount += commission.amount;
    }
  }

  /** Lists the paths, those with the most of the measure first. */
  list(measure: JourneyMeasure): readonly JourneyPath[] {
    const other = measure === 'money' ? 'clicks' : 'amount';
    const own = measure === 'money' ? 'amount' : 'clicks';
    return [...this.#paths.values()].sort(
      (one, next) => next[own] - one[own] || next[other] - one[other] || (one.key < next.key ? -1 : 1),
    );
  }

  #find(visit: Visit): PathSums {
    const { entryPage, pages, page, partner } = visit;
    const text = JSON.stringify([entryPage, pages, page, partner]);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const steps = this.#buildSteps(visit);
    const key = steps.join(SEPARATOR);
    const path = this.#paths.get(key) ?? { key, steps, clicks: 0, conversions: 0, amount: 0 };
    this.#paths.set(key, path);
    this.#known.set(text, path);
    return path;
  }

  /** At most four pages, of which the first one and the last ones stay, and the partner. */
  #buildSteps({ entryPage, pages, page, partner }: Visit): readonly string[] {
    const names = [entryPage, ...pages, page]
      .filter((name) => name !== '')
      .map((name) => this.#getName(name));
    const last = names.at(-1) ?? 'home';
    const seen = [...new Set(names.slice(0, -1))].filter((name) => name !== last);
    const all = [...seen, last];
    const shown = all.length <= MAX_PAGES ? all : [all[0] ?? '', '…', ...all.slice(-(MAX_PAGES - 2))];
    return [...shown, partner].map((step) => this.#sitePaths.get(step) ?? step);
  }

  #getName(page: string): string {
    const name = this.#names.get(page) ?? buildPageName(page);
    this.#names.set(page, name);
    return name;
  }
}
