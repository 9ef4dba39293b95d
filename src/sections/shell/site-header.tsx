import { Fragment, type ReactNode } from 'react';
import { BRAND_PATHS } from '../../core/pages/brand/brand-paths.ts';
import type { Content } from '../../core/pages/content.ts';
import { findContentImage } from '../../core/pages/images/content-image.ts';
import type { HeaderButton } from '../../core/pages/page-context.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { BLOG_PATH, HOME_PATH } from '../../core/paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { NavMenu } from '../../ui/nav-menu.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { Container } from '../../ui/section.tsx';

/** `search` adds the article search, `landing` the trial button, `minimal` leaves the navigation out. */
export type HeaderVariant = 'default' | 'search' | 'landing' | 'minimal';

/** The sticky site header. On narrow screens the navigation is behind a button. */
export function SiteHeader(props: {
  readonly site: SiteDetails;
  readonly brand: Content['brand'];
  readonly images: Content['images'];
  /** The navigation's entry for this page, if it has one. */
  readonly path: string | undefined;
  readonly variant: HeaderVariant;
  /** The button of the landing header. */
  readonly button?: HeaderButton | undefined;
  /** Who publishes the page. */
  readonly line?: string | undefined;
  /** The article search. */
  readonly children?: ReactNode;
}) {
  const { site, path, variant, button, line } = props;
  const isSearch = variant === 'search';
  const isCrowded = isSearch || line !== undefined;
  // A phone has room for the name, the menu and a button of three words; a longer one takes the place of the name.
  const isLong = button !== undefined && button.label.length > 16;
  const buttonClass = `${BUTTON_CLASSES} ${isLong ? 'max-sm:py-1 max-sm:text-xs' : 'min-[23rem]:whitespace-nowrap'}`;
  const nameClass = button && 'max-[23rem]:sr-only max-sm:text-sm max-sm:leading-tight';
  const lateClass = button?.isLate ? 'min-[23rem]:max-sm:group-has-data-late:not-sr-only max-sm:text-sm' : '';
  return (
    <header data-site className="group site-header top-0 z-20 border-b border-line bg-surface">
      <Container className="flex min-h-[calc(4rem-1px)] items-center gap-3 py-2 sm:gap-6">
        <a
          href={HOME_PATH}
          className="flex min-h-11 items-center gap-2.5 max-sm:mr-auto sm:shrink-0 font-display text-base font-semibold tracking-[-0.01em] text-ink no-underline"
        >
          <SiteMark brand={props.brand} images={props.images} />
          <span className={isCrowded || isLong || lateClass ? `max-sm:sr-only ${lateClass}` : nameClass}>
            {site.name}
          </span>
        </a>
        {props.children}
        {button?.isLate && (
          // The place of a button, which a script puts here when the same one in the text has left the screen. On a phone
          // it takes the room of the name, so that nothing moves.
          <span
            data-late
            aria-hidden="true"
            className={`${buttonClass} invisible max-sm:absolute max-sm:ml-10 sm:max-md:ml-auto md:order-last`}
          >
            {button.label}
          </span>
        )}
        {variant !== 'minimal' && (
          <Navigation site={site} path={path} isLate={isSearch} isCrowded={button !== undefined} />
        )}
        {line !== undefined && <p className="ml-auto text-right text-sm text-muted">{line}</p>}
        {button !== undefined && !button.isLate && (
          <PartnerLink {...button.link} className={buttonClass}>
            {button.label}
          </PartnerLink>
        )}
      </Container>
    </header>
  );
}

SiteHeader.isKept = true;

const BUTTON_CLASSES = 'button button-primary button-small max-sm:px-3 sm:whitespace-nowrap';

/** `isLate`: beside the search the links need a wider screen. */
function Navigation(props: {
  readonly site: SiteDetails;
  readonly path: string | undefined;
  readonly isLate: boolean;
  /** Whether a button is beside the menu. */
  readonly isCrowded: boolean;
}) {
  const { site, path, isLate, isCrowded } = props;
  const links = site.navigation.map(({ label, href }) => (
    <Fragment key={href}>
      <a href={href} aria-current={path === href ? 'page' : undefined} className="nav-link">
        {label}
      </a>{' '}
    </Fragment>
  ));
  return (
    <>
      <nav
        aria-label="Main"
        className={`ml-auto hidden items-center gap-6 ${isLate ? 'xl:flex' : 'md:flex'}`}
      >
        {links}
      </nav>
      <NavMenu
        id="site-menu"
        label="Menu"
        className={`ml-auto ${isLate ? 'xl:hidden' : 'md:hidden'}`}
        button={
          <>
            <Icon name="menu" className="size-6" />
            <span className={isLate || isCrowded ? 'sr-only sm:not-sr-only' : 'max-[22.5rem]:sr-only'}>
              Menu
            </span>
          </>
        }
      >
        {links}
      </NavMenu>
    </>
  );
}

/** The article search as a plain GET form; the island of the blog page takes it over on the first interaction. */
export function SearchForm({ query }: { readonly query: string }) {
  return (
    <search className="min-w-0 flex-1">
      <form
        action={`${BLOG_PATH}#articles`}
        method="get"
        data-search
        data-hydrates
        className="mx-auto flex max-w-96 gap-2"
      >
        <label className="sr-only" htmlFor="article-search">
          Search articles
        </label>
        <input
          id="article-search"
          name="q"
          type="search"
          defaultValue={query}
          placeholder="Search articles..."
          maxLength={120}
          autoComplete="off"
          enterKeyHint="search"
          className="field min-w-0 flex-1 max-sm:px-[0.65rem] max-sm:[&::-webkit-search-cancel-button]:hidden"
        />
        <button type="submit" className="button button-quiet button-small px-3">
          <Icon name="search" className="size-5" />
          <span className="max-sm:sr-only">Search</span>
        </button>
      </form>
    </search>
  );
}

/** The mark beside the site's name: the operator's logo, or the signpost. Decorative, because the name follows. */
export function SiteMark({
  brand,
  images,
}: {
  readonly brand: Content['brand'];
  readonly images: Content['images'];
}) {
  const found = brand.logo === undefined ? null : findContentImage(brand.logo.src, images);
  if (found === null || 'problem' in found) return <Signpost />;
  return <img src={found.image.src} alt="" width="28" height="28" className="size-7 object-contain" />;
}

function Signpost() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" className="size-7 shrink-0" aria-hidden="true">
      <path className="fill-current" d={`${BRAND_PATHS.post}${BRAND_PATHS.right}`} />
      <path className="fill-accent" d={BRAND_PATHS.left} />
    </svg>
  );
}
