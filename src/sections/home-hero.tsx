import type { Site } from '../core/content/site.schema.ts';
import type { Bill } from '../core/savings/bill.ts';
import { Container } from '../ui/container.tsx';
import { DisclosureLine } from './disclosure-line.tsx';
import { HomeBill } from './home-bill.tsx';
import { Signpost } from './signpost.tsx';

/** The front page's first screen: what the hub is, the three ways in, and the sum it is about. */
export function HomeHero({ site, bill }: { readonly site: Site; readonly bill: Bill | null }) {
  return (
    <section className="home-hero">
      <Container className="home-grid">
        <div className="home-words">
          <h1>{site.name}</h1>
          <p className="home-tagline">{site.tagline}</p>
          <p className="home-lead">{site.home.lead}</p>
          <Signpost ways={site.home.ways} />
          <DisclosureLine text={site.disclosure.short} />
        </div>
        {bill !== null && <HomeBill bill={bill} words={site.home.bill} />}
      </Container>
    </section>
  );
}
