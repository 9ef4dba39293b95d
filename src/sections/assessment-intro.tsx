import { NO_ANSWERS } from '../core/assessment/answers.ts';
import type { Assessment } from '../core/content/assessment.schema.ts';
import type { Claim } from '../core/content/claim.schema.ts';
import { QuestionForm } from '../islands/assessment/question-form.tsx';
import { AssessmentProof } from './assessment-proof.tsx';
import { AssessmentSigns } from './assessment-signs.tsx';

/** The assessment's front: what it is, how it decides, what stands behind it, and two ways in. */
export function AssessmentIntro(props: {
  readonly assessment: Assessment;
  readonly claims: ReadonlyMap<string, Claim>;
  /** Whether the intro is what the address asks for: then the form stands in it for visitors without scripts. */
  readonly withForm: boolean;
}) {
  const { assessment, claims } = props;
  const { intro, form } = assessment.copy;
  return (
    <>
      <section className="grid items-center gap-x-16 gap-y-10 md:grid-cols-[1.15fr_0.85fr]">
        <div>
          <h1 className="text-5xl">{intro.headline}</h1>
          <p className="mt-6 max-w-text text-lg text-muted">{intro.lead}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartForm label={intro.start} />
            <form method="get" action="/assessment" data-resume className="invisible noscript:hidden">
              <input type="hidden" name="step" value="results" />
              <button type="submit" className="button button-quiet">
                {intro.resume}
              </button>
            </form>
          </div>
          <p className="mt-5 max-w-text text-sm text-muted">{intro.promise}</p>
        </div>
        <AssessmentSigns signs={intro.signs} />
      </section>
      {props.withForm && (
        <noscript>
          <section className="mt-16 border-t-2 border-line-strong pt-10">
            <h2 className="text-2xl">{form.title}</h2>
            <p className="mt-3 text-muted">{form.lead}</p>
            <QuestionForm
              content={assessment}
              answers={NO_ANSWERS}
              step={null}
              marked={false}
              titled={false}
              live={false}
            />
          </section>
        </noscript>
      )}
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
      <AssessmentProof intro={intro} claims={claims} />
      <section className="mt-20 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 border-t-2 border-line-strong pt-10">
        <h2 className="max-w-text text-3xl">{intro.closing}</h2>
        <StartForm label={intro.start} />
      </section>
    </>
  );
}

function StartForm({ label }: { readonly label: string }) {
  return (
    <form method="get" action="/assessment">
      <input type="hidden" name="step" value="1" />
      <button type="submit" className="button button-primary">
        {label}
      </button>
    </form>
  );
}
