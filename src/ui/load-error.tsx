import { Icon } from '../../ui/icon.tsx';

/** The alert for something that could not be loaded. Without scripts, Retry loads the page again. */
export function LoadError(props: {
  readonly message: string;
  /** Path and query that Retry leads to without scripts. */
  readonly href: string;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { message, href, onRetry } = props;
  const [path, query = ''] = href.split('?');
  return (
    <div role="alert" className="alert">
      <Icon name="alert" className="size-6" />
      <p>{message}</p>
      <form
        action={path}
        data-wakes
        onSubmit={
          onRetry &&
          ((event) => {
            event.preventDefault();
            onRetry();
          })
        }
      >
        {[...new URLSearchParams(query)].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button button-quiet">
          Retry
        </button>
      </form>
    </div>
  );
}
