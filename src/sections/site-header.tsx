import type { Calls } from '../core/content/page.schema.ts';
import type { Site } from '../core/content/site.schema.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { Container } from '../ui/container.tsx';
import { PartnerLink } from '../ui/partner-link.tsx';
import { SearchForm } from './search-form.tsx';

/** `search` adds the article search, `landing` the trial button, `minimal` leaves the navigation out. */
export type HeaderVariant = 'default' | 'search' | 'landing' | 'minimal';

/** The sticky site header. On narrow screens the navigation is a popover: it needs no script, Escape closes it. */
export function SiteHeader(props: {
  readonly site: Site;
  readonly path: string;
  readonly variant: HeaderVariant;
  readonly query?: string | undefined;
  /** Where the trial button leads, and as what it counts. */
  readonly calls?: Calls | undefined;
}) {
  const { site, path, variant, calls } = props;
  return (
    <header data-site className="sticky top-0 z-20 border-b border-line bg-surface">
      <Container className="flex min-h-16 flex-wrap items-center gap-x-6 gap-y-2 py-2">
        <a
          href="/"
          className="flex min-h-11 items-center gap-2.5 font-display text-base font-semibold text-ink no-underline"
        >
          <BrandMark className="size-7" />
          <span className={variant === 'landing' ? 'max-sm:sr-only' : undefined}>{site.name}</span>
        </a>
        {variant === 'search' && <SearchForm query={props.query ?? ''} />}
        {variant !== 'minimal' && <Navigation site={site} path={path} />}
        {variant === 'landing' && (
          <PartnerLink
            partner={site.promotedPartner}
            page={calls?.go ?? 'trial'}
            source={calls?.headerSource ?? calls?.source ?? 'header'}
            action={calls?.event ?? 'free_trial_signup'}
            className="button button-primary min-h-11 px-4 py-2 text-sm"
          >
            {calls?.label ?? 'Start Free Trial'}
          </PartnerLink>
        )}
      </Container>
    </header>
  );
}

function Navigation({ site, path }: { readonly site: Site; readonly path: string }) {
  const links = site.navigation.map(({ label, href }) => (
    <a key={href} href={href} aria-current={path === href ? 'page' : undefined} className="nav-link">
      {label}
    </a>
  ));
  return (
    <>
      <nav aria-label="Main" className="ml-auto hidden items-center gap-6 md:flex">
        {links}
      </nav>
      <button type="button" popoverTarget="site-menu" className="nav-link ml-auto gap-2 md:hidden">
        Menu
      </button>
      <nav id="site-menu" popover="auto" aria-label="Menu" className="nav-sheet">
        {links}
      </nav>
    </>
  );
}
