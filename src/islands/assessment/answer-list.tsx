import type { MouseEvent } from 'react';
import { type Answers, listChosen } from '../../core/assessment/answers.ts';
import { type AssessmentView, buildViewAddress } from '../../core/assessment/assessment-view.ts';
import type { AssessmentContent } from './assessment-props.ts';

/** The answers behind the result, each with a link to its question; without links when they came with a shared link. */
export function AnswerList(props: {
  readonly content: AssessmentContent;
  readonly answers: Answers;
  readonly onGo: ((view: AssessmentView) => void) | null;
}) {
  const { content, answers, onGo } = props;
  const { questions, copy } = content;
  return (
    <section aria-labelledby="answers-title" className="answer-slip">
      <h2 id="answers-title" className="text-sm tracking-normal text-muted">
        {copy.results.answersTitle}
      </h2>
      <dl>
        {questions.map((question, index) => {
          const { field, title } = question;
          const view: AssessmentView = { name: 'step', step: index + 1 };
          const open = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onGo?.(view);
          };
          return (
            <div key={field} className="border-t border-line py-3">
              <dt className="flex justify-between gap-4 text-sm text-muted">
                {title}
                {onGo !== null && (
                  <a
                    href={buildViewAddress(view)}
                    onClick={open}
                    data-print="hide"
                    className="py-1 text-accent"
                  >
                    {copy.results.change}
                    <span className="sr-only"> {title}</span>
                  </a>
                )}
              </dt>
              {listChosen(answers, question).map(({ key, label }) => (
                <dd key={key} className="tabular py-0.5 leading-snug font-semibold">
                  {label}
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </section>
  );
}
