import type { Cta } from '../../core/outbound/cta.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A heading above points that share one icon. `iconClassName` sets the icon's color. */
export function PointList(props: {
  readonly title: string;
  readonly icon: IconName;
  readonly iconClassName: string;
  readonly items: readonly string[];
  readonly cta: Cta;
}) {
  return (
    <div className="border-t-2 border-line-strong pt-4">
      <h3 className="text-xl">{props.title}</h3>
      <ul className="mt-3">
        {props.items.map((item) => (
          <li key={item} className="flex items-baseline gap-3 border-b border-line py-2.5">
            <Icon name={props.icon} className={`relative top-0.5 size-4 ${props.iconClassName}`} />
            <Text as="span" text={item} cta={props.cta} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Strengths beside limitations, with equal room. */
export function ProsConsSection({ section, context }: SectionProps<'pros-cons'>) {
  const { cta } = context;
  return (
    <SectionFrame section={section} context={context}>
      <div className="grid gap-x-12 gap-y-10 md:grid-cols-2">
        <PointList {...section.pros} icon="plus" iconClassName="text-positive" cta={cta} />
        <PointList {...section.cons} icon="minus" iconClassName="text-danger" cta={cta} />
      </div>
    </SectionFrame>
  );
}
