import { buildPartnerLink } from '../../core/outbound/cta.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { Action } from '../../core/pages/sections/fields.schema.ts';
import { Section } from '../../ui/section.tsx';
import { DisclosureLine } from '../shell/notes.tsx';
import { ActionLinks, CheckedPoints } from './action-links.tsx';
import { Text } from './inline-text.tsx';
import type { SectionProps } from './section-frame.tsx';

/** The whole address of an action, for paper. */
function findAddress(action: Action, { cta, siteUrl }: PageContext): string {
  const { href, partnerLink: page } = action;
  return siteUrl + (page === undefined ? href : buildPartnerLink(cta, { ...action, page }).href);
}

/** One thing to do now: a line, its conditions, a button or, in print, its address. */
export function CallToActionSection({ section, context }: SectionProps<'call-to-action'>) {
  return (
    <Section id={section.id} background={section.background ?? 'positive'} spacing={section.spacing}>
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:items-end">
        <div>
          <Text as="h2" className="text-4xl" text={section.title} cta={context.cta} />
          <Text text={section.lead} cta={context.cta} className="mt-5 max-w-text text-lg text-balance" />
        </div>
        <div className="grid gap-5">
          {section.points.length > 0 && (
            <CheckedPoints points={section.points} cta={context.cta} className="grid gap-2" />
          )}
          <ActionLinks actions={section.actions} cta={context.cta} />
          <ul className="hidden print:block">
            {section.actions?.map((action) => (
              <li key={action.label}>
                {action.label}: {findAddress(action, context)}
              </li>
            ))}
          </ul>
          <Text text={section.note} cta={context.cta} className="text-sm text-muted" />
          {section.disclosure && <DisclosureLine disclosure={context.site.disclosure} />}
        </div>
      </div>
    </Section>
  );
}
