import type { ReactNode } from 'react';

export interface PartnerLinkProps {
  /** Address of the redirect to the partner. */
  readonly href: string;
  /** Name of the event that a click records, with its label, value and custom data (keys in snake_case). */
  readonly event: string;
  readonly label: string;
  readonly value?: number;
  readonly data?: Readonly<Record<string, string | number | boolean>>;
  /** Where on the site the link is, for example `hero` or `expert-review`. */
  readonly source: string;
  /** The part of the page that the link is in, for example `pricing`. */
  readonly position?: string | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A paid link: marked as sponsored, announced as opening a new tab, counted when clicked. The redirect and the visit
 * script read the position from its address.
 */
export function PartnerLink(props: PartnerLinkProps) {
  const { href, event, label, value, data = {}, source, position, className, children } = props;
  const custom = Object.entries(data).map(([key, text]) => [
    `data-${key.replaceAll('_', '-')}`,
    String(text),
  ]);
  return (
    <a
      href={position === undefined ? href : addPosition(href, position)}
      target="_blank"
      rel="sponsored noopener"
      className={className}
      data-action={event}
      data-label={label}
      data-value={value}
      data-source={source}
      {...Object.fromEntries(custom)}
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

function addPosition(href: string, position: string): string {
  return `${href}${href.includes('?') ? '&' : '?'}position=${encodeURIComponent(position)}`;
}
