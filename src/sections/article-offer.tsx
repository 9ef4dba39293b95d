import type { ArticleOffer as Offer } from '../core/content/article-offer.ts';
import { PartnerLink } from '../ui/partner-link.tsx';

/** The quiet call to action in an article's flow. */
export function ArticleOffer({ offer, slug }: { readonly offer: Offer; readonly slug: string }) {
  return (
    <aside className="offer" aria-labelledby="offer" data-print="hide">
      <h2 id="offer">{offer.title}</h2>
      <p>{offer.text}</p>
      <p className="offer-ways">
        <PartnerLink
          partner={offer.partner}
          page={offer.page}
          source="article"
          data={{ article: slug }}
          className="button button-primary"
        >
          {offer.action}
        </PartnerLink>
        <a href={offer.first.href}>{offer.first.label}</a>
      </p>
    </aside>
  );
}
