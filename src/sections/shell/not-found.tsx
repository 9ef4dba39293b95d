import { HOME_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/container.tsx';
import { BlankSignpost } from '../../ui/illustrations/blank-signpost.tsx';

/** The page for an address that does not exist. */
export function NotFound() {
  return (
    <Container className="grid items-center gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-10 py-[clamp(3rem,8vw,7rem)] lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div>
        <p className="tabular text-lg text-muted">404</p>
        <h1 className="mt-2 text-4xl">Oops! Page not found</h1>
        <p className="mt-5 max-w-text text-lg text-muted">
          The address may be mistyped, or the page has moved. The newest articles are on the front page.
        </p>
        <p className="mt-8">
          <a href={HOME_PATH} className="button button-primary">
            Return to Home
          </a>
        </p>
      </div>
      <BlankSignpost className="mx-auto max-w-96" />
    </Container>
  );
}
