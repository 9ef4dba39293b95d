import { Stars } from '../../ui/stars.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Scores set large, each with its stars and the reason for it. */
export function RatingsSection({ section, context }: SectionProps<'ratings'>) {
  return (
    <SectionFrame section={section} context={context}>
      <ul className="border-t-2 border-line-strong">
        {section.items.map(({ title, score, stars, text }) => (
          <li
            key={title}
            className="grid items-baseline gap-x-10 gap-y-2 border-b border-line py-6 md:grid-cols-[7rem_minmax(0,3fr)_minmax(0,5fr)]"
          >
            <div className="tabular font-display text-4xl font-semibold">{score}</div>
            <div>
              <Text as="h3" className="text-xl" text={title} cta={context.cta} />
              {stars !== undefined && (
                <p className="mt-1.5">
                  <Stars value={stars} label={`${stars} out of 5 stars`} />
                </p>
              )}
            </div>
            <Text text={text} cta={context.cta} className="text-muted" />
          </li>
        ))}
      </ul>
    </SectionFrame>
  );
}
