import type { Assessment, Testimonial } from '../core/content/assessment.schema.ts';
import type { Claim } from '../core/content/claim.schema.ts';
import { Icon } from '../ui/icon.tsx';

const STARS = [1, 2, 3, 4, 5];

/** What stands behind the advice: the claims as a row of figures, and what people say. */
export function AssessmentProof(props: {
  readonly intro: Assessment['copy']['intro'];
  readonly claims: ReadonlyMap<string, Claim>;
}) {
  const { intro } = props;
  const claims = intro.claims.flatMap((key) => props.claims.get(key) ?? []);
  return (
    <>
      <section className="mt-20 sm:mt-28">
        <h2 className="text-3xl">{intro.claimsTitle}</h2>
        <dl className="claim-row">
          {claims.map(({ key, figure, wording }) => (
            <div key={key} className="flex flex-col-reverse justify-end">
              <dt className="mt-1 text-sm text-muted">{wording}</dt>
              <dd className="n font-display text-3xl font-semibold">{figure}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="mt-20 sm:mt-28">
        <h2 className="text-3xl">{intro.testimonialsTitle}</h2>
        {intro.testimonialsNote !== '' && <p className="note mt-5">{intro.testimonialsNote}</p>}
        <div className="mt-8 grid gap-x-10 md:grid-cols-3">
          {intro.testimonials.map((one) => (
            <TestimonialSlip key={one.name} testimonial={one} />
          ))}
        </div>
      </section>
    </>
  );
}

function TestimonialSlip({ testimonial }: { readonly testimonial: Testimonial }) {
  const { name, company, rating, text } = testimonial;
  return (
    <figure className="border-t border-line py-6">
      <p role="img" aria-label={`${rating} of 5 stars`} className="flex gap-0.5 text-muted">
        {STARS.slice(0, rating).map((star) => (
          <Icon key={star} name="star" />
        ))}
      </p>
      <blockquote className="mt-3 text-lg">{text}</blockquote>
      <figcaption className="mt-4 text-sm text-muted">
        {name}, {company}
      </figcaption>
    </figure>
  );
}
