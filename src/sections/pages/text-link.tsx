import type { ReactNode } from 'react';
import { buildPartnerLink, type Cta } from '../../core/outbound/cta.ts';
import { CLAIM_NOTE_ID, UNPROVEN } from '../../core/pages/claims.ts';
import { parsePartnerTarget } from '../../core/pages/partner-link-check.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';

/** A link in running text: `partner:pricing` and `partner:kit/trial` lead to a partner, the rest where they say. */
export function TextLink(props: { readonly href: string; readonly cta: Cta; readonly children: ReactNode }) {
  const { href, cta, children } = props;
  const target = parsePartnerTarget(href);
  if (target !== null) return <PartnerLink {...buildPartnerLink(cta, target)}>{children}</PartnerLink>;
  if (href === `#${CLAIM_NOTE_ID}`) {
    return (
      <a href={href} aria-label={UNPROVEN} className="text-muted no-underline">
        {children}
      </a>
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
