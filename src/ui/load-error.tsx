import { type MouseEvent, useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

/**
 * The alert for content that could not be loaded. Retry waits until the next attempt can work, and says so. Without
 * `onRetry` it is a link, for which `src/browser/articles/retry.ts` waits; without scripts, the reader does.
 */
export function LoadError(props: {
  readonly message: string;
  /** Path and query of the page that shows the content. */
  readonly href: string;
  /** When the next attempt can work: ms since the page was requested. */
  readonly retryAt: number;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { message, href, retryAt, onRetry } = props;
  const [seconds, wait] = useCountdown(retryAt, onRetry);
  const retry = (event: MouseEvent) => {
    if (onRetry === undefined) return;
    event.preventDefault();
    wait();
  };
  return (
    <div
      role="alert"
      className="my-4 flex flex-wrap items-center gap-4 rounded border-l-4 border-danger bg-danger-wash px-6 py-5 text-ink"
    >
      <Icon name="alert" className="size-6 text-danger" />
      <div className="flex-[1_1_16rem]">
        <p className="font-semibold">{message}</p>
        {retryAt > 0 && (
          <p className="tabular" aria-live="off" data-retry-note>
            {seconds === null
              ? `The next attempt can work in ${Math.ceil(retryAt / 1_000)} s.`
              : `Trying again in ${seconds} s`}
          </p>
        )}
      </div>
      <a
        href={href}
        className="button button-quiet"
        data-retry-at={retryAt}
        data-hydrates={onRetry === undefined ? undefined : true}
        onClick={retry}
      >
        Retry
      </a>
    </div>
  );
}

/** Returns the seconds until an attempt that was asked for (null: none was), and what asks for it. */
function useCountdown(retryAt: number, onEnd: (() => void) | undefined): [number | null, () => void] {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (seconds === null) return;
    if (seconds <= 0) {
      setSeconds(null);
      onEnd?.();
      return;
    }
    const timer = setTimeout(() => setSeconds(countSeconds(retryAt)), 1_000);
    return () => clearTimeout(timer);
  }, [seconds, retryAt, onEnd]);
  const wait = () => {
    const remaining = countSeconds(retryAt);
    if (remaining > 0) setSeconds(remaining);
    else onEnd?.();
  };
  return [seconds, wait];
}

const countSeconds = (retryAt: number) => Math.ceil((retryAt - performance.now()) / 1_000);
