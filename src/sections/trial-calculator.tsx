import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** The savings calculator of a number of tools at an average cost; its island stands inside. */
export function TrialCalculatorSection({ section, context, children }: SectionProps<'trial-calculator'>) {
  return (
    <SectionFrame section={section} context={context}>
      {children}
    </SectionFrame>
  );
}
