import { useFrame } from '../console-page.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import { PageNameCell, TitledPage } from '../frame/links.tsx';
import { formatNumber } from '../reports/format.ts';
import type { readPartnerLabels } from './labels.ts';

type LabelsModel = Awaited<ReturnType<typeof readPartnerLabels>>;

/** A page by its title; several are unfolded by how many they are. */
function PageList({ pages, name = '' }: { readonly pages: readonly string[]; readonly name?: string }) {
  const { names } = useFrame();
  const [first] = pages;
  if (first === undefined) return <span className="text-muted">no page</span>;
  if (pages.length === 1) return <TitledPage page={first} />;
  return (
    <details>
      <summary>
        {name || 'a group'}, {formatNumber(pages.length)} pages
      </summary>
      <ul>
        {pages.map((page) => (
          <li key={page}>{names.pages.get(page) ?? page}</li>
        ))}
      </ul>
    </details>
  );
}

/** What the ids of a partner stand for and have earned, the moves that are proposed, and the products that were sold. */
export function PartnerLabelList({ model }: { readonly model: LabelsModel }) {
  const { rows, currency } = model;
  return (
    <>
      <TableBlock
        title="Labels"
        id="labels"
        note="Ids of the network that links of pages carry, and what each brought in the period."
        columns={[
          { name: 'Id', render: ({ id }) => <code>{id}</code> },
          {
            name: 'Given to',
            render: ({ use, next, isOwn }) => (
              <>
                {isOwn && use === null && (
                  <span className="text-muted">pages without an id of their own</span>
                )}
                {(!isOwn || use !== null) && <PageList pages={use?.pages ?? []} {...use} />}
                {use !== null && use.placement !== '' && <small>links at {use.placement}</small>}
                {next !== null && (
                  <small>
                    from {next.since}: {next.name || next.pages.join(', ') || 'no page'}
                  </small>
                )}
              </>
            ),
          },
          { name: 'Since', render: ({ use }) => use?.since ?? '–' },
          { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
          {
            name: 'Earned and pending',
            isNumeric: true,
            onPhone: 'lead',
            render: ({ earned }) => <MoneyAmount amount={earned} currency={currency} />,
          },
        ]}
        rows={rows}
        getKey={({ id }) => id}
        empty="The partner’s file has no ids yet: add a pool."
      />
      <ProposedMoves model={model} />
      {model.items.length > 0 && <SoldProducts model={model} />}
    </>
  );
}

const MAX_PRODUCTS = 100;

function SoldProducts({ model: { items, currency } }: { readonly model: LabelsModel }) {
  return (
    <TableBlock
      title="Products sold"
      note={`As reports name them, by the page or the group of their id${items.length > MAX_PRODUCTS ? `; the first ${MAX_PRODUCTS} of ${formatNumber(items.length)}` : ''}.`}
      columns={[
        {
          name: 'Page or group',
          render: ({ page, group }) => (page === null ? group : <PageNameCell page={page} />),
        },
        {
          name: 'Product',
          onPhone: 'lead-unnamed',
          render: ({ item, name }) => (
            <>
              {name || item}
              {name !== '' && <small>{item}</small>}
            </>
          ),
        },
        { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
        {
          name: 'Earned and pending',
          isNumeric: true,
          render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
        },
      ]}
      rows={items.slice(0, MAX_PRODUCTS)}
      getKey={({ page, group, item, name }) => `${page} ${group} ${item} ${name}`}
    />
  );
}

function ProposedMoves({ model: { moves, since, partner, refusal } }: { readonly model: LabelsModel }) {
  const columns: readonly TableColumn<LabelsModel['moves'][number]>[] = [
    { name: 'Id', render: ({ id }) => <code>{id}</code> },
    { name: 'From', render: ({ from }) => <PageList pages={from} /> },
    { name: 'To', render: ({ to, name }) => <PageList pages={to} name={name} /> },
    {
      name: 'Clicks in 90 days',
      isNumeric: true,
      render: ({ before, after }) => `${formatNumber(before)} → ${formatNumber(after)}`,
    },
    {
      name: 'Confirm',
      onPhone: 'lead-unnamed',
      render: ({ id, hash }) =>
        refusal === null && (
          <ActionForm of="move-label" fields={{ partner, move: hash }}>
            <Submit>Move {id}</Submit>
          </ActionForm>
        ),
    },
  ];
  if (moves.length === 0)
    return (
      <Block title="Proposed moves">
        <p className="empty-note">
          None. An id moves to a page with twice the clicks of its own, at most once a month.
        </p>
      </Block>
    );
  return (
    <TableBlock
      title="Proposed moves"
      note={`A confirmed move is written to content/partners/${partner}.yaml. Links carry the id from ${since} on, and it stays for a month.`}
      columns={columns}
      rows={moves}
      getKey={({ hash }) => hash}
    />
  );
}
