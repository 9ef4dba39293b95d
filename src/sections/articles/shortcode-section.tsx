import { getSectionPosition } from '../../core/outbound/placement.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { PageSection } from '../../core/pages/sections/section.schema.ts';
import { NewsletterSection } from '../pages/newsletter.tsx';
import { PicksTableSection } from '../pages/picks-table.tsx';
import { ProductBoxSection } from '../pages/product-box.tsx';
import { ProductComparisonSection } from '../pages/product-comparison.tsx';
import { RoundupSection } from '../pages/roundup.tsx';
import { VersusSection } from '../pages/versus.tsx';

/** The section of a shortcode. Only these types are named here, so that articles have no styles of others. */
export function ShortcodeSection(props: { readonly section: PageSection; readonly context: PageContext }) {
  const { section } = props;
  const cta = { ...props.context.cta, position: getSectionPosition(section) };
  const context = { ...props.context, cta };
  switch (section.type) {
    case 'product-box':
      return <ProductBoxSection section={section} context={context} />;
    case 'product-comparison':
      return <ProductComparisonSection section={section} context={context} />;
    case 'picks-table':
      return <PicksTableSection section={section} context={context} />;
    case 'roundup':
      return <RoundupSection section={section} context={context} />;
    case 'versus':
      return <VersusSection section={section} context={context} />;
    case 'newsletter':
      return <NewsletterSection section={{ ...section, layout: 'stacked' }} context={context} />;
    default:
      return null;
  }
}
