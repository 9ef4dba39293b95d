import type { ViewProps } from '../console-page.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay, formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { UndoLast } from './changes-view.tsx';
import { buildFileAddress } from './file-address.ts';
import { GROUPS, PRICES_VIEW, type PriceRow, READ_NAMES, type readPrices } from './prices.ts';

type PricesModel = Awaited<ReturnType<typeof readPrices>>;

const GROUP_NAMES: Readonly<Record<PriceRow['group'], readonly [name: string, note: string]>> = {
  old: ['Too old', 'Readers see no price. Most money first.'],
  soon: ['Soon', 'Too old within 30 days.'],
  fresh: ['Fresh', ''],
};
const ORDERS = [
  ['', 'By age'],
  ['product', 'By product'],
  ['shop', 'By shop'],
] as const;

/** The prices of all products as one sheet. Without scripts it is read, and each row leads to its form. */
export function PricesView({ model }: ViewProps<PricesModel>) {
  const { rows, by, readOnly } = model;
  const mayEdit = useAction('save-prices') && readOnly === null;
  if (rows.length === 0)
    return <p className="empty-note">Prices appear when a product has an offer. Add a product.</p>;
  const groups = by === '' ? GROUPS : [null];
  return (
    <section className="block" id="prices">
      <p className="sheet-sum">{describePrices(model)}</p>
      {readOnly !== null && <p className="problem">{readOnly}</p>}
      <UndoLast undo={model.undo} />
      <div className="form-row">
        <nav className="segments" aria-label="Order">
          {ORDERS.map(([value, name]) => (
            <a
              key={value}
              className="segment"
              aria-current={by === value || undefined}
              href={buildConsoleAddress(
                'content',
                {},
                { rest: [PRICES_VIEW], extra: value ? { by: value } : {} },
              )}
            >
              {name}
            </a>
          ))}
        </nav>
        {mayEdit && (
          <details className="price-paste" data-needs-script hidden>
            <summary className="button button-quiet">Paste from a spreadsheet</summary>
            <label>
              Two columns: name and price
              <textarea rows={4} data-paste />
            </label>
          </details>
        )}
      </div>
      {mayEdit && (
        <p className="form-note key-help" data-needs-script hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> move · type or <kbd>Enter</kbd> edits · <kbd>=</kbd> still the same ·{' '}
          <kbd>Esc</kbd> undoes · <kbd>Space</kbd> details
        </p>
      )}
      <div className="table-box wide-table">
        <table
          className="data-table price-sheet"
          data-today={model.today}
          data-editable={mayEdit || undefined}
        >
          <caption className="hidden-text">Prices</caption>
          <PriceHead hasMoney={model.currency !== null} />
          {groups.map((group) => (
            <PriceGroup key={group} group={group} mayEdit={mayEdit} model={model} />
          ))}
        </table>
      </div>
      <ActionForm of="save-prices" className="editor-bar" data-price-bar hidden>
        <input type="hidden" name="changes" />
        <p data-price-count aria-live="polite" />
        <Submit>Save</Submit>
        <button type="button" className="button button-quiet" data-price-undo>
          Undo all
        </button>
      </ActionForm>
    </section>
  );
}

function describePrices({ rows, shops, currency }: PricesModel): string {
  const old = rows.filter(({ group }) => group === 'old');
  const count = (number: number, name: string) => `${formatNumber(number)} ${name}${number === 1 ? '' : 's'}`;
  const intro = `${count(rows.length, 'price')} at ${count(shops, 'shop')}.`;
  if (old.length === 0) return `${intro} None is too old.`;
  // Offers of one product are on the same pages.
  const distinct = [...new Map(old.map((row) => [row.file, row])).values()];
  const sum = (get: (row: PriceRow) => number) => distinct.reduce((total, row) => total + get(row), 0);
  const money = sum(({ amount }) => amount);
  const earned = currency !== null && money > 0 ? ` and earned ${formatMoney(money, currency)}` : '';
  return (
    `${intro} ${count(old.length, 'price')} ${old.length === 1 ? 'is' : 'are'} too old to be shown. ` +
    `Pages that name them had ${count(
      sum(({ clicks }) => clicks),
      'click',
    )}${earned} in 30 days.`
  );
}

const PriceHead = ({ hasMoney }: { readonly hasMoney: boolean }) => (
  <thead>
    <tr>
      {['Product', 'Shop'].map((name) => (
        <th key={name} scope="col" data-fixed>
          {name}
        </th>
      ))}
      {['Price', 'Was'].map((name) => (
        <th key={name} scope="col" data-numeric data-fixed>
          {name}
        </th>
      ))}
      {['Checked', 'Source'].map((name) => (
        <th key={name} scope="col" data-fixed>
          {name}
        </th>
      ))}
      {['Pages', 'Clicks', ...(hasMoney ? ['Money'] : [])].map((name) => (
        <th key={name} scope="col" data-numeric data-fixed>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** The rows of one age, or all of them. */
function PriceGroup({
  group,
  mayEdit,
  model: { rows, currency },
}: ViewProps<PricesModel> & { readonly group: PriceRow['group'] | null; readonly mayEdit: boolean }) {
  const shown = group === null ? rows : rows.filter((row) => row.group === group);
  if (shown.length === 0) return null;
  return (
    <tbody>
      {group !== null && (
        <tr className="price-group">
          <th colSpan={currency === null ? 8 : 9} scope="rowgroup">
            {GROUP_NAMES[group][0]}{' '}
            <small>{GROUP_NAMES[group][1] || `${formatNumber(shown.length)} prices`}</small>
          </th>
        </tr>
      )}
      {shown.map((row) => (
        <tr key={row.key} data-price={JSON.stringify(pickSent(row))}>
          <th scope="row">
            <a href={buildFileAddress(row.file, { at: `offers.${row.key.split('.')[1]}` })}>{row.product}</a>
            <small>{row.offer}</small>
          </th>
          <td data-label="Shop">{row.shop}</td>
          <td data-label="Price" data-numeric data-cell data-phone="lead-plain">
            {row.price || NO_FIGURE}
          </td>
          <td data-label="Was" data-numeric>
            {row.was === null ? '' : row.was.price}
          </td>
          <td data-label="Checked" data-old={row.group === 'old' || undefined}>
            <span data-checked data-day={row.checked}>
              {describeAge(row.age)}
            </span>{' '}
            <AgeBar age={row.age} max={row.maxAgeDays} />
          </td>
          <td data-label="Source">
            {row.source || NO_FIGURE}
            {row.source !== '' && <small>{[READ_NAMES[row.read], row.via].filter(Boolean).join(' ')}</small>}
          </td>
          <td data-label="Pages" data-numeric>
            {formatNumber(row.pages.length)}
          </td>
          <td data-label="Clicks" data-numeric>
            {formatNumber(row.clicks)}
          </td>
          {currency !== null && (
            <td data-label="Money" data-numeric>
              <MoneyAmount amount={row.amount} currency={currency} />
            </td>
          )}
          {mayEdit && (
            <td className="price-thumb" data-needs-script hidden>
              <a className="button button-quiet" href={row.href} data-open target="_blank" rel="noreferrer">
                Open the shop
              </a>
              <button type="button" className="button button-quiet" data-still disabled={row.price === ''}>
                Still {row.price}
              </button>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  );
}

/** What the script of the sheet needs of a row. */
const pickSent = (row: PriceRow) => {
  const { key, price, currency, read, via, hash, href, product, offer, source, pages } = row;
  const was = row.was === null ? '' : `${row.was.price} on ${formatDay(row.was.day)}`;
  return { key, price, currency, read, via, hash, href, product, offer, source, pages, was };
};

const describeAge = (age: number | null) =>
  age === null ? 'Never' : age <= 0 ? 'Today' : age === 1 ? 'Yesterday' : `${formatNumber(age)} days ago`;

const AgeBar = ({ age, max }: { readonly age: number | null; readonly max: number }) => (
  <svg className="age-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="8" />
    <rect width={age === null ? 0 : Math.min(100, (100 * age) / max)} height="8" />
  </svg>
);
