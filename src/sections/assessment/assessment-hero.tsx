import type { Assessment, Testimonial } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { isMarkedClaim, listShownQuotations } from '../../core/pages/claims/claims.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { Stars } from '../../ui/stars.tsx';
import { ClaimMark, ClaimNote, SampleNote } from '../shell/notes.tsx';

/** The first screen of the assessment: what it is, and the way in. `data-intro` lets the island put it away. */
export function AssessmentHero(props: {
  readonly intro: Assessment['copy']['intro'];
  /** Whether a step or a result is shown in its place. */
  readonly hidden: boolean;
}) {
  const { intro, hidden } = props;
  // Put away, it leaves the page one <h1>: that of what is shown in its place.
  const heading = hidden ? { role: 'heading', 'aria-level': 1 } : {};
  const Heading = hidden ? 'div' : 'h1';
  return (
    <section
      data-intro
      hidden={hidden}
      className="grid items-center gap-x-16 gap-y-10 md:grid-cols-[1.15fr_0.85fr]"
    >
      <div>
        <Heading {...heading} className="text-5xl">
          {intro.headline}
        </Heading>
        <p className="mt-6 max-w-text text-lg text-muted">{intro.lead}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <StartForm label={intro.start} />
          {/* Its place is reserved: on phones where a gap is, below the promise. */}
          <form
            method="get"
            action={ASSESSMENT_PATH}
            data-resume
            className="invisible max-sm:order-last noscript:hidden"
          >
            <input type="hidden" name="step" value="results" />
            <button type="submit" className="button button-quiet">
              {intro.resume}
            </button>
          </form>
          <p className="mt-2 max-w-text basis-full text-sm text-muted">{intro.promise}</p>
        </div>
      </div>
      <AssessmentSigns signs={intro.signs} />
    </section>
  );
}

/** The button that starts the assessment: a form, so that it works before and without scripts. */
function StartForm({ label }: { readonly label: string }) {
  return (
    <form method="get" action={ASSESSMENT_PATH}>
      <input type="hidden" name="step" value="1" />
      <button type="submit" className="button button-primary">
        {label}
      </button>
    </form>
  );
}

/** A signpost with an arm for each kind of business, drawn; the page's text has the same words. */
function AssessmentSigns({ signs }: { readonly signs: readonly string[] }) {
  const height = 96 + signs.length * 78;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 420 ${height}`}
      className="mx-auto h-auto w-full max-w-[26rem]"
      fill="none"
      strokeWidth="2.5"
      strokeLinejoin="round"
    >
      <path
        className="stroke-line-strong"
        d={`M210 14V${height - 12}`}
        strokeWidth="7"
        strokeLinecap="round"
      />
      <path className="stroke-line" d={`M70 ${height - 10}H350`} strokeLinecap="round" />
      {signs.map((sign, index) => (
        <Arm key={sign} text={sign} index={index} />
      ))}
    </svg>
  );
}

function Arm({ text, index }: { readonly text: string; readonly index: number }) {
  const top = 44 + index * 78;
  const isRight = index % 2 === 0;
  const shape = isRight
    ? `M150 ${top}H352L392 ${top + 29}L352 ${top + 58}H150Z`
    : `M270 ${top}H68L28 ${top + 29}L68 ${top + 58}H270Z`;
  return (
    <g>
      <path d={shape} className="fill-raised stroke-line-strong" />
      <text
        x={isRight ? 172 : 248}
        y={top + 37}
        textAnchor={isRight ? 'start' : 'end'}
        fontSize="22"
        className="fill-ink font-display font-semibold"
      >
        {text}
      </text>
    </g>
  );
}

/** Below the first screen: how the assessment decides, its evidence, and a second start button. */
export function AssessmentDetails(props: {
  readonly intro: Assessment['copy']['intro'];
  readonly claims: ReadonlyMap<string, Claim>;
  /** Whether samples are shown. */
  readonly samples: boolean;
  /** Whether a step or a result is shown in its place. */
  readonly hidden: boolean;
}) {
  const { intro, claims, samples, hidden } = props;
  return (
    <div data-intro hidden={hidden}>
      <section className="mt-20 sm:mt-28">
        <h2 className="text-3xl">{intro.howTitle}</h2>
        <ol className="how-list">
          {intro.how.map(({ title, text }) => (
            <li key={title}>
              <h3 className="text-xl">{title}</h3>
              <p className="mt-3 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <AssessmentProof intro={intro} claims={claims} samples={samples} />
      <section className="mt-20 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 border-t-2 border-line-strong pt-10">
        <h2 className="max-w-text text-3xl">{intro.closing}</h2>
        <StartForm label={intro.start} />
      </section>
    </div>
  );
}

/** The evidence for the advice: claims as a row of figures, and testimonials. */
export function AssessmentProof(props: {
  readonly intro: Assessment['copy']['intro'];
  readonly claims: ReadonlyMap<string, Claim>;
  /** Whether samples are shown. */
  readonly samples: boolean;
}) {
  const { intro } = props;
  const claims = intro.claims
    .flatMap((key) => props.claims.get(key) ?? [])
    .filter(({ sample, evidence }) => props.samples || sample !== true || evidence !== '');
  const quotations = listShownQuotations(intro.testimonials, props.samples);
  const hasSamples = quotations.some(({ sample }) => sample);
  return (
    <>
      {claims.length > 0 && <ClaimRow title={intro.claimsTitle} claims={claims} />}
      {(quotations.length > 0 || intro.testimonialsExample) && (
        <section className="mt-20 sm:mt-28">
          <h2 className="text-3xl">{intro.testimonialsTitle}</h2>
          {quotations.length === 0 && <p className="mt-4 max-w-text">{intro.testimonialsExample}</p>}
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
        {claims.map((claim) => (
          <div key={claim.key} className="flex flex-col-reverse justify-end">
            <dt className="mt-1 text-sm text-muted">
              {claim.wording}
              {isMarkedClaim(claim) && <ClaimMark />}
            </dt>
            <dd className="tabular font-display text-3xl font-semibold">{claim.figure}</dd>
          </div>
        ))}
      </dl>
      <ClaimNote claims={claims.filter(isMarkedClaim)} className="mt-3" />
    </section>
  );
}

function TestimonialSlip({ testimonial }: { readonly testimonial: Testimonial }) {
  const { name, company, rating, text } = testimonial;
  return (
    <figure className="border-t-2 border-line-strong py-5">
      {rating !== undefined && <Stars value={rating} label={`${rating} out of 5 stars`} />}
      <blockquote className="mt-3">“{text}”</blockquote>
      <figcaption className="mt-4 text-sm text-muted">
        <span className="font-semibold text-ink">{name}</span>, {company}
      </figcaption>
    </figure>
  );
}
