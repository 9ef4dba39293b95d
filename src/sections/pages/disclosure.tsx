import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The affiliate disclosure in full. */
export function DisclosureSection({ section, context }: SectionProps<'disclosure'>) {
  return (
    <SectionFrame section={{ spacing: 'tight', ...section }} context={context}>
      <Text
        data-disclosure
        className="max-w-text border-l-3 border-marker pl-4 text-muted"
        text={section.text ?? context.site.disclosure.full}
        cta={context.cta}
      />
    </SectionFrame>
  );
}
