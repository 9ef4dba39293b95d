import { Fragment } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { NavMenu } from '../../ui/nav-menu.tsx';
import { Container } from '../../ui/section.tsx';
import { ActionLink } from './action-links.tsx';
import type { SectionProps } from './section-frame.tsx';

/** A bar under the header that stays in view. On phones its links are in a menu that a choice closes. */
export function SectionNavSection({ section, context }: SectionProps<'section-nav'>) {
  const links = section.items.map(({ label, to }) => (
    <Fragment key={to}>
      <a href={`#${to}`} className="nav-link">
        {label}
      </a>{' '}
    </Fragment>
  ));
  return (
    <div
      id={section.id}
      className="section-nav sticky top-0 z-10 border-b border-line bg-surface not-first:border-t"
      data-print="hide"
    >
      <Container className="flex min-h-14 items-center gap-x-6">
        {section.brand !== undefined && (
          <p className="mr-auto hidden font-display font-semibold md:block">{section.brand}</p>
        )}
        <nav aria-label={section.label} className="hidden items-center gap-6 md:flex">
          {links}
        </nav>
        <NavMenu
          id="section-menu"
          label="On this page"
          className="mr-auto md:hidden"
          button={
            <>
              <Icon name="menu" />
              On this page
            </>
          }
        >
          {links}
        </NavMenu>
        {section.action !== undefined && (
          <ActionLink
            action={section.action}
            cta={context.cta}
            className={`button-small whitespace-nowrap ${section.brand === undefined ? 'md:ml-auto' : ''}`}
          />
        )}
      </Container>
    </div>
  );
}
