import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claim.schema.ts';
import { StartForm } from './assessment-hero.tsx';
import { AssessmentProof } from './assessment-proof.tsx';

/** Below the first screen: how the assessment decides, its evidence, and a second start button. */
export function AssessmentDetails(props: {
  readonly intro: Assessment['copy']['intro'];
  readonly claims: ReadonlyMap<string, Claim>;
  readonly samples: 'show' | 'hide';
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
