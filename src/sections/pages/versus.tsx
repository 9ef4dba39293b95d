import { findShown } from '../../core/products/compare.ts';
import { Text } from './inline-text.tsx';
import {
  findProducts,
  OfferButton,
  PaidLabel,
  PriceFigure,
  PriceSources,
  ScoreFigure,
} from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Two products: the answer, then for whom the one and for whom the other. */
export function VersusSection({ section, context }: SectionProps<'versus'>) {
  const products = findProducts(context, section.products);
  return (
    <SectionFrame section={section} context={context}>
      <Text className="max-w-text text-xl" text={section.verdict} cta={context.cta} />
      <div className="mt-6 border-y-2 border-line-strong" data-products={section.products.join(' ')}>
        <div className="grid sm:grid-cols-2">
          {products.map((product) => (
            <article
              key={product.key}
              className="flex flex-col border-line py-6 not-first:border-t sm:px-6 sm:first:pl-0 sm:not-first:border-t-0 sm:not-first:border-l"
            >
              <div className="flex items-baseline justify-between gap-4">
                <h3 className="text-2xl">{product.name}</h3>
                <ScoreFigure product={product} />
              </div>
              <p className="mt-2">
                <PriceFigure product={product} context={context} />
              </p>
              {product.for.length > 0 && (
                <p className="mt-4 border-b border-line pb-1 text-sm font-semibold">{`${product.name} is for`}</p>
              )}
              <ul className="mb-5">
                {product.for.map((reason) => (
                  <li key={reason} className="border-b border-line py-2">
                    {reason}
                  </li>
                ))}
              </ul>
              <div className="mt-auto" data-print="hide">
                <OfferButton product={product} context={context} words={section.button} />
              </div>
            </article>
          ))}
        </div>
        <div className="border-t border-line pb-4">
          <PriceSources
            offers={products.map((product) => ({ product, offer: findShown(product, undefined) }))}
            context={context}
          />
          <PaidLabel context={context} />
        </div>
      </div>
    </SectionFrame>
  );
}
