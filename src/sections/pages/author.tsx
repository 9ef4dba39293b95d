import { buildAuthorPath } from '../../core/paths.ts';
import { ImageFigure } from './image.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Who signs the page, what the judgment rests on, and the figures behind it. */
export function AuthorSection({ section, context }: SectionProps<'author'>) {
  // The content check has refused unknown authors.
  const author = context.authors.get(section.author);
  if (author === undefined) return null;
  return (
    <SectionFrame section={section} context={context}>
      <div className="grid gap-x-12 gap-y-6 border-t-2 border-line-strong pt-6 md:grid-cols-[minmax(0,3fr)_minmax(0,8fr)]">
        <div>
          {author.image !== undefined && (
            <div className="mb-4 max-w-48">
              <ImageFigure figure={{ image: author.image }} context={context} place="card" />
            </div>
          )}
          <p className="font-display text-xl font-semibold">
            <a href={buildAuthorPath(author.key)} rel="author" className="text-ink">
              {author.name}
            </a>
          </p>
          <p className="text-muted">{author.role}</p>
        </div>
        <div>
          <Text text={section.text} cta={context.cta} className="max-w-text text-lg" />
          {section.facts.length > 0 && (
            <ul className="mt-4 flex flex-wrap gap-x-8 gap-y-1 text-muted">
              {section.facts.map(({ figure, label, note }) => (
                <Text
                  as="li"
                  key={label}
                  text={[figure, label, note].filter(Boolean).join(' ')}
                  cta={context.cta}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
    </SectionFrame>
  );
}
