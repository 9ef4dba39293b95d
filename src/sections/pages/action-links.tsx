import { Fragment } from 'react';
import { buildPartnerLink, type Cta } from '../../core/outbound/cta.ts';
import { FACT_LINK, FACT_MARK } from '../../core/pages/claims/corrections.ts';
import type { Action } from '../../core/pages/sections/fields.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { Text } from './inline-text.tsx';

const VARIANT_CLASSES = {
  primary: 'button button-primary',
  quiet: 'button button-quiet',
  link: 'inline-flex min-h-11 items-center text-accent underline',
} as const;

/** One call to action of a document: a link of this site, or one to a partner. */
export function ActionLink(props: {
  readonly action: Action;
  readonly cta: Cta;
  readonly variant?: keyof typeof VARIANT_CLASSES;
  readonly className?: string;
}) {
  const { action, cta } = props;
  const className =
    `${VARIANT_CLASSES[action.variant ?? props.variant ?? 'primary']} ${props.className ?? ''}`.trim();
  if (action.partnerLink !== undefined) {
    return (
      <PartnerLink {...buildPartnerLink(cta, { ...action, page: action.partnerLink })} className={className}>
        {action.label}
      </PartnerLink>
    );
  }
  return (
    <a href={action.href} className={className} {...buildEventAttributes(action, cta)}>
      {action.label}
    </a>
  );
}

/** The event of a link of this site, when its document names one. */
export function buildEventAttributes({ event, source }: Action, cta: Cta) {
  const label = source ?? cta.source;
  return (
    event && {
      'data-action': event,
      'data-label': label,
      'data-source': label,
      'data-position': cta.position,
    }
  );
}

/** The buttons of a section; the first is primary. */
export function ActionLinks(props: {
  readonly actions: readonly Action[] | undefined;
  readonly cta: Cta;
  readonly className?: string;
}) {
  const { actions = [], cta } = props;
  if (actions.length === 0) return null;
  return (
    <div className={`flex flex-wrap items-center gap-3 ${props.className ?? ''}`} data-print="hide">
      {actions.map((action, index) => (
        <Fragment key={action.label}>
          <ActionLink action={action} cta={cta} variant={index === 0 ? 'primary' : 'quiet'} />{' '}
        </Fragment>
      ))}
    </div>
  );
}

/** Points with a check mark each, or ≠ where a source says otherwise. `className` lays them out. */
export function CheckedPoints(props: {
  readonly points: readonly string[];
  readonly cta: Cta;
  readonly className: string;
}) {
  return (
    <ul className={props.className}>
      {props.points.map((point) => (
        <li key={point} className="flex items-baseline gap-2.5">
          {point.includes(FACT_MARK) ? (
            <span aria-hidden="true" className="w-4 text-center">
              ≠
            </span>
          ) : (
            <Icon
              name={point.includes(FACT_LINK) ? 'arrow-right' : 'check'}
              className="relative top-0.5 size-4 text-positive"
            />
          )}
          <Text as="span" text={point} cta={props.cta} />
        </li>
      ))}
    </ul>
  );
}
