import type { Site } from '../../core/pages/site.schema.ts';
import { buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';

/** The topics, each linked to its articles. */
export function BlogTopics({ topics }: { readonly topics: Site['blog']['topics'] }) {
  return (
    <ul className="grid border-t-2 border-line-strong sm:grid-cols-2 sm:gap-x-[clamp(1.5rem,3vw,2.75rem)] lg:grid-cols-4">
      {topics.map(({ name, description }) => (
        <li key={name} className="link-area border-b border-line py-5 lg:border-b-0">
          <h3 className="text-xl">
            <a href={buildGroupPath('topic', buildSlug(name))}>{name}</a>
          </h3>
          <p className="mt-2 text-muted">{description}</p>
        </li>
      ))}
    </ul>
  );
}
