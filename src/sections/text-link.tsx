import type { ReactNode } from 'react';
import type { Calls } from '../core/content/page.schema.ts';
import { PartnerLink } from '../ui/partner-link.tsx';

/** A link in running text: `go:pricing` and `go:kit/trial` lead to a partner, the rest where they say. */
export function TextLink(props: {
  readonly href: string;
  readonly calls?: Calls | undefined;
  readonly children: ReactNode;
}) {
  const { href, calls, children } = props;
  const partner = /^go:(?:([a-z0-9-]+)\/)?([a-z0-9-]+)$/.exec(href);
  if (partner) {
    const [, name, page = 'pricing'] = partner;
    return (
      <PartnerLink
        page={page}
        {...(name === undefined ? {} : { partner: name })}
        {...(calls === undefined ? {} : { source: calls.source, action: calls.event })}
      >
        {children}
      </PartnerLink>
    );
  }
  if (/^(#|\/(?!\/)|mailto:)/.test(href)) return <a href={href}>{children}</a>;
  if (!href.startsWith('https://')) return children;
  return (
    <a href={href} rel="noopener">
      {children}
    </a>
  );
}
