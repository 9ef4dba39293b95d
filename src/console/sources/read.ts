import { isYoung } from '../../core/commissions/earned.ts';
import { CHANNELS, parseSourceName } from '../../core/events/visit-source.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  buildEarnedColumns,
  compareEarned,
  type EarnedRow,
  readEarned,
  sortEarned,
  sumRows,
} from '../reports/earned.ts';

export const SOURCE_COLUMNS = buildEarnedColumns('Source', 'Visits');

/** Reads what each source earned, by channel, and how often crawlers read. */
export async function readSources(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const table = await readEarned(site.periods, query, 'source');
  const { sort } = sortEarned([], SOURCE_COLUMNS, query.sort);
  const byChannel = Map.groupBy(table.rows, ({ key }) => parseSourceName(key).channel);
  const channels = CHANNELS.flatMap((channel) => {
    const own = byChannel.get(channel) ?? [];
    const { rows } = sortEarned(own, SOURCE_COLUMNS, query.sort);
    return own.length === 0 ? [] : [{ row: nameRow(sumRows(own, table.currency), channel), sources: rows }];
  });
  const order: readonly EarnedRow[] = sortEarned(
    channels.map(({ row }) => row),
    SOURCE_COLUMNS,
    query.sort,
  ).rows;
  const requests = await site.visitors.crawlerRequests.readByPage({
    from: query.from,
    to: query.to,
    page: undefined,
  });
  return {
    ...table,
    sort,
    channels: channels.sort((one, other) => order.indexOf(one.row) - order.indexOf(other.row)),
    best: channels.map(({ row }) => row).sort(compareEarned)[0] ?? null,
    isYoung: isYoung(table.arrived),
    /** Requests of pages by agents that name themselves, and how many agents. */
    crawlers: {
      requests: requests.reduce((sum, one) => sum + one.requests, 0),
      agents: new Set(requests.map(({ agent }) => agent)).size,
    },
  };
}

const nameRow = (row: EarnedRow, key: string): EarnedRow => ({ ...row, key });

/** Reads every source in the order of a query, for its table. */
export async function readSourceTable(
  site: ConsoleSite,
  { query }: { readonly query: ViewRequest['query'] },
) {
  const { rows } = await readEarned(site.periods, query, 'source');
  return { rows: sortEarned(rows, SOURCE_COLUMNS, query.sort).rows };
}
