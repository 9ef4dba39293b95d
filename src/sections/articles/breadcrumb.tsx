import { BLOG_PATH, buildGroupPath, HOME_PATH } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Icon } from '../../ui/icon.tsx';

/** A link back to the front page, and the breadcrumb trail of an article, which phones have no room for. */
export function Breadcrumb({ topic }: { readonly topic?: string | undefined }) {
  return (
    <div
      className="flex flex-wrap justify-between gap-x-4 text-[0.9rem] wrap-anywhere sm:py-3"
      data-print="hide"
    >
      <a
        href={HOME_PATH}
        className="inline-flex min-h-11 items-center gap-[0.4em] text-accent no-underline hover:underline"
      >
        <Icon name="arrow-left" />
        Back to Blog
      </a>
      <nav aria-label="Breadcrumb" className="max-sm:hidden">
        <ol className="flex flex-wrap">
          <Crumb href={HOME_PATH} label="Home" isFirst />
          <Crumb href={BLOG_PATH} label="Articles" />
          {topic && <Crumb href={buildGroupPath('topic', buildSlug(topic))} label={topic} />}
        </ol>
      </nav>
    </div>
  );
}

function Crumb(props: { readonly href: string; readonly label: string; readonly isFirst?: boolean }) {
  const { href, label, isFirst = false } = props;
  return (
    <li>
      {!isFirst && (
        <span aria-hidden="true" className="px-[0.6em] text-muted">
          /
        </span>
      )}
      <a
        href={href}
        className="inline-flex min-h-11 items-center gap-[0.4em] text-muted no-underline hover:underline"
      >
        {label}
      </a>
    </li>
  );
}
