import { findShown } from '../../core/products/compare.ts';
import { describePrice } from '../../core/products/price.ts';
import { InlineText, Text } from './inline-text.tsx';
import { OfferButton, PaidLabel, PriceFigure, PriceSources } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The recommendations at a glance: for whom, why, the price, where it stops, and a button. */
export function PicksTableSection({ section, context }: SectionProps<'picks-table'>) {
  const items = section.items.flatMap(({ product: key, ...item }) => {
    const product = context.products.get(key);
    return product === undefined ? [] : [{ ...item, product }];
  });
  return (
    <SectionFrame section={section} context={context}>
      <div data-picks>
        <ul className="border-t-2 border-line-strong">
          {items.map(({ product, offer, bestFor, why, limit }) => (
            <li
              key={`${product.key} ${bestFor}`}
              className="grid gap-x-8 gap-y-2 border-b border-line py-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,5fr)_minmax(0,4fr)] lg:items-center"
            >
              <div>
                <p className="text-sm font-semibold text-positive">{`Best for ${bestFor}`}</p>
                <p className="font-display text-xl font-semibold">{product.name}</p>
              </div>
              <div>
                <Text text={why} cta={context.cta} />
                <p className="mt-1 text-sm text-muted">
                  {'Where it stops: '}
                  <InlineText text={limit} cta={context.cta} />
                </p>
              </div>
              <div className="flex flex-wrap items-center justify-between gap-3 lg:grid lg:grid-cols-1 lg:justify-items-end lg:text-right">
                <span>
                  <PickPrice product={product} offer={offer} context={context} />
                </span>
                <span className="min-w-32" data-print="hide">
                  <OfferButton
                    product={product}
                    offer={offer}
                    context={context}
                    words={section.button}
                    variant="quiet"
                    isNarrow
                  />
                </span>
              </div>
            </li>
          ))}
        </ul>
        <Text className="mt-4 max-w-text text-sm text-muted" text={section.basis} cta={context.cta} />
        <PriceSources
          offers={items.map(({ product, offer }) => ({ product, offer: findShown(product, offer) }))}
          context={context}
        />
        <PaidLabel context={context} />
      </div>
    </SectionFrame>
  );
}

/** The price with what it is of: a plan with a name, or the lowest. A free plan says so itself. */
function PickPrice(props: Parameters<typeof PriceFigure>[0]) {
  const { product, offer, context } = props;
  const shown = findShown(product, offer);
  if (describePrice(product, shown, context.now) === 'Free')
    return <strong className="font-semibold">Free plan</strong>;
  return (
    <>
      <span className="block text-xs text-muted">{offer === undefined ? 'Price from' : shown.name}</span>
      <PriceFigure {...props} />
    </>
  );
}
