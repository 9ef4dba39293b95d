import { FigureList } from '../../ui/figure-list.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Figures in a row between hairlines. */
export function StatsSection({ section, context }: SectionProps<'stats'>) {
  return (
    <SectionFrame section={section} context={context}>
      <FigureList items={section.items} renderText={(text) => <InlineText text={text} cta={context.cta} />} />
    </SectionFrame>
  );
}
