import { buildAdvice } from '../../core/assessment/advice.ts';
import type { AssessmentAnswers } from '../../core/assessment/answers.ts';
import type { AssessmentView } from '../../core/assessment/assessment-view.ts';
import { buildComparison } from '../../core/assessment/comparison.ts';
import { AnswerList } from './answer-list.tsx';
import type { AssessmentContent } from './assessment-props.ts';
import { ComparisonTable } from './comparison-table.tsx';
import { NoteList } from './note-list.tsx';
import { ResultHead } from './result-head.tsx';
import { ResultTools } from './result-tools.tsx';

/** The recommendation with everything that can be checked about it. */
export function Results(props: {
  readonly content: AssessmentContent;
  readonly answers: AssessmentAnswers;
  /** Whether the answers came with a link and are somebody else's. */
  readonly linked: boolean;
  /** Global Privacy Control: links carry no answers. */
  readonly reduced: boolean;
  readonly onGo: (view: AssessmentView) => void;
  readonly onRetake: () => void;
}) {
  const { content, answers, linked } = props;
  const { results } = content.copy;
  const { outcome, challenges, plan } = buildAdvice(content, answers);
  return (
    <article className="results">
      {linked && (
        <p className="note mb-8" data-print="hide">
          {results.fromLink}
        </p>
      )}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1.25fr_0.75fr]">
        <ResultHead
          copy={results}
          outcome={outcome}
          answers={answers}
          disclosure={content.disclosure}
          reduced={props.reduced}
        />
        <AnswerList content={content} answers={answers} onGo={linked ? null : props.onGo} />
      </div>
      <section className="result-part">
        <h2 className="text-2xl">{results.why}</h2>
        <ol className="reasons">
          {outcome.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ol>
      </section>
      <NoteList title={results.challenges} notes={challenges} />
      <NoteList title={results.plan} notes={plan} />
      <section className="result-part">
        <h2 className="text-2xl">{results.stops}</h2>
        <p className="note">{outcome.stops}</p>
      </section>
      <ComparisonTable copy={results} rows={buildComparison(content, answers)} />
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
