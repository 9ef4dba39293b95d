import { Container } from '../ui/container.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionLinks } from './action-links.tsx';
import { DisclosureLine } from './disclosure-line.tsx';
import { HeroFigureView } from './hero-figure.tsx';
import { InlineText } from './inline-text.tsx';
import type { SectionProps } from './section-props.ts';

/** Compositions that need the full width: the words stand above them instead of beside. */
const WIDE: ReadonlySet<string> = new Set(['comparison', 'timeline', 'chart']);

/** The top of the page: the statement, what to do, and the page's own composition. */
export function HeroSection({ section, context }: SectionProps<'hero'>) {
  const { figure } = section;
  const layout = figure === undefined ? 'hero-plain' : WIDE.has(figure.kind) ? 'hero-wide' : 'hero-beside';
  return (
    <section id={section.id} className={`hero ${layout}`}>
      <Container className="hero-grid">
        <div className="hero-words">
          {section.badge !== undefined && (
            <p className="mb-5 inline-block rounded-full border border-line-strong px-3 py-1 text-sm font-semibold">
              {section.badge}
            </p>
          )}
          <h1 className={section.title.length > 64 ? 'text-4xl' : 'text-5xl'}>
            <InlineText text={section.title} />
          </h1>
          {section.lead !== undefined && (
            <p className="mt-6 max-w-text text-lg text-muted">
              <InlineText text={section.lead} calls={context.calls} />
            </p>
          )}
        </div>
        <div className="hero-deed">
          {section.points !== undefined && (
            <ul className="points mb-6 grid gap-x-8 gap-y-2">
              {section.points.map((point) => (
                <li key={point} className="flex items-baseline gap-2.5">
                  <Icon name="check" className="size-4 translate-y-0.5 text-positive" />
                  {point}
                </li>
              ))}
            </ul>
          )}
          <ActionLinks actions={section.actions} calls={context.calls} />
          {section.disclosure && context.calls !== undefined && (
            <DisclosureLine text={context.site.disclosure.short} className="mt-6" />
          )}
          {section.note !== undefined && (
            <p className="mt-4 max-w-text text-sm text-muted">
              <InlineText text={section.note} calls={context.calls} />
            </p>
          )}
        </div>
        {figure !== undefined && (
          <div className="hero-figure">
            <HeroFigureView figure={figure} />
          </div>
        )}
      </Container>
    </section>
  );
}
