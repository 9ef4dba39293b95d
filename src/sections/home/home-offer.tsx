import type { OfferCopy } from '../../core/articles/article-copy.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { Section } from '../../ui/section.tsx';

/** The front page's call to action. The disclosure is above it, on the first screen. */
export function HomeOffer({ offer }: { readonly offer: OfferCopy }) {
  return (
    <Section background="ink">
      <div className="grid gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <h2 className="text-3xl">{offer.title}</h2>
        <div>
          <p className="max-w-text text-lg">{offer.text}</p>
          <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
            <PartnerLink {...offer.link} position="final" className="button button-primary">
              {offer.action}
            </PartnerLink>
            <a href={offer.alternative.href}>{offer.alternative.label}</a>
          </p>
        </div>
      </div>
    </Section>
  );
}
