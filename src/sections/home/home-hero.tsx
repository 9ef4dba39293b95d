import type { Site } from '../../core/pages/site.schema.ts';
import type { Bill } from '../../core/savings/bill.ts';
import { Container } from '../../ui/container.tsx';
import { DisclosureLine } from '../shell/disclosure-line.tsx';
import { HomeBill } from './home-bill.tsx';

/** The first screen of the front page: what the site is, three ways to start, and the savings example. */
export function HomeHero({ site, bill }: { readonly site: Site; readonly bill: Bill | null }) {
  return (
    <section className="py-[clamp(2rem,5vw,5rem)]">
      <Container className="grid gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-12 lg:grid-cols-[minmax(0,13fr)_minmax(0,10fr)]">
        <div className="grid justify-items-start">
          <h1 className="text-[clamp(2.6rem,1.7rem+3.9vw,4.9rem)] leading-[0.98]">{site.name}</h1>
          <p className="mt-4 font-display text-[clamp(1.3rem,1.1rem+0.9vw,1.75rem)] leading-[1.2] font-[560] tracking-[-0.012em]">
            {site.tagline}
          </p>
          <p className="mt-4 max-w-136 text-muted">{site.home.lead}</p>
          <Signpost entryPoints={site.home.entryPoints} />
          <DisclosureLine text={site.disclosure.short} />
        </div>
        {bill !== null && <HomeBill bill={bill} copy={site.home.bill} />}
      </Container>
    </section>
  );
}

function Signpost({ entryPoints }: { readonly entryPoints: Site['home']['entryPoints'] }) {
  return (
    <nav aria-label="Ways in" className="w-full">
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
