import { FigureList } from '../../ui/figure-list.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Who signs the page, what the judgement rests on, and the figures behind it. */
export function AuthorSection({ section, context }: SectionProps<'author'>) {
  return (
    <SectionFrame section={section} context={context}>
      <div className="grid gap-x-12 gap-y-6 border-t-2 border-line-strong pt-6 md:grid-cols-[minmax(0,3fr)_minmax(0,8fr)]">
        <div>
          <p className="font-display text-xl font-semibold">{section.name}</p>
          <p className="text-muted">{section.role}</p>
        </div>
        <div>
          <p className="max-w-text text-lg">
            <InlineText text={section.text} cta={context.cta} />
          </p>
          {section.facts.length > 0 && (
            <div className="mt-8">
              <FigureList
                items={section.facts}
                renderText={(text) => <InlineText text={text} cta={context.cta} />}
              />
            </div>
          )}
        </div>
      </div>
    </SectionFrame>
  );
}
