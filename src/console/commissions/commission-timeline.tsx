import { SOURCE_NAMES } from '../figures/console-names.ts';
import { Block } from '../frame/block.tsx';
import { MoneyAmount } from '../frame/money-amount.tsx';
import { TimeText } from '../frame/time-text.tsx';
import type { TimelineStep } from './commission-detail-model.ts';

const STEP_NAMES: Readonly<Record<Exclude<TimelineStep['kind'], 'message'>, string>> = {
  click: 'Click stored',
  assign: 'Assigned to a click by an operator',
  match: 'Click found later',
  dismiss: 'Dismissed by an operator',
  reset: 'Decision undone',
};

/** What happened to a commission, oldest first. */
export function CommissionTimeline(props: {
  readonly steps: readonly TimelineStep[];
  readonly timeZone: string;
}) {
  const { steps, timeZone } = props;
  return (
    <Block title="What happened">
      <ol className="timeline">
        {steps.map((step, index) => (
          // Two messages may report the same at the same time.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
          <li key={index} data-conflict={step.isConflict || undefined}>
            <StepName step={step} />
            <small>
              <TimeText time={step.time} timeZone={timeZone} />
              {step.source !== null && ` · ${SOURCE_NAMES[step.source]}`}
              {step.kind === 'message' && step.arrivedAt - step.time > 60_000 && (
                <>
                  , arrived <TimeText time={step.arrivedAt} timeZone={timeZone} />
                </>
              )}
              {step.isConflict && ' · contradicts a newer report, not applied'}
            </small>
          </li>
        ))}
      </ol>
    </Block>
  );
}

function StepName({ step: { kind, status, amount, currency } }: { readonly step: TimelineStep }) {
  if (kind !== 'message') return <span>{STEP_NAMES[kind]}</span>;
  return (
    <span>
      Reported as {status}
      {amount !== null && amount !== 0 && (
        <>
          , <MoneyAmount amount={amount} currency={currency} />
        </>
      )}
    </span>
  );
}
