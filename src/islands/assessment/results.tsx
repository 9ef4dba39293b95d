import type { Answers } from '../../core/assessment/answers.ts';
import type { AssessmentView } from '../../core/assessment/assessment-view.ts';
import { buildAdvice, buildComparison } from '../../core/assessment/recommend-platform.ts';
import { AnswerList } from './answer-list.tsx';
import type { AssessmentContent } from './assessment-props.ts';
import { OutcomeTable } from './outcome-table.tsx';
import { ResultHead } from './result-head.tsx';
import { ResultLink } from './result-link.tsx';
import { ResultTools } from './result-tools.tsx';

/** The recommendation with everything that can be checked about it. */
export function Results(props: {
  readonly content: AssessmentContent;
  readonly answers: Answers;
  /** Whether the answers came with a link and are another visitor's. */
  readonly linked: boolean;
  /** Global Privacy Control: links carry no answers. */
  readonly gpc: boolean;
  readonly onGo: (view: AssessmentView) => void;
  readonly onRetake: () => void;
}) {
  const { content, answers, linked } = props;
  const { results } = content.copy;
  const { outcome, challenges, plan } = buildAdvice(content, answers);
  const link = { outcome, answers, href: content.hrefs[outcome.key] ?? '', gpc: props.gpc };
  return (
    <article className="results">
      {linked && (
        <p className="note mb-8" data-print="hide">
          {results.fromLink}
        </p>
      )}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1.25fr_0.75fr]">
        <ResultHead copy={results} disclosure={content.disclosure} {...link} />
        <AnswerList content={content} answers={answers} onGo={linked ? null : props.onGo} />
      </div>
      <section className="result-part">
        <h2 className="text-2xl">{results.why}</h2>
        <div>
          <ol className="reasons">
            {outcome.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ol>
          <p className="mt-6" data-print="hide">
            <ResultLink {...link} position="reasons" />
          </p>
        </div>
      </section>
      <NoteList title={results.challenges} notes={challenges} />
      <NoteList title={results.plan} notes={plan} />
      <section className="result-part">
        <h2 className="text-2xl">{results.stops}</h2>
        <p className="note">{outcome.stops}</p>
      </section>
      <OutcomeTable copy={results} rows={buildComparison(content, answers)} />
      <p className="mt-10" data-print="hide">
        <ResultLink {...link} position="end" />
      </p>
      <ResultTools
        copy={results}
        questions={content.questions}
        answers={answers}
        linked={linked}
        onRetake={props.onRetake}
      />
    </article>
  );
}

/** Notes on single answers: the answer on the left, the note beside it. */
function NoteList(props: {
  readonly title: string;
  readonly notes: readonly { readonly label: string; readonly text: string }[];
}) {
  return (
    <section className="result-part">
      <h2 className="text-2xl">{props.title}</h2>
      <dl>
        {props.notes.map(({ label, text }) => (
          <div key={label} className="ledger-row">
            <dt className="tabular font-semibold">{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
