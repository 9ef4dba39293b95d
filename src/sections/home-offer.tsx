import type { ArticleOffer } from '../core/content/article-offer.ts';
import { PartnerLink } from '../ui/partner-link.tsx';
import { Section } from '../ui/section.tsx';

/** The front page's call to action. The disclosure stands above it, in the first screen. */
export function HomeOffer({ offer }: { readonly offer: ArticleOffer }) {
  return (
    <Section ground="positive">
      <div className="home-offer">
        <h2 className="text-3xl">{offer.title}</h2>
        <div>
          <p className="max-w-text text-lg">{offer.text}</p>
          <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
            <PartnerLink
              partner={offer.partner}
              page={offer.page}
              source="home"
              className="button button-primary"
            >
              {offer.action}
            </PartnerLink>
            <a href={offer.first.href}>{offer.first.label}</a>
          </p>
        </div>
      </div>
    </Section>
  );
}
