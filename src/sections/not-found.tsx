import { ButtonLink } from '../ui/button-link.tsx';
import { Container } from '../ui/container.tsx';
import { BlankSignpost } from '../ui/illustrations/blank-signpost.tsx';

/** What stands at an address that has no page. */
export function NotFound() {
  return (
    <Container className="lost">
      <div>
        <p className="n text-lg text-muted">404</p>
        <h1 className="mt-2 text-4xl">Oops! Page not found</h1>
        <p className="mt-5 max-w-text text-lg text-muted">
          The address may be mistyped, or the page has moved. The newest articles are on the front page.
        </p>
        <p className="mt-8">
          <ButtonLink href="/">Return to Home</ButtonLink>
        </p>
      </div>
      <BlankSignpost className="mx-auto max-w-96" />
    </Container>
  );
}
