import { CLAIM_NOTE_ID } from '../../core/pages/claim-evidence.ts';
import { Container } from '../../ui/container.tsx';

/** The one explanation of the mark that claims without a source have, at the end of the page. */
export function ClaimNote() {
  return (
    <Container className="py-8">
      <p id={CLAIM_NOTE_ID} className="max-w-text text-sm text-muted">
        † We have not published a source for this figure yet. Treat it as a claim, and check it against your
        own numbers before you rely on it.
      </p>
    </Container>
  );
}
