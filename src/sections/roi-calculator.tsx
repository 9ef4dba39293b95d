import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** The savings calculator of five bills; its island stands inside. */
export function RoiCalculatorSection({ section, context, children }: SectionProps<'roi-calculator'>) {
  return (
    <SectionFrame section={section} context={context}>
      {children}
    </SectionFrame>
  );
}
