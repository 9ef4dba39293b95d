import { PointList } from './point-list.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

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
