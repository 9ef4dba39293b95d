import type { OfferCopy } from '../../core/articles/article-copy.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';

/** The call to action within an article. */
export function ArticleOffer({ offer, slug }: { readonly offer: OfferCopy; readonly slug: string }) {
  return (
    <aside
      className="my-10 grid gap-[0.9rem] rounded-lg bg-positive-wash p-[clamp(1.25rem,4vw,2rem)]"
      aria-labelledby="offer"
      data-print="hide"
    >
      <h2 id="offer" className="text-[1.5rem] leading-[1.15]">
        {offer.title}
      </h2>
      <p>{offer.text}</p>
      <p className="mt-[0.4rem] flex flex-wrap items-center gap-x-6 gap-y-3">
        <PartnerLink
          {...offer.link}
          position="body"
          data={{ article: slug }}
          className="button button-primary"
        >
          {offer.action}
        </PartnerLink>
        <a href={offer.alternative.href}>{offer.alternative.label}</a>
      </p>
    </aside>
  );
}

/** The call to action again, in two lines, where the article ends. */
export function ArticleClosing({ offer, slug }: { readonly offer: OfferCopy; readonly slug: string }) {
  return (
    <aside
      className="mt-12 grid justify-items-start gap-[0.9rem] border-t-2 border-line-strong pt-6"
      aria-label="Next step"
      data-print="hide"
    >
      <p className="font-display text-xl font-semibold">{offer.title}</p>
      <PartnerLink {...offer.link} position="end" data={{ article: slug }} className="button button-primary">
        {offer.action}
      </PartnerLink>
    </aside>
  );
}
