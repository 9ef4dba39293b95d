import type { PageContext } from '../../core/pages/page-context.ts';
import { type ComparedRow, compareProducts, findShown } from '../../core/products/compare.ts';
import type { Product } from '../../core/products/product.ts';
import { Text } from './inline-text.tsx';
import { findProducts, OfferButton, PaidLabel, PriceSources } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Products side by side: what differs as a table with a button for each, what is equal folded below it. */
export function ProductComparisonSection({ section, context }: SectionProps<'product-comparison'>) {
  const products = findProducts(context, section.products);
  const { different, equal } = compareProducts(products, section.rows, section.scores, context.now);
  const names = new Intl.ListFormat('en-US').format(products.map(({ name }) => name));
  return (
    <SectionFrame section={section} context={context}>
      <div data-products={section.products.join(' ')}>
        <Comparison
          products={products}
          rows={different}
          caption={names}
          context={context}
          words={section.button}
        />
        {equal.length > 0 && (
          <details className="faq-item border-b border-line">
            <summary className="py-3 font-semibold">
              {`${equal.length === 1 ? '1 row is' : `${equal.length} rows are`} equal for all`}
            </summary>
            <dl className="pb-4">
              {equal.map(({ label, cells }) => (
                <div key={label} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-2">
                  <dt>{label}</dt>
                  <dd className="text-muted">{cells[0]}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        <PriceSources
          offers={products.map((product) => ({ product, offer: findShown(product, undefined) }))}
          context={context}
        />
        <PaidLabel context={context} />
      </div>
    </SectionFrame>
  );
}

function Comparison(props: {
  readonly products: readonly Product[];
  readonly rows: readonly ComparedRow[];
  readonly caption: string;
  readonly context: PageContext;
  readonly words: string | undefined;
}) {
  const { products, rows, caption, context, words } = props;
  return (
    <table className="data-table table-stacked w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Compared</span>
          </th>
          {products.map(({ key, name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, cells }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {products.map(({ key, name }, index) => (
              <Text as="td" key={key} data-column={name} text={cells[index] ?? ''} cta={context.cta} />
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot data-print="hide">
        <tr>
          <th scope="row">
            <span className="sr-only">Where to go</span>
          </th>
          {products.map((product) => (
            <td key={product.key} data-column={product.name}>
              <OfferButton product={product} context={context} words={words} variant="quiet" isNarrow />
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
