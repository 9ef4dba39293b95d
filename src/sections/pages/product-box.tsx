import { findProducts, ProductCard } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** One product with everything that its file says. */
export function ProductBoxSection({ section, context }: SectionProps<'product-box'>) {
  const { offer, badge, button, brief, title } = section;
  return (
    <SectionFrame section={section} context={context}>
      {findProducts(context, [section.product]).map((product) => (
        <ProductCard
          key={product.key}
          product={product}
          offer={offer}
          context={context}
          badge={badge}
          isBrief={brief}
          words={button}
          level={title === undefined ? 2 : 3}
        />
      ))}
    </SectionFrame>
  );
}
