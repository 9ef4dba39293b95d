import { describeYear, MonthChart } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { Block, DataTable, FactRow } from '../frame/data-table.tsx';
import { EarnedAmount, formatAmounts, listAmounts, YoungNote } from '../frame/earned-table.tsx';
import { OperatorLink, PageNameCell } from '../frame/links.tsx';
import { LEGEND } from '../pages/view.tsx';
import { addFilter, buildConsoleAddress, buildRowsAddress, selectDays } from '../reports/addresses.ts';
import {
  formatDay,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatShortMoney,
  NO_FIGURE,
  nameMonth,
} from '../reports/format.ts';
import { describeRange, describeSites } from '../reports/names.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { CUSTOM_RANGE } from '../reports/range.ts';
import type { SetupStep } from '../start/steps.ts';
import type { readOverview } from './read.ts';
import { TaskList } from './task-list.tsx';
import type { readOverviewWithTasks } from './tasks.ts';

type OverviewModel = Awaited<ReturnType<typeof readOverview>>;
type WholeModel = Awaited<ReturnType<typeof readOverviewWithTasks>>;

/** The first view: the cash of the range, what to do, what was earned by month and page, and the account. */
export function OverviewView({ model }: ViewProps<WholeModel>) {
  const { query } = useFrame();
  const { tasks, today, hasCommission, steps, currency, months, arrived, isYoung } = model;
  const open = steps.filter(({ isDone }) => !isDone);
  const [next] = open;
  const list = tasks && <TaskList list={tasks} today={today} />;
  if (!hasCommission)
    return (
      <>
        <BeginningHeading model={model} />
        <SetupSteps steps={steps} />
        {list}
      </>
    );
  return (
    <>
      <Headline model={model} />
      <YoungNote arrived={arrived} isYoung={isYoung} />
      {list}
      <Block title="Earned by month" note={describeYear(months, currency)}>
        <MonthChart
          bars={months}
          currency={currency}
          label="Earned by month of the click"
          legend={LEGEND}
          toHref={(bar) => buildRowsAddress(selectDays(keepSite(query), bar), currency, 'expected')}
        />
      </Block>
      <div className="columns">
        <BestPages model={model} />
        <Account model={model} />
      </div>
      {tasks !== null && next !== undefined && (
        <p className="empty-note">
          {formatNumber(open.length)} first {open.length === 1 ? 'step is' : 'steps are'} open.{' '}
          <a href={next.link.href}>{next.title}</a>
        </p>
      )}
    </>
  );
}

/** The query without filters that the overview does not have. */
const keepSite = (query: ConsoleQuery): ConsoleQuery => ({
  ...query,
  filters: query.filters.filter(({ dimension }) => dimension === 'site'),
});

/** What arrived and what was spent; then what the clicks of the range have earned. */
function Headline({ model }: ViewProps<OverviewModel>) {
  const { query, viewer, names } = useFrame();
  const { cash, total, currency, isYoung, arrived } = model;
  const { received, reported, spent } = cash;
  const hasSpent = spent.some(({ amount }) => amount !== 0);
  const isReported = formatAmounts(reported) === formatAmounts(received);
  const range = describeRange(query);
  const foreign = [...received, ...spent].filter((one) => one.currency !== currency);
  const money = buildConsoleAddress('money', { range: query.range, from: query.from, to: query.to });
  const costs = buildConsoleAddress('campaigns', {}, { rest: ['costs'] });
  return (
    <>
      <h1 className="sentence">
        You received {formatAmounts(received)}
        {hasSpent && ` and spent ${formatAmounts(spent)}`} {range}
        {names.sites.size > 1 && ', with all sites'}.
      </h1>
      <p className="lead">
        Clicks of these {query.range === '28d' || query.range === CUSTOM_RANGE ? 'days' : 'months'}
        {names.sites.size > 1 && ` on ${describeSites(query, names).replace(/^All/, 'all')}`} have earned{' '}
        <OperatorLink href={buildRowsAddress(keepSite(query), currency, 'expected')}>
          <b>{formatAmounts(listAmounts(total, currency))}</b>
        </OperatorLink>{' '}
        so far{total.pending !== 0 && <>, {formatShortMoney(total.pending, currency)} of it pending</>}.
        {isYoung && arrived !== 0 && ' Most of it is still to come.'} {formatPeriod(query.from, query.to)}.{' '}
        {reported.some(({ amount }) => amount !== 0) && (
          <>
            Partners reported {isReported ? 'all that you received' : formatAmounts(reported)} as paid:{' '}
            <OperatorLink href={`${money}#payments`}>say when it arrived</OperatorLink>.{' '}
          </>
        )}
        {foreign[0] !== undefined ? (
          <OperatorLink href={`${buildConsoleAddress('settings')}#currency`}>
            Set a rate for {foreign[0].currency}
          </OperatorLink>
        ) : (
          cash.left !== null && hasSpent && <b>{formatShortMoney(cash.left, currency)} is left. </b>
        )}
        {!hasSpent && viewer.kind !== 'share' && <a href={costs}>Add costs</a>}
      </p>
    </>
  );
}

function BestPages({ model }: ViewProps<OverviewModel>) {
  const { query } = useFrame();
  const { pages, pageCount, currency } = model;
  const all = buildConsoleAddress('pages', { range: query.range, from: query.from, to: query.to });
  return (
    <Block
      title="Pages that earned most"
      links={<OperatorLink href={all}>All {formatNumber(pageCount)}</OperatorLink>}
    >
      <DataTable
        caption="Pages that earned most"
        columns={[
          { name: 'Page', render: ({ key }) => <PageNameCell page={key} /> },
          {
            name: 'Earned',
            isNumeric: true,
            onPhone: 'lead',
            render: (row) => (
              <EarnedAmount
                row={row}
                href={buildRowsAddress(addFilter(keepSite(query), 'page', row.key), currency, 'expected')}
              />
            ),
          },
          {
            name: 'Clicks',
            isNumeric: true,
            render: ({ clicks }) => (clicks === null ? NO_FIGURE : formatNumber(clicks)),
          },
          {
            name: 'A click',
            isNumeric: true,
            render: ({ click }) => (click === null ? NO_FIGURE : formatMoney(click, currency)),
          },
        ]}
        rows={pages}
        getKey={({ key }) => key}
        empty="No reader yet."
      />
    </Block>
  );
}

const NAMES = new Intl.ListFormat('en-US');

/** What arrived this month, what is due and what is overdue, by the day of the payment. */
function Account({ model }: ViewProps<OverviewModel>) {
  const { names } = useFrame();
  const { cash, thisMonth, today } = model;
  const name = (keys: readonly string[]) =>
    NAMES.format([...new Set(keys)].map((key) => names.partners.get(key) ?? key));
  const month = nameMonth(today);
  const overdue = cash.rows.filter(({ group }) => group === 'overdue');
  const likely = cash.likely.filter(({ amount }) => amount !== 0);
  return (
    <Block
      title="Your account"
      links={<OperatorLink href={buildConsoleAddress('money')}>Money</OperatorLink>}
    >
      <dl className="facts">
        <FactRow name={`Received in ${month}`}>
          <b>{formatAmounts(thisMonth.amounts)}</b>
          {thisMonth.payments.length > 0 && (
            <small>{name(thisMonth.payments.map(({ partner }) => partner))}</small>
          )}
        </FactRow>
        <FactRow name={cash.by === null ? 'Due' : `Due by ${formatDay(cash.by, today)}`}>
          <b>{formatAmounts(cash.due)}</b>
          {likely.length > 0 && (
            <small>and {formatAmounts(likely)} more is likely from pending commissions</small>
          )}
        </FactRow>
        {overdue.length > 0 && (
          <FactRow name="Overdue">
            <b className="text-danger">{formatAmounts(cash.overdue)}</b>
            <small>{name(overdue.map(({ partner }) => partner))}</small>
          </FactRow>
        )}
      </dl>
    </Block>
  );
}

function BeginningHeading({ model: { clicks, steps } }: ViewProps<OverviewModel>) {
  const count = `${formatNumber(clicks)} ${clicks === 1 ? 'click is' : 'clicks are'} stored`;
  return (
    <>
      <h1 className="sentence">
        {clicks === 0
          ? `From nothing to the first commission in ${steps.length === 10 ? 'ten' : steps.length} steps.`
          : `${count}. The first commission usually comes after 6 to 20 days.`}
      </h1>
      <p id="click-status" role="status" className="hidden-text" />
    </>
  );
}

const SETUP_CLASSES = {
  done: '[&_h3]:text-muted [&_h3]:weight-500',
  broken: '[&_h3]:text-ink [&_h3]:weight-600 [&_h3]:text-[1.19rem] [&_p]:text-danger',
  next: '[&_h3]:text-ink [&_h3]:weight-600 [&_h3]:text-[1.19rem]',
  open: '[&_h3]:text-ink [&_h3]:weight-600',
} as const;
const MARK_CLASSES = {
  done: 'border-2 border-positive bg-positive text-surface',
  broken: 'border-2 border-danger text-danger',
  next: 'border-5 border-accent',
  open: 'border-2 border-muted',
} as const;

/** The steps, each ticked by what is there; the next one is open. */
function SetupSteps({ steps }: { readonly steps: readonly SetupStep[] }) {
  const next = steps.find(({ isBroken }) => isBroken) ?? steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Block
      title="Steps to the first commission"
      id="steps"
      note={`${done} of ${steps.length} are done. Each ticks itself.`}
    >
      <ol>
        {steps.map((step) => {
          const { title, note, isDone, isBroken, awaitsClick, link } = step;
          const state = isDone ? 'done' : isBroken ? 'broken' : step === next ? 'next' : 'open';
          return (
            <li
              key={title}
              className={`setup-step ${SETUP_CLASSES[state]}`}
              data-awaits-click={awaitsClick || undefined}
            >
              <span
                className={`grid place-items-center size-[1.3rem] rounded-full text-[.8rem] weight-650 ${MARK_CLASSES[state]}`}
                aria-hidden="true"
              >
                {isDone ? '✓' : isBroken ? '!' : ''}
              </span>
              <div>
                <h3>
                  {title}
                  <span className="hidden-text">
                    {isDone ? ', done' : isBroken ? ', to repair' : ', to do'}
                  </span>
                </h3>
                {!isDone && <p>{note}</p>}
              </div>
              {!isDone && (
                <a className={step === next ? 'button' : 'inline-block min-h-6 text-accent'} href={link.href}>
                  {link.text}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </Block>
  );
}
