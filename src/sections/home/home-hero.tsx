import type { OfferCopy } from '../../core/articles/article-copy.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import type { Bill } from '../../core/savings/compute-savings.ts';
import type { CalculatorField } from '../../core/savings/plans.schema.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { Container } from '../../ui/section.tsx';
import { renderMarked } from '../pages/inline-text.tsx';
import { DisclosureLine } from '../shell/notes.tsx';
import { HomeBill } from './home-bill.tsx';

/** The first screen of the front page: what the site is, three ways to start, and the savings example. */
export function HomeHero(props: {
  readonly site: SiteDetails;
  readonly bill: Bill | null;
  /** Fields of the calculator that the bill has, if it has one. */
  readonly fields: readonly CalculatorField[];
  readonly proof: readonly string[];
  readonly offer: OfferCopy;
}) {
  const { site, bill, fields, proof, offer } = props;
  return (
    <section className="py-[clamp(2rem,5vw,5rem)]">
      <Container className="grid gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-12 min-[46rem]:grid-cols-[minmax(0,12fr)_minmax(0,10fr)] lg:grid-cols-[minmax(0,13fr)_minmax(0,10fr)]">
        <div className="grid justify-items-start">
          <p className="font-display text-lg font-semibold">{site.name}</p>
          <p className="text-muted">{site.tagline}</p>
          <h1 className="mt-5 text-[clamp(2.4rem,1.6rem+3.4vw,4.4rem)] leading-[1.02]">
            {renderMarked(site.home.headline)}
          </h1>
          <p className="mt-5 max-w-136 text-muted">{site.home.lead}</p>
          <ul className="tabular mt-5 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3 text-[0.9rem]">
            {proof.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
          <Signpost entryPoints={site.home.entryPoints} />
          <DisclosureLine text={site.disclosure.short} />
          <p className="mt-4">
            <PartnerLink {...offer.link} position="hero" className="button button-primary">
              {offer.action}
            </PartnerLink>
          </p>
        </div>
        {bill !== null && <HomeBill bill={bill} copy={site.home.bill} fields={fields} />}
      </Container>
    </section>
  );
}

function Signpost({ entryPoints }: { readonly entryPoints: SiteDetails['home']['entryPoints'] }) {
  return (
    <nav aria-label="Where to start" className="w-full">
      <ul className="signpost">
        {entryPoints.map(({ label, text, href }) => (
          <li key={href}>
            <a href={href} className="sign">
              <strong>{label}</strong>
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
