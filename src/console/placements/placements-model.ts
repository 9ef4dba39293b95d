import type { ConsoleSort } from '../figures/console-query.ts';
import type { ListPage } from '../figures/list-page.ts';
import type { PlacementRow } from '../pages/pages-model.ts';

/** Placements: where on which page a link is. */
export interface PlacementsModel extends ListPage<PlacementRow> {
  readonly currency: string;
  readonly sort: ConsoleSort;
  readonly areClicksCounted: boolean;
  /** The highest end of an interval, in minor units; the scale of all of them. */
  readonly maxEpc: number;
}
