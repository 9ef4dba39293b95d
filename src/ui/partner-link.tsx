import type { ReactNode } from 'react';

export interface PartnerLinkProps {
  /** Partner key; the promoted platform when left out. */
  readonly partner?: string;
  /** Page key of the partner's file: pricing (default), home, features, demo, trial. */
  readonly page?: string;
  /** Where on the site the link stands, for example `hero` or `expert-review`. */
  readonly source?: string;
  /** Custom content for `utm_content`; the source when left out. */
  readonly content?: string;
  /** A path that leads to the redirect by itself, for example `/kit-trial`; replaces partner and page. */
  readonly path?: string;
  /** Assessment answers (JSON) that the link carries when the visit's storage holds none. */
  readonly answers?: string;
  /** Event that a click records (an `EventName`); `call_to_action` when left out. */
  readonly action?: string;
  /** Label of that event; the source, else the page key, when left out. */
  readonly label?: string;
  /** Value of that event, a number. */
  readonly value?: number;
  /** Custom data of that event; keys in snake_case. */
  readonly data?: Readonly<Record<string, string | number | boolean>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a partner through the redirect: paid, in a new tab, saying so, counted when pressed. */
export function PartnerLink(props: PartnerLinkProps) {
  const { action = 'call_to_action', source, page = 'pricing', className, children } = props;
  const custom = Object.entries(props.data ?? {}).map(([key, value]) => [dataName(key), String(value)]);
  return (
    <a
      href={buildHref(props)}
      target="_blank"
      rel="sponsored noopener"
      className={className}
      data-action={action}
      data-label={props.label ?? source ?? page}
      data-value={props.value}
      data-source={source}
      {...Object.fromEntries(custom)}
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

const dataName = (key: string) => `data-${key.replaceAll('_', '-')}`;

function buildHref({
  partner = 'highlevel',
  page = 'pricing',
  source,
  content,
  answers,
  path,
}: PartnerLinkProps): string {
  const query = new URLSearchParams();
  if (!path) query.set('page', page);
  if (source) query.set('source', source);
  if (content) query.set('content', content);
  if (answers) query.set('answers', answers);
  const text = query.toString();
  return `${path ?? `/go/${encodeURIComponent(partner)}`}${text ? `?${text}` : ''}`;
}
