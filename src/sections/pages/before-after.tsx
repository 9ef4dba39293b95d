import type { PageContext } from '../../core/pages/page-context.ts';
import type { BeforeAfter } from '../../core/pages/sections/comparisons.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The same work on two pages of a ledger, each with its total at the foot. */
export function BeforeAfterSection({ section, context }: SectionProps<'before-after'>) {
  return (
    <SectionFrame section={section} context={context}>
      <div className="grid border-t-2 border-line-strong sm:grid-cols-2">
        <Side side={section.before} icon="minus" context={context} className="sm:pr-6 lg:pr-10" />
        <Side
          side={section.after}
          icon="check"
          context={context}
          className="max-sm:border-t-2 max-sm:border-line-strong sm:border-l sm:border-line sm:pl-6 lg:pl-10"
        />
      </div>
    </SectionFrame>
  );
}

function Side(props: {
  readonly side: BeforeAfter['before'];
  readonly icon: 'minus' | 'check';
  readonly context: PageContext;
  readonly className: string;
}) {
  const { side, icon, context } = props;
  const tone = icon === 'check' ? 'text-positive' : 'text-muted';
  return (
    <div className={`flex flex-col py-6 ${props.className}`}>
      <h3 className="text-xl">{side.title}</h3>
      <ul className={side.total === undefined ? 'mt-4' : 'mt-4 mb-6'}>
        {side.items.map((item) => (
          <li key={item} className="flex items-baseline gap-3 border-t border-line py-2.5">
            <Icon name={icon} className={`relative top-0.5 size-4 ${tone}`} />
            <Text as="span" text={item} cta={context.cta} />
          </li>
        ))}
      </ul>
      <Text
        text={side.total}
        cta={context.cta}
        className={`mt-auto font-display text-2xl font-semibold ${icon === 'check' ? 'text-positive' : ''}`}
      />
    </div>
  );
}
