import { orderRoundup } from '../../core/products/compare.ts';
import { InlineText } from './inline-text.tsx';
import { ProductCard } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Products in the stated order, each as a box, after the basis of the order. */
export function RoundupSection({ section, context }: SectionProps<'roundup'>) {
  const items = orderRoundup(section.items, section.order, context.products, context.now);
  return (
    <SectionFrame section={section} context={context}>
      <p className="max-w-text border-l-3 border-marker pl-4">
        <strong className="font-semibold">How we chose: </strong>
        <InlineText text={section.basis} cta={context.cta} />
      </p>
      <ol className="mt-8">
        {items.map(({ product: key, offer, bestFor, text }) => {
          const product = context.products.get(key);
          return (
            product && (
              // One line between two boxes, which have one above and one below.
              <li key={key} className="not-first:-mt-0.5">
                <ProductCard
                  product={product}
                  offer={offer}
                  context={context}
                  badge={bestFor === undefined ? undefined : `Best for ${bestFor}`}
                  text={text}
                  words={section.button}
                />
              </li>
            )
          );
        })}
      </ol>
    </SectionFrame>
  );
}
