import type { ViewRequest } from '../console-site.ts';
import { buildListPage, type Column, type ListPage, sortRows } from './columns.ts';
import type { ConsoleSort } from './query.ts';

/** The one filter of a list. */
export interface ListFilter<Row> {
  /** Its parameter in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly has: (row: Row, value: string) => boolean;
}

/** A page of a list, with what was asked for it. */
export interface List<Row> extends ListPage<Row> {
  readonly search: string;
  readonly sort: ConsoleSort;
  readonly filter: Omit<ListFilter<Row>, 'has'> | null;
  /** The value of the filter; empty: all rows. */
  readonly chosen: string;
}

const MAX_SEARCH = 100;
const ROWS = 20;

/** What a list is searched in. */
interface Searched<Row> {
  readonly title: (row: Row) => string;
  /** What else is known of a row; read only where its title has not all words. */
  readonly words: (row: Row) => string;
}

/** The order of a search, which no column has. */
const BY_RANK: ConsoleSort = { column: '', isDescending: true };

/**
 * The rows that have every word of `q`: that whose title is the words, those that begin so, those whose title has them, then the
 * others, unless the address asks for another order; and how they are sorted. Rows of one rank stay in their order, which is that of `sort`.
 */
export function searchRows<Row>(
  rows: readonly Row[],
  sort: ConsoleSort,
  { query, parameters }: Pick<ViewRequest, 'query' | 'parameters'>,
  { title, words }: Searched<Row>,
) {
  const search = (parameters.get('q') ?? '').trim().slice(0, MAX_SEARCH);
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return { search, rows, sort };
  const hasAll = (text: string) => wanted.every((word) => text.includes(word));
  const phrase = wanted.join(' ');
  const ranked = rows.flatMap((row) => {
    const name = title(row).toLowerCase();
    if (hasAll(name)) return [{ row, rank: name === phrase ? 0 : name.startsWith(phrase) ? 1 : 2 }];
    return hasAll(`${name} ${words(row).toLowerCase()}`) ? [{ row, rank: 3 }] : [];
  });
  const isSorted = query.sort !== null;
  const found = isSorted ? ranked : ranked.toSorted((one, other) => one.rank - other.rank);
  return { search, rows: found.map(({ row }) => row), sort: isSorted ? sort : BY_RANK };
}

/**
 * The rows of a list that an address asks for: those with every word of `q` and with the value of the filter, sorted by
 * `sort`, a page of them. Rows that sort alike stay in their order.
 */
export function readListTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  request: Pick<ViewRequest, 'query' | 'parameters'>,
  options: Searched<Row> & { readonly usual: ConsoleSort; readonly filter?: ListFilter<Row> },
): List<Row> {
  const { query, parameters } = request;
  const { usual, filter } = options;
  const asked = parameters.get(filter?.name ?? '') ?? '';
  const chosen = filter?.options.some(([value]) => value === asked) ? asked : '';
  const own = rows.filter((row) => filter === undefined || chosen === '' || filter.has(row, chosen));
  const isKnown = columns.some(({ key, sort }) => key === query.sort?.column && sort !== null);
  const usually = query.sort !== null && isKnown ? query.sort : usual;
  const sorted = sortRows(own, columns, usually, () => 0);
  const { rows: found, ...searched } = searchRows(sorted, usually, request, options);
  return {
    ...buildListPage(found, parameters, ROWS),
    ...searched,
    filter: filter === undefined ? null : { name: filter.name, label: filter.label, options: filter.options },
    chosen,
  };
}
