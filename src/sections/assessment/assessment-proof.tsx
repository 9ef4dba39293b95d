import type { Assessment, Testimonial } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claim.schema.ts';
import { listShownQuotations, UNPROVEN } from '../../core/pages/claims.ts';
import { Stars } from '../../ui/stars.tsx';
import { SampleNote } from '../shell/notes.tsx';

/** The evidence for the advice: claims as a row of figures, and testimonials. */
export function AssessmentProof(props: {
  readonly intro: Assessment['copy']['intro'];
  readonly claims: ReadonlyMap<string, Claim>;
  readonly samples: 'show' | 'hide';
}) {
  const { intro } = props;
  const claims = intro.claims.flatMap((key) => props.claims.get(key) ?? []);
  const quotations = listShownQuotations(intro.testimonials, props.samples);
  const hasSamples = quotations.some(({ sample }) => sample);
  return (
    <>
      {claims.length > 0 && <ClaimRow title={intro.claimsTitle} claims={claims} />}
      {quotations.length > 0 && (
        <section className="mt-20 sm:mt-28">
          <h2 className="text-3xl">{intro.testimonialsTitle}</h2>
          {hasSamples && <SampleNote className="mt-4" />}
          <div className="mt-8 grid gap-x-10 md:grid-cols-3">
            {quotations.map((one) => (
              <TestimonialSlip key={one.name} testimonial={one} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function ClaimRow({ title, claims }: { readonly title: string; readonly claims: readonly Claim[] }) {
  return (
    <section className="mt-20 sm:mt-28">
      <h2 className="text-3xl">{title}</h2>
      <dl className="claim-row">
        {claims.map(({ key, figure, wording }) => (
          <div key={key} className="flex flex-col-reverse justify-end">
            <dt className="mt-1 text-sm text-muted">{wording}</dt>
            <dd className="tabular font-display text-3xl font-semibold">{figure}</dd>
          </div>
        ))}
      </dl>
      <EvidenceNote claims={claims} />
    </section>
  );
}

/** Lists the figures that have no source yet. */
function EvidenceNote({ claims }: { readonly claims: readonly Claim[] }) {
  const unproven = claims.filter(({ evidence }) => evidence === '').map(({ wording }) => wording);
  if (unproven.length === 0) return null;
  const which = unproven.length === claims.length ? '' : `: ${unproven.join(', ')}`;
  return (
    <p className="mt-3 text-sm text-muted">
      {UNPROVEN}
      {which}.
    </p>
  );
}

function TestimonialSlip({ testimonial }: { readonly testimonial: Testimonial }) {
  const { name, company, rating, text } = testimonial;
  return (
    <figure className="border-t-2 border-line-strong py-5">
      <Stars value={rating} label={`${rating} out of 5 stars`} />
      <blockquote className="mt-3">“{text}”</blockquote>
      <figcaption className="mt-4 text-sm text-muted">
        <span className="font-semibold text-ink">{name}</span>, {company}
      </figcaption>
    </figure>
  );
}
