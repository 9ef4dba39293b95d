import type { Site } from '../../core/pages/site.schema.ts';
import { buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Container } from '../../ui/container.tsx';

/** The topics above the list, each linked to its articles; what they are about where there is room. */
export function BlogTopics({ topics }: { readonly topics: Site['blog']['topics'] }) {
  return (
    <nav aria-labelledby="topics" className="blog-intro pb-8 sm:pb-12">
      <Container>
        <h2 id="topics" className="text-xl">
          Browse by topic
        </h2>
        <ul className="mt-3 grid grid-cols-2 gap-x-[clamp(1rem,3vw,2.75rem)] border-t-2 border-line-strong lg:grid-cols-4 lg:gap-x-0">
          {topics.map(({ name, description }) => (
            <li
              key={name}
              className="link-area border-b border-line py-3 lg:border-b-0 lg:pr-4 lg:not-first:pl-[clamp(1rem,2.4vw,2rem)]"
            >
              <h3 className="text-lg">
                <a href={buildGroupPath('topic', buildSlug(name))}>{name}</a>
              </h3>
              <p className="mt-1 text-sm text-muted max-sm:hidden">{description}</p>
            </li>
          ))}
        </ul>
      </Container>
    </nav>
  );
}
