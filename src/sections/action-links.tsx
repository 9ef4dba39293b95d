import type { Calls } from '../core/content/page.schema.ts';
import type { Action } from '../core/content/sections/fields.schema.ts';
import { PartnerLink } from '../ui/partner-link.tsx';

const LOOKS = {
  primary: 'button button-primary',
  quiet: 'button button-quiet',
  link: 'inline-flex min-h-11 items-center text-accent underline',
} as const;

/** One call to action of a document: a link of this site, or one to a partner with the page's source and event. */
export function ActionLink(props: {
  readonly action: Action;
  readonly calls: Calls | undefined;
  readonly look?: keyof typeof LOOKS;
  readonly className?: string;
}) {
  const { action, calls } = props;
  const className = `${LOOKS[action.look ?? props.look ?? 'primary']} ${props.className ?? ''}`.trim();
  if (action.go === undefined) {
    return (
      <a href={action.href} className={className}>
        {action.label}
      </a>
    );
  }
  const source = action.source ?? calls?.source;
  const event = action.event ?? calls?.event;
  return (
    <PartnerLink
      page={action.go}
      className={className}
      {...(action.partner === undefined ? {} : { partner: action.partner })}
      {...(source === undefined ? {} : { source })}
      {...(event === undefined ? {} : { action: event })}
    >
      {action.label}
    </PartnerLink>
  );
}

/** The buttons of a section: the first stands out. */
export function ActionLinks(props: {
  readonly actions: readonly Action[] | undefined;
  readonly calls: Calls | undefined;
  readonly className?: string;
}) {
  const { actions = [], calls } = props;
  if (actions.length === 0) return null;
  return (
    <div className={`flex flex-wrap items-center gap-3 ${props.className ?? ''}`} data-print="hide">
      {actions.map((action, index) => (
        <ActionLink
          key={action.label}
          action={action}
          calls={calls}
          look={index === 0 ? 'primary' : 'quiet'}
        />
      ))}
    </div>
  );
}
