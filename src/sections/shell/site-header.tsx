import type { ReactNode } from 'react';
import type { HeaderButton } from '../../core/pages/page-context.ts';
import type { Site } from '../../core/pages/site.schema.ts';
import { HOME_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/container.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { SearchForm } from './search-form.tsx';

/** `search` adds the article search, `landing` the trial button, `minimal` leaves the navigation out. */
export type HeaderVariant = 'default' | 'search' | 'landing' | 'minimal';

/** The sticky site header. On narrow screens the navigation is a popover: it needs no script, Escape closes it. */
export function SiteHeader(props: {
  readonly site: Site;
  /** The logo. */
  readonly mark: ReactNode;
  /** The navigation's entry for this page, if it has one. */
  readonly path: string | undefined;
  readonly variant: HeaderVariant;
  readonly query?: string | undefined;
  /** The button of the landing header. */
  readonly button?: HeaderButton | undefined;
}) {
  const { site, mark, path, variant, button } = props;
  const isSearch = variant === 'search';
  return (
    <header data-site className="site-header top-0 z-20 border-b border-line bg-surface">
      <Container className="flex min-h-16 items-center gap-3 py-2 sm:gap-6">
        <a
          href={HOME_PATH}
          className="flex min-h-11 shrink-0 items-center gap-2.5 font-display text-base font-semibold tracking-[-0.01em] text-ink no-underline"
        >
          {mark}
          <span className={isSearch || variant === 'landing' ? 'max-sm:sr-only' : ''}>{site.name}</span>
        </a>
        {isSearch && <SearchForm query={props.query ?? ''} />}
        {variant !== 'minimal' && (
          <Navigation site={site} path={path} isLate={isSearch} isCrowded={button !== undefined} />
        )}
        {button !== undefined && (
          <PartnerLink
            {...button.link}
            className="button button-primary button-small max-sm:px-3 min-[23rem]:whitespace-nowrap"
          >
            {button.label}
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
  /** Whether a button is beside the menu. */
  readonly isCrowded: boolean;
}) {
  const { site, path, isLate, isCrowded } = props;
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
        <span className={isLate || isCrowded ? 'sr-only sm:not-sr-only' : 'max-[22.5rem]:sr-only'}>Menu</span>
      </button>
      <nav id="site-menu" popover="auto" aria-label="Menu" className="nav-popover">
        {links}
      </nav>
    </>
  );
}
