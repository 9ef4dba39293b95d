import type { SuggestedLink } from '../../core/articles/suggest-for-path.ts';
import { HOME_PATH } from '../../core/paths.ts';
import blankSignpost from '../../ui/illustrations/blank-signpost.svg?raw';
import { InlineSvg } from '../../ui/inline-svg.tsx';
import { Container } from '../../ui/section.tsx';

/** The page for an address that does not exist, with the pages whose titles have the words of that address. */
export function NotFound({ suggestions }: { readonly suggestions: readonly SuggestedLink[] }) {
  return (
    <Container className="grid items-center gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-10 py-[clamp(3rem,8vw,7rem)] lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div>
        <p className="tabular text-lg text-muted">404</p>
        <h1 className="mt-2 text-4xl">Oops! Page not found</h1>
        <p className="mt-5 max-w-text text-lg text-muted">
          The address may have a typo, or the page may have moved. You will find the newest articles on the
          front page.
        </p>
        {suggestions.length > 0 && (
          <nav aria-labelledby="suggestions" className="mt-8">
            <h2 id="suggestions" className="text-xl">
              Were you looking for one of these?
            </h2>
            <ul className="mt-3 border-t-2 border-line-strong">
              {suggestions.map(({ title, href }) => (
                <li key={href} className="border-b border-line">
                  <a href={href} className="inline-flex min-h-11 items-center py-2">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <p className="mt-8">
          <a href={HOME_PATH} className="button button-primary">
            Return to Home
          </a>
        </p>
      </div>
      <InlineSvg svg={blankSignpost} className="mx-auto max-w-96" />
    </Container>
  );
}
