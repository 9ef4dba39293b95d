import { Icon } from './icon.tsx';

/** The alert for content that could not be loaded. Without scripts, Retry loads the page again. */
export function LoadError(props: {
  readonly message: string;
  /** Path and query that Retry leads to without scripts. */
  readonly href: string;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { message, href, onRetry } = props;
  const [path, query = ''] = href.split('?');
  return (
    <div
      role="alert"
      className="my-4 flex flex-wrap items-center gap-4 rounded border-l-4 border-danger bg-danger-wash px-6 py-5 text-ink"
    >
      <Icon name="alert" className="size-6 text-danger" />
      <p className="flex-[1_1_16rem] font-semibold">{message}</p>
      <form
        action={path}
        data-hydrates
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
