import { buildSlug } from '../core/articles/article-slug.ts';
import type { Site } from '../core/content/site.schema.ts';

/** The hub's four topics, each with the way to its articles. */
export function BlogTopics({ topics }: { readonly topics: Site['blog']['topics'] }) {
  return (
    <ul className="topics">
      {topics.map(({ name, description }) => (
        <li key={name} className="topic">
          <h3 className="text-xl">
            <a href={`/blog/topic/${buildSlug(name)}`}>{name}</a>
          </h3>
          <p className="mt-2 text-muted">{description}</p>
        </li>
      ))}
    </ul>
  );
}
