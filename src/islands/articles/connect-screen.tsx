import { useState } from 'react';
import { BLOG_PATH } from '../../core/paths.ts';
import { type ArticleService, isMissingKey, readArticlePage } from './use-articles.ts';

/** Shown when the article service has no key yet: says what to do, and tests whether it is done. */
export function ConnectScreen(props: {
  readonly service: ArticleService;
  /** What the place is called where keys are set. */
  readonly platform: string;
  readonly onConnected: () => void;
}) {
  const { service, platform, onConnected } = props;
  const [isTesting, setTesting] = useState(false);
  const [problem, setProblem] = useState('');
  const test = async () => {
    setTesting(true);
    setProblem('');
    try {
      await readArticlePage(service, { query: '', page: 1, limit: 1 }, new AbortController().signal);
      onConnected();
    } catch (error) {
      setProblem(describeProblem(error, service.name, platform));
      setTesting(false);
    }
  };
  return (
    <section
      className="grid max-w-text justify-items-start gap-4 py-[clamp(2rem,5vw,4rem)] text-muted"
      aria-labelledby="connect-title"
    >
      <h2 id="connect-title" className="text-2xl text-ink wrap-anywhere">{`Connect to ${service.name}`}</h2>
      <p>
        {[
          `The articles of this hub come from ${service.name}, and its API key is not set yet.`,
          `Set it in ${platform}, then test the connection here.`,
        ].join(' ')}
      </p>
      <form
        action={BLOG_PATH}
        data-hydrates
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTesting) void test();
        }}
      >
        <button type="submit" className="button button-primary" aria-disabled={isTesting}>
          {isTesting ? 'Testing Connection...' : `Connect to ${service.name}`}
        </button>
      </form>
      <p role="alert" className="font-semibold text-danger">
        {problem}
      </p>
    </section>
  );
}

function describeProblem(error: unknown, service: string, platform: string): string {
  if (isMissingKey(error)) {
    return `Unable to connect to ${service}. Please check your API key configuration in ${platform}.`;
  }
  return (error instanceof Error && error.message) || 'Connection failed. Please try again.';
}
