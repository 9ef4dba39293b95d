import type { MouseEvent } from 'react';
import { Icon } from './icon.tsx';

/** The alert for content that could not be loaded. Without scripts, and without `onRetry`, Retry is a link. */
export function LoadError(props: {
  readonly message: string;
  /** Path and query of the page that shows the content. */
  readonly href: string;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { message, href, onRetry } = props;
  const retry = (event: MouseEvent) => {
    if (onRetry === undefined) return;
    event.preventDefault();
    onRetry();
  };
  return (
    <div
      role="alert"
      className="my-4 flex flex-wrap items-center gap-4 rounded border-l-4 border-danger bg-danger-wash px-6 py-5 text-ink"
    >
      <Icon name="alert" className="size-6 text-danger" />
      <p className="flex-[1_1_16rem] font-semibold">{message}</p>
      <a
        href={href}
        className="button button-quiet"
        data-hydrates={onRetry === undefined ? undefined : true}
        onClick={retry}
      >
        Retry
      </a>
    </div>
  );
}
