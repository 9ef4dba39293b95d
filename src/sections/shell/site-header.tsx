import type { Calls } from '../core/content/page.schema.ts';
import type { Site } from '../core/content/site.schema.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { Container } from '../ui/container.tsx';
import { Icon } from '../ui/icon.tsx';
import { PartnerLink } from '../ui/partner-link.tsx';
import { SearchForm } from './search-form.tsx';

/** `search` adds the article search, `landing` the trial button, `minimal` leaves the navigation out. */
export type HeaderVariant = 'default' | 'search' | 'landing' | 'minimal';

/** The sticky site header. On narrow screens the navigation is a popover: it needs no script, Escape closes it. */
export function SiteHeader(props: {
  readonly site: Site;
  /** The navigation's entry for this page, if it has one. */
  readonly path: string | undefined;
  readonly variant: HeaderVariant;
  readonly query?: string | undefined;
  /** Where the trial button leads, and as what it counts. */
  readonly calls?: Calls | undefined;
}) {
  const { site, path, variant, calls } = props;
  const isSearch = variant === 'search';
  return (
    <header data-site className="site-header">
      <Container className="flex min-h-16 items-center gap-3 py-2 sm:gap-6">
        <a href="/" className="site-logo">
          <BrandMark className="size-7" />
          <span className={isSearch || variant === 'landing' ? 'max-sm:sr-only' : ''}>{site.name}</span>
        </a>
        {isSearch && <SearchForm query={props.query ?? ''} />}
        {variant !== 'minimal' && <Navigation site={site} path={path} isLate={isSearch} />}
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

/** `isLate`: beside the search the links need a wider screen. */
function Navigation(props: {
  readonly site: Site;
  readonly path: string | undefined;
  readonly isLate: boolean;
}) {
  const { site, path, isLate } = props;
  const links = site.navigation.map(({ label, href }) => (
    <a key={href} href={href} aria-current={path === href ? 'page' : undefined} className="nav-link">
      {label}
    </a>
  ));
  return (
    <>
      <nav
        aria-label="Main"
        className={`ml-auto hidden items-center gap-6 ${isLate ? 'xl:flex' : 'md:flex'}`}
      >
        {links}
      </nav>
      <button
        type="button"
        popoverTarget="site-menu"
        className={`nav-link ml-auto gap-2 ${isLate ? 'xl:hidden' : 'md:hidden'}`}
      >
        <Icon name="menu" className="size-6" />
        <span className={isLate ? 'sr-only sm:not-sr-only' : 'max-[22.5rem]:sr-only'}>Menu</span>
      </button>
      <nav id="site-menu" popover="auto" aria-label="Menu" className="nav-sheet">
        {links}
      </nav>
    </>
  );
}
