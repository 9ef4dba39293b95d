import { InlineText } from './inline-text.tsx';
import { PointList } from './point-list.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** The verdict in large type, then for whom it holds and for whom it does not. */
export function RecommendationSection({ section, context }: SectionProps<'recommendation'>) {
  const { calls } = context;
  return (
    <SectionFrame section={section} context={context}>
      <p className="max-w-wide border-l-3 border-positive pl-6 font-display text-xl font-semibold">
        <InlineText text={section.verdict} calls={calls} />
      </p>
      <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-2">
        <PointList
          title={section.fitsTitle}
          items={section.fits}
          icon="check"
          tone="text-positive"
          calls={calls}
        />
        <PointList title={section.notTitle} items={section.not} icon="x" tone="text-danger" calls={calls} />
      </div>
    </SectionFrame>
  );
}
