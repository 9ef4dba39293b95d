import { MoneyChart } from '../charts/money-chart.tsx';
import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { Block } from '../frame/block.tsx';
import type { OverviewModel, SetupStep } from './overview-model.ts';

/** The overview before the first commission: the way from a link to money in four steps, with what is done. */
export function SetupSteps(props: {
  readonly model: OverviewModel;
  readonly steps: readonly SetupStep[];
  readonly frame: ConsoleFrame;
}) {
  const { model, steps, frame } = props;
  const { buckets, currency } = model;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const hasClicks = buckets.some(({ clicks }) => (clicks ?? 0) > 0);
  return (
    <>
      <h1 className="sentence">
        No money yet. <span className="soft">Four steps lead from a link to a commission.</span>
      </h1>
      <ol className="setup-steps">
        {steps.map(({ title, note, isDone, link }, index) => (
          <li key={title} className={isDone ? 'setup-step setup-done' : 'setup-step'}>
            <span className="setup-mark" aria-hidden="true">
              {isDone ? '✓' : index + 1}
            </span>
            <div>
              <h2>
                {title}
                <span className="hidden-text">{isDone ? ', done' : ', to do'}</span>
              </h2>
              <p>{note}</p>
              {index >= next && link !== null && frame.navigation.some(({ view }) => view === link.view) && (
                <p>
                  <a className="setup-link" href={buildConsoleAddress(link.view)}>
                    {link.text}
                  </a>
                </p>
              )}
              {index === next && <p className="setup-next">Next</p>}
            </div>
          </li>
        ))}
      </ol>
      {hasClicks && (
        <Block title="Clicks so far" note="Money joins them here as soon as a network reports it.">
          <MoneyChart buckets={buckets} currency={currency} youngShare={null} annotations={[]} />
        </Block>
      )}
    </>
  );
}
