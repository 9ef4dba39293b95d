import { Text } from './inline-text.tsx';
import { PointList } from './pros-cons.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The verdict in large type, then who it suits and who it does not. */
export function RecommendationSection({ section, context }: SectionProps<'recommendation'>) {
  const { cta } = context;
  return (
    <SectionFrame section={section} context={context}>
      <Text
        text={section.verdict}
        cta={cta}
        className="max-w-wide border-l-3 border-positive pl-6 font-display text-xl font-semibold"
      />
      <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-2">
        <PointList
          title={section.fitsTitle}
          items={section.fits}
          icon="check"
          iconClassName="text-positive"
          cta={cta}
        />
        <PointList
          title={section.notForTitle}
          items={section.notFor}
          icon="arrow-right"
          iconClassName="text-muted"
          cta={cta}
        />
      </div>
    </SectionFrame>
  );
}
