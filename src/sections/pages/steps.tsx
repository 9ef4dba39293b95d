import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Steps in order, joined by a line: across on wide screens when they are few, down otherwise. */
export function StepsSection({ section, context }: SectionProps<'steps'>) {
  const isLong = section.items.length > 4;
  const layout = section.layout ?? (isLong ? 'split' : 'stacked');
  const isAcross = !isLong && layout === 'stacked';
  return (
    <SectionFrame section={{ ...section, layout }} context={context}>
      <ol
        className={`steps ${isAcross ? 'steps-across' : ''} ${isLong && layout === 'stacked' ? 'lg:grid-cols-2' : ''}`.trim()}
      >
        {section.items.map(({ title, text, time }) => (
          <li key={title}>
            <h3 className="text-xl">{title}</h3>
            <Text text={text} cta={context.cta} className="mt-2 max-w-text text-muted" />
            {time !== undefined && <p className="tabular mt-2 text-sm font-semibold">{time}</p>}
          </li>
        ))}
      </ol>
    </SectionFrame>
  );
}
