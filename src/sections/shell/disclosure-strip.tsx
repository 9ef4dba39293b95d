import { DISCLOSURE_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/container.tsx';

/** The line above pages with links to a partner: it comes before the first of them. */
export function DisclosureStrip({ text }: { readonly text: string }) {
  return (
    <aside aria-label="Affiliate disclosure" data-disclosure className="border-b border-line bg-sunken">
      <Container>
        <p className="py-1.5 text-xs text-muted">
          {text} <a href={DISCLOSURE_PATH}>How we are paid</a>
        </p>
      </Container>
    </aside>
  );
}
