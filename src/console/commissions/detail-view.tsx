import { Fragment, type ReactNode } from 'react';
import { type FrozenJourney, listSourceNames } from '../../core/commissions/credit/credit.ts';
import { CONFLICT_TEXTS } from '../../core/commissions/ledger/build-ledger.ts';
import type { ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, FactRow } from '../frame/data-table.tsx';
import { CommissionLink, TitledPage } from '../frame/links.tsx';
import { addFilter, buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay, formatDuration } from '../reports/format.ts';
import { describeAnswers, SOURCE_NAMES, UNMATCHED_NAMES } from '../reports/names.ts';
import { describeSchedule } from '../reports/payments.ts';
import type { buildCommissionDetail, TimelineStep } from './read.ts';

type CommissionDetailModel = ReturnType<typeof buildCommissionDetail>;

type DetailProps = ViewProps<CommissionDetailModel>;

/** One commission: what it is worth, what led to it, what the network reported. */
export function CommissionDetail({ model }: DetailProps) {
  const { row, siblings, messages } = model;
  const { status, kind, id } = row;
  const { names } = useFrame();
  return (
    <>
      <p className="back-link">
        <a href={buildConsoleAddress('commissions')}>‹ Commissions</a>
      </p>
      <h1 className="view-title">
        {names.partners.get(row.partner) ?? row.partner}, {kind} {id}
      </h1>
      <div className="columns items-start">
        <div>
          <div className="amount-title">
            <CommissionAmount row={{ ...row, converted: null }} />
          </div>
          <p className="pt-[.4rem] pb-4">
            <StatusTag status={status} /> booked <TimeText time={row.bookedAt} />
            {row.clickedAt !== null && `, ${formatDuration(row.bookedAt - row.clickedAt)} after the click`}
            {!row.isCounted && (row.isDismissed ? ', dismissed' : ', not counted')}
          </p>
          <Chain model={model} />
        </div>
        <CommissionTimeline steps={model.timeline} />
      </div>
      {siblings.length > 0 && (
        <Block title="Other commissions of the same click">
          <ul className="plain-list">
            {siblings.map((other) => (
              <li key={`${other.account} ${other.id}`}>
                <CommissionLink row={other} /> <CommissionAmount row={other} />{' '}
                <StatusTag status={other.status} /> <TimeText time={other.bookedAt} />
              </li>
            ))}
          </ul>
        </Block>
      )}
      <NetworkMessages messages={messages} />
    </>
  );
}

function NetworkMessages({ messages }: { readonly messages: CommissionDetailModel['messages'] }) {
  return (
    <Block title="Messages of the network" note="Stored for 30 days, without personal fields.">
      {messages.length === 0 ? (
        <p className="empty-note">
          No message is stored any more, or the reports came from a file or an API.
        </p>
      ) : (
        messages.map(({ arrivedAt, content }) => (
          <details key={`${arrivedAt} ${content}`} className="raw-message" open={messages.length === 1}>
            <summary>
              Arrived <TimeText time={arrivedAt} />
            </summary>
            <pre>{content}</pre>
          </details>
        ))
      )}
    </Block>
  );
}

/** The chain from the commission back to the click, the page, the campaign and the answers. */
function Chain({ model: { row, journey, token, saleAmount, schedule, today } }: DetailProps) {
  const { query, names } = useFrame();
  return (
    <dl className="facts">
      {row.converted !== null && (
        <FactRow name="Converted">
          <ConvertedFact row={row} />
        </FactRow>
      )}
      {saleAmount !== null && (
        <FactRow name="Sale">
          <MoneyAmount amount={saleAmount} currency={row.currency} />
        </FactRow>
      )}
      {schedule !== null && (
        <FactRow name="Payment">
          {describePayment(schedule, today)}.{' '}
          <a href={buildConsoleAddress('partners', addFilter(query, 'partner', row.partner))}>
            All payments of {names.partners.get(row.partner) ?? row.partner}
          </a>
        </FactRow>
      )}
      {row.conflicts.length > 0 && (
        <FactRow name="To check">
          {row.conflicts.map((conflict) => CONFLICT_TEXTS[conflict]).join('; ')}
        </FactRow>
      )}
      <FactRow name="Number of the click">{token === '' ? 'not reported' : <code>{token}</code>}</FactRow>
      {journey === null ? (
        <FactRow name="Click">
          none found{row.reason !== null && ` (${UNMATCHED_NAMES[row.reason]})`}.{' '}
          <a href={buildConsoleAddress('unmatched')}>Assign it</a>
        </FactRow>
      ) : (
        <JourneyFacts journey={journey} row={row} token={token} />
      )}
    </dl>
  );
}

/** The click, and how the visitor came to it. */
function JourneyFacts(props: {
  readonly journey: NonNullable<CommissionDetailModel['journey']>;
  readonly row: CommissionDetailModel['row'];
  readonly token: string;
}) {
  const { journey, row, token } = props;
  const { query } = useFrame();
  const link = (
    dimension: 'page' | 'placement' | 'campaign' | 'source',
    value: string,
    text: ReactNode = value,
  ) => {
    const view = dimension === 'placement' ? 'pages' : (`${dimension}s` as const);
    return <a href={buildConsoleAddress(view, addFilter(query, dimension, value))}>{text}</a>;
  };
  return (
    <>
      <FactRow name="Click">
        <TimeText time={journey.clickTime} /> to {journey.destination || '(unknown)'}
        {journey.flags !== undefined && (
          <small>flagged as {journey.flags.join(', ')}: not counted among the clicks</small>
        )}
        {journey.clickId !== token && (
          <small>
            <code>{journey.clickId}</code>
          </small>
        )}
      </FactRow>
      <FactRow name="Page">{link('page', journey.page, <TitledPage page={journey.page} />)}</FactRow>
      <FactRow name="Placement">
        {link(
          'placement',
          `${journey.page} ${journey.placement || '(none)'}`,
          describePlacement(journey.placement),
        )}
        {isOwnLabel(journey) && `, “${journey.label}”`}
      </FactRow>
      <FactRow name="Campaign">{link('campaign', row.campaign ?? '')}</FactRow>
      <FactRow name="Source">
        {listSourceNames(journey.sources).map((name, index) => (
          <span key={name}>
            {index > 0 && ' → '}
            {link('source', name)}
          </span>
        ))}
      </FactRow>
      <FactRow name="Journey">
        <Steps pages={journey.pages.length > 0 ? journey.pages : [journey.page]} />
        {journey.isFree && <small>without journey: the pages between are not known</small>}
      </FactRow>
      <FactRow name="Answers">
        <Answers answers={journey.answers} />
      </FactRow>
      {journey.experimentArm !== '' && <FactRow name="Experiment">{journey.experimentArm}</FactRow>}
    </>
  );
}

/** The amount in the currency of the totals, with the rate and its day. */
function ConvertedFact({
  row: { converted, currency, status },
}: {
  readonly row: CommissionDetailModel['row'];
}) {
  if (converted === null) return null;
  if (converted === 'no-rate')
    return 'There is no rate of its day or of the seven days before: it is in no total of all currencies.';
  const { amount, reversedAmount, currency: total, rate, day } = converted;
  return (
    <>
      <MoneyAmount amount={status === 'reversed' ? reversedAmount : amount} currency={total} />
      <small>
        1 {currency} = {rate} {total}, the rate of {formatDay(day, '')}
      </small>
    </>
  );
}

/** What becomes of the money, with its day. */
function describePayment(schedule: ScheduledDue, today: string): string {
  const text = describeSchedule(schedule, today);
  if (schedule.day === null) return text;
  const day = formatDay(schedule.day, today);
  if (schedule.state !== 'due') return `${text}, ${day}`;
  return text === 'payment' ? `payment on ${day}` : `payment on ${day}, ${text}`;
}

/** Whether the label of a click says more than where it led. */
function isOwnLabel({ label, partner, destination }: FrozenJourney): boolean {
  return label !== '' && label !== `${partner}_${destination}`;
}

function Answers({ answers }: { readonly answers: FrozenJourney['answers'] }) {
  const described = describeAnswers(useFrame().names, answers);
  if (described.length === 0) return 'no assessment';
  return described.map(({ field, question, answer }) => (
    <span key={field} className="[display:block] [&+&]:mt-[.35rem]">
      <small>{question}</small> {answer}
    </span>
  ));
}

/** The pages of a journey in their order. */
function Steps({ pages }: { readonly pages: readonly string[] }) {
  return pages.map((page, index) => (
    <Fragment key={page}>
      {index > 0 && ' → '}
      <TitledPage page={page} />
    </Fragment>
  ));
}

const STEP_NAMES: Readonly<Record<Exclude<TimelineStep['kind'], 'message'>, string>> = {
  click: 'Click stored',
  assign: 'Assigned to a click by an operator',
  match: 'Click found later',
  dismiss: 'Dismissed by an operator',
  reset: 'Decision undone',
};

function CommissionTimeline({ steps }: { readonly steps: readonly TimelineStep[] }) {
  return (
    <Block title="What happened">
      <ol className="timeline">
        {steps.map((step) => (
          <li key={step.key} data-conflict={step.isConflict || undefined}>
            <StepName step={step} />
            <small>
              <TimeText time={step.stated ?? step.time} />
              {step.source !== null && ` · ${SOURCE_NAMES[step.source]}`}
              {step.kind === 'message' && step.stated === null && ', no time stated'}
              {step.stated !== null && Math.abs(step.arrivedAt - step.stated) > 60_000 && (
                <>
                  , arrived <TimeText time={step.arrivedAt} />
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
      {amount === null && ', no amount stated'}
      {amount !== null && amount !== 0 && (
        <>
          , <MoneyAmount amount={amount} currency={currency} />
        </>
      )}
    </span>
  );
}
