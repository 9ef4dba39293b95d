import { type FormEvent, useState } from 'react';
import { type Answers, buildAnswersFragment } from '../../core/assessment/answers.ts';
import type { Assessment, Question } from '../../core/assessment/assessment.schema.ts';
import { buildViewAddress } from '../../core/assessment/assessment-view.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { Icon } from '../../ui/icon.tsx';

type Copied = { readonly done: true } | { readonly done: false; readonly link: string };

/** Copies a link to the result, prints it, or starts over. The link has the answers in its fragment. */
export function ResultTools(props: {
  readonly copy: Assessment['copy']['results'];
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly linked: boolean;
  readonly onRetake: () => void;
}) {
  const { copy } = props;
  const [copied, setCopied] = useState<Copied | null>(null);
  const share = async () => {
    const fragment = buildAnswersFragment(props.answers, props.questions);
    const link = `${location.origin}${buildViewAddress({ name: 'results' })}#${fragment}`;
    try {
      await navigator.clipboard.writeText(link);
      setCopied({ done: true });
    } catch {
      setCopied({ done: false, link });
    }
  };
  const retake = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    props.onRetake();
  };
  return (
    <div className="mt-12 border-t-2 border-line-strong pt-6" data-print="hide">
      <div className="flex flex-wrap gap-3">
        <form method="get" action={ASSESSMENT_PATH} onSubmit={retake}>
          <button type="submit" className="button button-quiet">
            <Icon name="refresh" />
            {props.linked ? copy.own : copy.retake}
          </button>
        </form>
        <button type="button" className="button button-quiet noscript:hidden" onClick={() => void share()}>
          <Icon name="link" />
          {copy.share}
        </button>
        <button type="button" className="button button-quiet noscript:hidden" onClick={() => print()}>
          <Icon name="printer" />
          {copy.print}
        </button>
      </div>
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {copied?.done === true && copy.shared}
        {copied?.done === false && (
          <>
            {copy.shareFailed}: <span className="break-all select-all text-ink">{copied.link}</span>
          </>
        )}
      </p>
    </div>
  );
}
