import type { Site } from '../core/content/site.schema.ts';
import { Icon } from '../ui/icon.tsx';

type Picks = Site['blog']['picks'];

/** What the editors would read first: the featured one large, the others as lines beside it. */
export function BlogPicks({ picks }: { readonly picks: Picks }) {
  const featured = picks.items.filter((item) => item.featured);
  const others = picks.items.filter((item) => !item.featured);
  return (
    <div className="picks">
      {featured.map((item) => (
        <div key={item.href} className="pick pick-featured">
          <p className="pick-badge">{picks.badge}</p>
          <PickTitle item={item} className="text-3xl" />
          <p className="mt-4 max-w-text text-lg">{item.description}</p>
          <p className="pick-end n">
            {`${item.minutes} min read`}
            <Icon name="arrow-right" className="size-6" />
          </p>
        </div>
      ))}
      <ul className="pick-others">
        {others.map((item) => (
          <li key={item.href} className="pick">
            <PickTitle item={item} className="text-xl" />
            <p className="mt-2 text-muted">{item.description}</p>
            <p className="pick-end n text-sm text-muted">{`${item.minutes} min read`}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PickTitle({
  item,
  className,
}: {
  readonly item: Picks['items'][number];
  readonly className: string;
}) {
  return (
    <h3 className={className}>
      <a href={item.href}>{item.title}</a>
    </h3>
  );
}
