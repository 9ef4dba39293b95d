import { PointList } from '../../ui/point-list.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** The verdict in large type, then who it suits and who it does not. */
export function RecommendationSection({ section, context }: SectionProps<'recommendation'>) {
  const renderText = (text: string) => <InlineText text={text} cta={context.cta} />;
  return (
    <SectionFrame section={section} context={context}>
      <p className="max-w-wide border-l-3 border-positive pl-6 font-display text-xl font-semibold">
        {renderText(section.verdict)}
      </p>
      <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-2">
        <PointList
          title={section.fitsTitle}
          items={section.fits}
          icon="check"
          iconClassName="text-positive"
          renderText={renderText}
        />
        <PointList
          title={section.notForTitle}
          items={section.notFor}
          icon="arrow-right"
          iconClassName="text-muted"
          renderText={renderText}
        />
      </div>
    </SectionFrame>
  );
}
