import { computeProgress } from '../../core/assessment/assessment-view.ts';

/** Where the visitor is: "Step 2 of 4", said aloud when it changes, and a bar from 0 to 100. */
export function StepBar(props: { readonly text: string; readonly step: number; readonly steps: number }) {
  return (
    <div className="noscript:hidden">
      <p id="step-text" role="status" className="n text-sm text-muted">
        {props.text}
      </p>
      <progress
        aria-labelledby="step-text"
        className="step-progress"
        max={100}
        value={computeProgress(props.step, props.steps)}
      />
    </div>
  );
}
