import { Icon } from '../../ui/icon.tsx';

/** The alert for something that could not be loaded. Without scripts, Retry loads the page again. */
export function LoadError(props: {
  readonly message: string;
  /** Where Retry leads without scripts. */
  readonly href: string;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { message, href, onRetry } = props;
  return (
    <div role="alert" className="alert">
      <Icon name="alert" className="size-6" />
      <p>{message}</p>
      <a
        className="button button-quiet"
        href={href}
        data-wakes
        onClick={
          onRetry &&
          ((event) => {
            event.preventDefault();
            onRetry();
          })
        }
      >
        Retry
      </a>
    </div>
  );
}
