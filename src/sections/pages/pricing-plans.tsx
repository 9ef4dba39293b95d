import type { PageContext } from '../../core/pages/page-context.ts';
import type { PricingPlans } from '../../core/pages/sections/comparisons.schema.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { ActionLink } from './action-links.tsx';
import { CheckedLine } from './checked-line.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Plans as columns of a price list. `data-view` makes the page record that prices were seen. */
export function PricingPlansSection({ section, context }: SectionProps<'pricing-plans'>) {
  const { product, plans } = context.savings;
  const offers = product?.offers.filter(({ key }) => plans.some((plan) => plan.key === key)) ?? [];
  return (
    <SectionFrame section={section} context={context}>
      <div
        data-view="pricing_view"
        data-label={context.path}
        className="grid border-y-2 border-line-strong sm:auto-cols-fr sm:grid-flow-col sm:grid-rows-[repeat(5,auto)]"
      >
        {section.plans.map((plan) => (
          <Plan key={plan.name} plan={plan} context={context} />
        ))}
      </div>
      {offers.length > 0 && (
        <CheckedLine sources={offers.flatMap(({ source }) => source ?? [])} context={context} />
      )}
      {section.terms.length > 0 && (
        <ul className="mt-5 flex flex-wrap gap-x-8 gap-y-1 text-sm text-muted">
          {section.terms.map((term) => (
            <Text as="li" key={term} text={term} cta={context.cta} />
          ))}
        </ul>
      )}
    </SectionFrame>
  );
}

function Plan(props: { readonly plan: PricingPlans['plans'][number]; readonly context: PageContext }) {
  const { plan, context } = props;
  const position = `${context.cta.position ?? 'pricing-plans'}-${buildSlug(plan.name)}`;
  return (
    <article
      className={`flex flex-col border-line p-5 sm:row-span-5 sm:grid sm:grid-rows-subgrid not-first:border-t sm:not-first:border-t-0 sm:not-first:border-l sm:p-8 ${plan.recommended ? 'bg-positive-wash' : ''}`}
    >
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-xl">
        {plan.name}
        {plan.recommended && (
          <span className="font-text text-sm font-semibold tracking-normal text-positive">Recommended</span>
        )}
      </h3>
      <p className="mt-1 text-muted">{plan.audience}</p>
      <p className="mt-3 sm:mt-5">
        <span className="tabular font-display text-5xl font-semibold tracking-tight">{plan.price}</span>
        <span className="text-muted">{plan.per}</span>
      </p>
      <ul className="mt-3 mb-5 sm:mt-5 sm:mb-6">
        {plan.items.map((item) => (
          <Text as="li" key={item} className="border-t border-line py-2" text={item} cta={context.cta} />
        ))}
      </ul>
      <div className="mt-auto grid gap-4">
        <Text
          text={plan.notFor}
          cta={context.cta}
          className={plan.action === undefined ? 'font-semibold' : 'text-sm text-muted'}
        />
        {plan.action !== undefined && (
          <div data-print="hide" className="grid">
            <ActionLink
              action={plan.action}
              cta={{ ...context.cta, position }}
              variant={plan.recommended ? 'primary' : 'quiet'}
            />
          </div>
        )}
      </div>
    </article>
  );
}
