import { formatLongDate } from '../../core/articles/article-copy.ts';
import { COMPARISON_PATH, PRICES_ANCHOR } from '../../core/paths.ts';
import { formatPrice } from '../../core/products/price.ts';
import { QUANTITIES } from '../../core/products/product.ts';
import {
  describeCheapest,
  describeQuantity,
  findVolumePrice,
  LARGEST,
  parseVolume,
  sortVolumePrices,
  VOLUME_ORDERS,
  type Volume,
  type VolumePrice,
} from '../../core/products/volume-prices.ts';
import { InlineText, Text } from './inline-text.tsx';
import { findProducts, OfferButton, PaidLabel } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const LABELS = {
  people: 'People with a seat',
  contacts: 'Contacts you email',
  texts: 'Texts a month',
  emails: 'Emails a month',
};
const LIST = new Intl.ListFormat('en-US');

const FORM_CLASSES =
  'grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] items-end gap-4 rounded border border-line bg-sunken p-4';
const NO_PRICE = 'No dated price for this volume';
const HOLE = (
  <strong
    key="hole"
    className="mb-2 block rounded-sm border border-dashed border-line-strong p-3 font-display text-xl font-semibold"
  >
    {NO_PRICE}
  </strong>
);

/**
 * The first year of each product with the reader's numbers, which are in the address: a form and links that work without
 * scripts. `src/browser/products/update-volume-prices.ts` replaces the result while numbers are typed. `isShort`: in an
 * article, which has no script, and in a result of the assessment, whose `part` is fetched: the sums are a link away.
 */
export function VolumePricesSection(
  props: SectionProps<'volume-prices'> & {
    readonly query?: URLSearchParams;
    readonly isShort?: boolean;
    readonly part?: string;
  },
) {
  const { section, context, query = new URLSearchParams(), isShort = false, part } = props;
  const { people, contacts, texts, emails, id = PRICES_ANCHOR } = section;
  const { volume, invalid, budget, isExample } = parseVolume(query, { people, contacts, texts, emails });
  const sort = VOLUME_ORDERS.find((order) => order === query.get('sort')) ?? 'price';
  const address = (path: string, changes: Readonly<Record<string, string>>) => {
    const numbers = Object.fromEntries(
      QUANTITIES.map((one) => [one, invalid.get(one) ?? String(volume[one])]),
    );
    const kept = budget > 0 ? { budget: String(budget / 100) } : {};
    return `${path}?${new URLSearchParams({ ...numbers, ...kept, sort, ...changes })}#${id}`;
  };
  const link = (key: string, label: string, changes: Readonly<Record<string, string>>) => {
    return (
      <a key={key} href={address(context.path, changes)} data-key={key}>
        {label}
      </a>
    );
  };
  const head = (key: string, label: string) => {
    const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined;
    return (
      <th scope="col" aria-sort={order}>
        {link(key, label, { sort: sort === key ? `-${key}` : key })}
        {order !== undefined && (
          <span aria-hidden>{order === 'ascending' ? '\u00a0\u25b2' : '\u00a0\u25bc'}</span>
        )}
      </th>
    );
  };
  const products = findProducts(context, section.products);
  const currency = products[0]?.currency ?? '';
  const rows = sortVolumePrices(
    products.map((one) => findVolumePrice(one, volume, context.now)),
    sort,
  );
  return (
    <SectionFrame section={{ ...section, id }} context={context}>
      <div
        className={isShort ? 'volume-short' : '@container'}
        data-volume-prices={id}
        data-products={section.products.join(' ')}
        data-part={part}
      >
        <form
          method="get"
          action={`${context.path}#${id}`}
          className={isShort ? undefined : FORM_CLASSES}
          data-print="hide"
        >
          {QUANTITIES.map((one) => (
            <label key={one} className="font-semibold">
              {LABELS[one]}
              <input
                className={`tabular mt-1 text-lg font-semibold ${isShort ? '' : 'field w-full'}`.trim()}
                name={one}
                inputMode="numeric"
                autoComplete="off"
                defaultValue={invalid.get(one) ?? volume[one].toLocaleString('en-US')}
                {...(invalid.has(one) && { 'aria-invalid': true, 'aria-describedby': `${id}-message` })}
              />
            </label>
          ))}
          <input type="hidden" name="sort" value={sort} />
          {budget > 0 && <input type="hidden" name="budget" value={budget / 100} />}
          <button
            type="submit"
            className={`button ${isShort ? 'button-quiet px-2' : 'button-primary hidden noscript:inline-flex'}`}
          >
            Show prices
          </button>
        </form>
        {/* The page has the styles of what the script may show. */}
        {!isShort && (
          <template>
            {HOLE}
            <strong className="text-danger" />
          </template>
        )}
        {(!isShort || part !== undefined) && <p role="status" className="sr-only" />}
        <div data-result>
          <p className="mt-3 flex flex-wrap gap-3" data-print="hide">
            {isExample && (
              <strong className={isShort ? '' : 'bg-marker px-2 font-semibold text-on-marker'}>
                Example
              </strong>
            )}
            {part !== undefined && isExample && <span>{describeGiven(query, volume, budget, currency)}</span>}
            {section.tries.length > 0 && <span>Or try</span>}
            {section.tries.flatMap((count) => [
              link(`${count}`, describeQuantity('people', count), { people: `${count}` }),
              ' ',
            ])}
            {invalid.size > 0 && (
              <strong id={`${id}-message`} className="text-danger">
                {`Enter a whole number from ${invalid.has('people') ? 1 : 0} to ${LARGEST.toLocaleString('en-US')} for ${LIST.format(invalid.keys())}.`}
              </strong>
            )}
          </p>
          <Text
            className="my-6 max-w-wide font-display text-xl font-semibold"
            data-spoken
            text={
              isShort ? describeCheapest(rows, volume).replaceAll('==', '') : describeCheapest(rows, volume)
            }
            cta={context.cta}
          />
          <table className={isShort ? undefined : 'data-table volume-table w-full table-fixed'}>
            <caption
              className={
                isShort ? 'sr-only' : 'sr-only text-left print:not-sr-only print:table-caption print:w-max'
              }
            >
              {`For ${LIST.format(QUANTITIES.map((one) => describeQuantity(one, volume[one])))}:`}
            </caption>
            <thead>
              <tr>
                {head('name', 'Platform')}
                {head('price', 'First-year price')}
                {!isShort && (
                  <>
                    <th scope="col">Plan chosen, and the sum</th>
                    <th scope="col">Not in this price</th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <PriceRow
                  key={row.product.key}
                  section={section}
                  context={context}
                  isShort={isShort}
                  budget={budget}
                  row={row}
                  rows={rows}
                />
              ))}
            </tbody>
          </table>
          {isShort && (
            <p className="mt-3">
              <a href={address(COMPARISON_PATH, {})}>The sums, and what isn’t in these prices</a>
            </p>
          )}
        </div>
        <PaidLabel context={context} />
      </div>
    </SectionFrame>
  );
}

function PriceRow(
  props: SectionProps<'volume-prices'> & {
    readonly isShort: boolean;
    readonly budget: number;
    readonly row: VolumePrice;
    readonly rows: readonly VolumePrice[];
  },
) {
  const { row, context, section, isShort, budget } = props;
  const { product, price, isCovered } = row;
  const { name, source } = price?.offer ?? {};
  return (
    <tr>
      <th scope="row">
        <span className="font-display text-xl font-semibold">{product.name}</span>
        <span className="mt-2 grid gap-3">
          {source !== undefined && (
            <span className={`text-sm text-muted ${isShort ? '' : 'min-w-0 wrap-anywhere'}`.trim()}>
              {`${isShort ? `${name}: price` : 'Price'} of ${formatLongDate(source.checked)}`}
              {source.via !== undefined && `, from ${source.via}`}
              {': '}
              <a href={source.href} rel="noopener">
                {source.title}
              </a>
            </span>
          )}{' '}
          <span className={isShort ? undefined : 'max-w-48'} data-print="hide">
            <OfferButton
              product={product}
              context={context}
              offer={price?.offer.key}
              words={section.button}
              variant="quiet"
              isNarrow
            />
          </span>
        </span>
      </th>
      <td className="text-base">
        <Amount row={row} rows={props.rows} budget={budget} hasBar={!isShort} />
      </td>
      {!isShort && (
        <>
          <td className="text-base" data-column="Plan chosen, and the sum">
            <InlineText
              text={`**${isCovered ? name : 'None with a dated price'}.** ${row.reasons.join(' ')}`}
              cta={context.cta}
            />
            {isCovered && <Sum price={price} />}
          </td>
          <td className="text-base" data-column="Not in this price">
            <ul className="ml-4 list-disc">
              {row.missing.map((text) => (
                <Text as="li" key={text} className="pb-1" text={text} cta={context.cta} />
              ))}
            </ul>
          </td>
        </>
      )}
    </tr>
  );
}

/** Says which numbers are the reader's where the rest is an example. */
function describeGiven(query: URLSearchParams, volume: Volume, budget: number, currency: string): string {
  const given = [
    ...QUANTITIES.filter((one) => query.has(one)).map((one) => describeQuantity(one, volume[one])),
    ...(budget > 0 ? [`at most ${formatPrice(budget, currency)} a month`] : []),
  ];
  return given.length === 0 ? 'Type your numbers.' : `Your answers say ${LIST.format(given)}. Type the rest.`;
}

/** The first year on a scale that all rows share. Never an amount where no dated price covers the numbers. */
function Amount(props: {
  readonly row: VolumePrice;
  readonly rows: readonly VolumePrice[];
  readonly budget: number;
  readonly hasBar: boolean;
}) {
  const { rows, budget, hasBar } = props;
  const { price, isCovered, covered } = props.row;
  const show = (amount: number) => formatPrice(Math.round(amount), price?.offer.currency ?? '');
  if (price === null) return HOLE;
  const { offer, firstYear } = price;
  const nearest = `The nearest is ${offer.name} for ${LIST.format(covered)}: ${show(firstYear)} in the first year.`;
  if (!isCovered) return [hasBar ? HOLE : <strong key="hole">{`${NO_PRICE}. `}</strong>, nearest];
  const amounts = rows.flatMap((one) => (one.isCovered ? (one.price?.firstYear ?? []) : []));
  const isLeast = amounts.length > 1 && firstYear === Math.min(...amounts);
  const color = isLeast ? 'text-positive' : 'text-accent';
  return (
    <>
      <span
        className={`tabular block font-display font-semibold ${hasBar ? 'text-3xl' : 'text-xl'} ${isLeast ? color : ''}`.trim()}
      >
        {show(firstYear)}
      </span>
      {hasBar && (
        <svg className={`mt-2 mb-1 block h-2.5 w-full border-b border-line ${color}`} aria-hidden="true">
          <rect
            width={`${Math.round((100 * firstYear) / Math.max(...amounts, 1))}%`}
            height="100%"
            fill="currentColor"
          />
        </svg>
      )}
      {`${show(firstYear / 12)} a month.`}
      {budget > 0 && ` ${firstYear > 12 * budget ? 'More than' : 'Within'} your ${show(budget)}.`}
      {hasBar && isLeast && ` The lowest of the ${amounts.length} that we can price.`}
    </>
  );
}

function Sum({ price }: { readonly price: VolumePrice['price'] }) {
  const { lines = [], firstYear, secondYear } = price ?? {};
  const later = { label: 'Second year', amount: secondYear ?? 0, agedDay: '' };
  return (
    <dl className="tabular mt-2.5 text-sm">
      {[...lines, ...(secondYear === firstYear ? [] : [later])].map(({ label, amount, agedDay }) => (
        <div key={label} className="flex justify-between gap-4 border-t border-line py-1">
          <dt>{agedDay === '' ? label : `${label} (rate of ${agedDay})`}</dt>
          <dd>{formatPrice(amount, price?.offer.currency ?? '')}</dd>
        </div>
      ))}
    </dl>
  );
}
