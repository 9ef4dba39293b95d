import { Fragment } from 'react';
import type { Content } from '../../core/pages/content.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { PRIVACY_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/section.tsx';
import { SiteMark } from './site-header.tsx';

/** The site footer: where everything is, the disclosure in full, the copyright line. */
export function SiteFooter(props: {
  readonly site: SiteDetails;
  readonly brand: Content['brand'];
  readonly images: Content['images'];
  readonly variant: 'default' | 'minimal';
  readonly quickLinks?: readonly { readonly label: string; readonly href: string }[] | undefined;
  /** Whether visitors can choose what may be stored: the link opens the question, without scripts the privacy page. */
  readonly hasChoices?: boolean;
}) {
  const { site, variant, quickLinks = [] } = props;
  return (
    <footer data-site className="site-footer border-t-2 border-line-strong bg-sunken py-12">
      <Container>
        {variant === 'default' && (
          <div className="mb-10 grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-4 gap-y-8 sm:grid-cols-[repeat(4,auto)] sm:justify-between lg:grid-cols-[1fr_repeat(4,auto)] lg:gap-x-14">
            <div className="col-span-full max-w-text lg:col-span-1">
              <p className="flex items-center gap-2.5 font-display text-lg font-semibold">
                <SiteMark brand={props.brand} images={props.images} />
                {site.name}
              </p>
              <p className="mt-2 text-muted">{site.tagline}</p>
            </div>
            {site.footer.map((group) => (
              <nav key={group.title} aria-label={group.title}>
                <h2 className="font-text text-sm font-semibold tracking-normal text-muted">{group.title}</h2>
                <ul className="mt-2">
                  {group.links.map((link) => (
                    <li key={link.href}>
                      <a
                        href={link.href}
                        className="inline-block py-1.5 text-ink no-underline hover:underline"
                      >
                        {link.label}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
          </div>
        )}
        {quickLinks.length > 0 && <QuickLinks links={quickLinks} />}
        <div className="grid gap-3 border-t border-line pt-6 text-sm text-muted sm:grid-cols-[auto_1fr] sm:gap-10">
          <p className="tabular whitespace-nowrap">
            © {site.copyright.year} {site.copyright.holder}
            {props.hasChoices === true && (
              <a href={PRIVACY_PATH} data-privacy-choices className="block py-1">
                {site.privacyChoices.label}
              </a>
            )}
          </p>
          <p className="max-w-wide sm:justify-self-end">
            {site.disclosure.full} <a href={site.disclosure.href}>How we are paid</a>
          </p>
        </div>
      </Container>
    </footer>
  );
}

SiteFooter.isKept = true;

/** Links to anchors of the page. */
function QuickLinks(props: { readonly links: readonly { readonly label: string; readonly href: string }[] }) {
  const { links } = props;
  return (
    <nav aria-label="On this page" className="mb-6 flex flex-wrap items-baseline gap-x-8">
      <h2 className="font-text text-sm font-semibold tracking-normal text-muted max-sm:w-full">
        On this page
      </h2>
      {links.map(({ label, href }) => (
        <Fragment key={href}>
          <a href={href} className="inline-block py-1.5 text-ink no-underline hover:underline">
            {label}
          </a>{' '}
        </Fragment>
      ))}
    </nav>
  );
}
