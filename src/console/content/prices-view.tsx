import { PriceRow } from '../../editor/prices.tsx';
import type { ViewProps } from '../console-page.ts';
import { showColumns } from '../frame/data-table.tsx';
import { ActionForm, useAction } from '../frame/forms.tsx';
import { ListTable, Statement } from '../frame/list.tsx';
import { formatCount, formatDay, formatNumber } from '../reports/format.ts';
import { UndoLast } from './changes-view.tsx';
import { buildFileAddress } from './file-address.ts';
import { PRICE_COLUMNS, type PriceListing, READ_NAMES, type readPrices } from './prices.ts';

type PricesModel = Awaited<ReturnType<typeof readPrices>>;

/** The prices of all products as one sheet: here it is read, and scripts let it be changed. */
export function PricesView({ model }: ViewProps<PricesModel>) {
  const { list, all, today, readOnly } = model;
  const mayEdit = useAction('save-prices') && readOnly === null;
  if (all === 0)
    return <Statement lead="Prices appear when a product has an offer.">No price yet.</Statement>;
  const sheet = { lines: list.rows.map(buildLine), today };
  return (
    <>
      <Statement lead={readOnly} actions={mayEdit && <div data-price-paste />}>
        {describePrices(model)}
      </Statement>
      {mayEdit && (
        <noscript>
          <p className="problem">Writing needs scripts: prices can be read alone.</p>
        </noscript>
      )}
      <UndoLast undo={model.undo} />
      <ListTable
        title="Prices"
        id="prices"
        name="prices"
        list={list}
        columns={showColumns(PRICE_COLUMNS)}
        getKey={({ key }) => key}
        renderRow={(row) => <PriceRow line={buildLine(row)} edit={null} />}
        empty="No price has these words and this state."
        around={(table) => (
          <div className="price-sheet" data-sheet={mayEdit ? JSON.stringify(sheet) : undefined}>
            {table}
          </div>
        )}
      />
      {mayEdit && (
        <p className="form-note phone:hidden [line-height:1.9]" data-needs-script hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> move · type or <kbd>Enter</kbd> edits · <kbd>=</kbd> still the same ·{' '}
          <kbd>Esc</kbd> undoes · <kbd>Space</kbd> details
        </p>
      )}
      <p className="hidden-text" aria-live="polite" data-price-says />
      <ActionForm of="save-prices" className="editor-bar" data-price-bar hidden />
    </>
  );
}

function describePrices({ all, old, shops, limits }: PricesModel): string {
  const [days = 0, ...others] = limits;
  const limit = others.length === 0 ? `your limit of ${formatCount(days, 'day')}` : 'your limits';
  const state = old === 0 ? 'None is' : old === 1 ? '1 is' : `${formatNumber(old)} are`;
  return `${formatCount(all, 'price')} at ${formatCount(shops, 'shop')}. ${state} older than ${limit}.`;
}

const buildLine = ({ file, was, age, state, read, ...row }: PriceListing) => ({
  ...row,
  address: buildFileAddress(file, { at: `offers.${row.key.split('.')[1]}` }),
  was: was?.price ?? '',
  wasDay: was === null ? '' : formatDay(was.day),
  age: describeAge(age),
  isOld: state === 'old',
  how: [READ_NAMES[read], row.via].filter(Boolean).join(' '),
});

const describeAge = (age: number | null) =>
  age === null ? 'Never' : age <= 0 ? 'Today' : age === 1 ? 'Yesterday' : `${formatNumber(age)} days ago`;
