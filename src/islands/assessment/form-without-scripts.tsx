import { NO_ANSWERS } from '../../core/assessment/answers.ts';
import type { AssessmentContent } from './assessment-props.ts';
import { QuestionForm } from './question-form.tsx';

/** The four questions under the intro, for visitors without scripts. */
export function FormWithoutScripts({ content }: { readonly content: AssessmentContent }) {
  const { form } = content.copy;
  return (
    <noscript>
      <section className="mt-16 border-t-2 border-line-strong pt-10">
        <h2 className="text-2xl">{form.title}</h2>
        <p className="mt-3 text-muted">{form.lead}</p>
        <QuestionForm
          content={content}
          answers={NO_ANSWERS}
          step={null}
          marked={false}
          titled={false}
          live={false}
        />
      </section>
    </noscript>
  );
}
