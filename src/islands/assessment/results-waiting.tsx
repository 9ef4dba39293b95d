import { NO_ANSWERS } from '../../core/assessment/answers.ts';
import type { AssessmentContent } from './assessment-props.ts';
import { QuestionForm } from './question-form.tsx';

/** Stands where a result will, until the browser has read the answers; without scripts, the form that gives one. */
export function ResultsWaiting({ content }: { readonly content: AssessmentContent }) {
  const { results } = content.copy;
  return (
    <div className="min-h-[80vh]">
      <p className="text-lg text-muted noscript:hidden">{results.waiting}</p>
      <noscript>
        <p className="note mb-8">{results.noScript}</p>
        <QuestionForm content={content} answers={NO_ANSWERS} step={null} marked={false} titled live={false} />
      </noscript>
    </div>
  );
}
