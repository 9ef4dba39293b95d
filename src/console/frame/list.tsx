import type { ReactNode } from 'react';
import { useFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { LIST_PAGE_PARAMETER } from '../reports/columns.ts';
import type { List } from '../reports/list.ts';
import { Block, DataTable, ListPager, type TableColumn } from './data-table.tsx';
import { Options, Submit } from './forms.tsx';

/** The first line of a view: a sentence with the figure that it is for, what belongs to it, and what is done. */
export function Statement(props: {
  readonly children: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const { children, lead, actions } = props;
  return (
    <>
      <h1 className="sentence">{children}</h1>
      {lead !== undefined && lead !== '' && <p className="lead">{lead}</p>}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </>
  );
}

/** The first lines of a page below a view: the way back and its name. */
export function DetailHead(props: {
  /** Where it leads back to: a name and an address. */
  readonly back: readonly [name: string, href: string];
  readonly children: ReactNode;
  readonly lead?: ReactNode;
}) {
  const [name, href] = props.back;
  return (
    <>
      <p className="back-link">
        <a href={href}>{name}</a>
      </p>
      <Statement lead={props.lead}>{props.children}</Statement>
    </>
  );
}

/** The address of the view that is shown. */
function useAddress(): string {
  const { view, rest } = useFrame();
  return buildConsoleAddress(view, {}, { rest });
}

/** The filter of a view by partner, as the filter of its list. */
export function usePartnerFilter() {
  const { query, names } = useFrame();
  const [first] = query.filters.filter(({ dimension, isNot }) => dimension === 'partner' && !isNot);
  const filter = { name: 'partner', label: 'All partners', options: [...names.partners] };
  return { filter, chosen: first?.value ?? '' };
}

/** The search and the filter of a list, in the heading of its table. All else that its address asks for stays. */
export function ListForm({ list }: { readonly list: Pick<List<unknown>, 'search' | 'filter' | 'chosen'> }) {
  const { viewer, parameters } = useFrame();
  const action = useAddress();
  const { search, filter, chosen } = list;
  if (viewer.kind === 'share') return null;
  const own = ['q', LIST_PAGE_PARAMETER, filter?.name];
  const kept = [...new URLSearchParams(parameters)].filter(([name]) => !own.includes(name));
  return (
    <search>
      <form
        className="flex flex-wrap gap-2 [&_input]:w-44 [&_input]:max-w-full phone:[&_input]:w-24 phone:[&_select]:max-w-32"
        action={action}
      >
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <input
          type="search"
          name="q"
          defaultValue={search}
          maxLength={100}
          aria-label="Find"
          placeholder="Find"
        />
        {filter !== null && (
          <select name={filter.name} defaultValue={chosen} aria-label={filter.label}>
            <option value="">{filter.label}</option>
            <Options of={filter.options} />
          </select>
        )}
        <Submit className="button button-quiet">Show</Submit>
      </form>
    </search>
  );
}

interface ListProps<Row> {
  readonly title: string;
  readonly note?: ReactNode;
  readonly id?: string;
  /** What is listed, in the plural. */
  readonly name: string;
  readonly list: List<Row>;
  readonly columns: readonly (TableColumn<Row> | false)[];
  readonly getKey: (row: Row) => string;
  readonly renderRow?: (row: Row) => ReactNode;
  /** What is shown where nothing has these words and this state. */
  readonly empty: ReactNode;
  /** Around the table: a form whose fields are in its rows. */
  readonly around?: (table: ReactNode) => ReactNode;
}

/** A list of a view: its search and its filter, its rows, and links to its other pages. */
export function ListTable<Row>(props: ListProps<Row>) {
  const { title, note, id, name, list, columns, getKey, renderRow, empty, around = (table) => table } = props;
  const table = (
    <DataTable
      caption={title}
      columns={columns}
      rows={list.rows}
      getKey={getKey}
      renderRow={renderRow}
      sort={list.sort}
      empty={empty}
    />
  );
  return (
    <Block title={title} note={note} {...(id !== undefined && { id })} links={<ListForm list={list} />}>
      {around(table)}
      <ListPager name={name} list={list} path={useAddress()} />
    </Block>
  );
}
