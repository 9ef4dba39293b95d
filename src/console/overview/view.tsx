import type { ReactNode } from 'react';
import { getEarned } from '../../core/commissions/metric-definitions.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { MoneyChart, Sparkline } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MetricName, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block } from '../frame/data-table.tsx';
import { CsvLink, OperatorLink, TitledPage } from '../frame/links.tsx';
import { BookedLine } from '../frame/verdict.tsx';
import { listOthers } from '../partners/payments-view.tsx';
import {
  addFilter,
  buildCommissionAddress,
  buildConsoleAddress,
  buildRowsAddress,
} from '../reports/addresses.ts';
import { getCampaignModel } from '../reports/breakdown.ts';
import {
  formatChosenPeriod,
  formatNumber,
  formatShare,
  formatShortMoney,
  NO_FIGURE,
} from '../reports/format.ts';
import { CLOCK_NAMES, MODEL_NAMES } from '../reports/names.ts';
import { buildPaymentFinding } from '../reports/payments.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { RANGE_PRESETS } from '../reports/range.ts';
import { buildSourceAddress } from '../sources/changes.ts';
import { SourceChangeLines } from '../sources/view.tsx';
import type { SetupStep } from '../start/steps.ts';
import { HeadlineFigures, TopCampaigns, TopPages, TopPlacements } from './headline.tsx';
import type { readOverview } from './read.ts';
import { TaskList } from './task-list.tsx';
import type { readOverviewWithTasks } from './tasks.ts';

type OverviewModel = Awaited<ReturnType<typeof readOverview>>;

/** The first view: a sentence, the figures, the money by day, what earned it, what needs attention. */
export function OverviewView({ model }: ViewProps<Awaited<ReturnType<typeof readOverviewWithTasks>>>) {
  const { query, viewer } = useFrame();
  const { buckets, currency, immatureShare, annotations, unit, tasks, today, beginning } = model;
  const clock = CLOCK_NAMES[query.clock].toLowerCase();
  const list = tasks && <TaskList list={tasks} today={today} />;
  if (beginning !== null)
    return (
      <>
        <Beginning model={model} beginning={beginning} />
        {list}
      </>
    );
  return (
    <>
      <OverviewSentence model={model} />
      {list}
      <SourceChangeLines changes={model.sourceChanges} />
      <HeadlineFigures model={model} />
      <BookedLine booked={model.booked} />
      <Block
        title={`Money by ${clock}`}
        note={
          query.clock === 'click'
            ? `Each bar is what the clicks of that ${unit} have earned so far.`
            : `Each bar is what was booked ${unit === 'day' ? 'on' : 'in'} that ${unit}.`
        }
        links={<CsvLink />}
      >
        <MoneyChart
          buckets={buckets}
          currency={currency}
          immatureShare={immatureShare}
          annotations={annotations}
        />
      </Block>
      <Payments model={model} />
      <BestEarners model={model} />
      {viewer.kind !== 'share' && <LatestCommissions model={model} />}
    </>
  );
}

/** What earned the money of the period: pages, placements and campaigns. */
function BestEarners({ model }: ViewProps<Awaited<ReturnType<typeof readOverviewWithTasks>>>) {
  const { query, viewer } = useFrame();
  const clock = CLOCK_NAMES[query.clock].toLowerCase();
  const all = (view: 'pages' | 'placements' | 'campaigns', text: string) =>
    viewer.kind === 'share' ? undefined : (
      <a href={buildConsoleAddress(view, { ...query, sort: null })}>{text}</a>
    );
  return (
    <>
      <Block
        title="Pages"
        note={`Money by ${clock}${model.maxEpc > 0 ? ', ordered by what a click earns at least, in 9 of 10 cases' : ''}.`}
        links={all('pages', 'All pages')}
      >
        <TopPages model={model} />
      </Block>
      <div className="columns">
        <Block title="Places" note={`by expected money, ${clock}`} links={all('placements', 'All places')}>
          <TopPlacements model={model} />
        </Block>
        <Block
          title="Campaigns"
          note={`${MODEL_NAMES[getCampaignModel(query)].toLowerCase()}, ${clock}`}
          links={all('campaigns', 'All campaigns')}
        >
          <TopCampaigns model={model} verdicts={model.verdicts} />
        </Block>
      </div>
    </>
  );
}

const PARTNER_NAMES = new Intl.ListFormat('en-US');

/** What is expected in the next 60 days, what was paid in the last 60, and the open money that is not in it. */
function Payments({ model }: ViewProps<OverviewModel>) {
  const { names, query } = useFrame();
  const plain = { ...query, sort: null };
  const { outlook, otherCurrencies } = model.payments;
  const { currency, others, paid, expected } = outlook;
  if (paid === 0 && expected === 0 && others.size === 0 && otherCurrencies.length === 0) return null;
  const nameAll = (keys: readonly string[]) =>
    PARTNER_NAMES.format(keys.map((key) => names.partners.get(key) ?? key));
  const late = (['payment overdue', 'approval overdue'] as const).flatMap((state) => {
    const money = others.get(state);
    return money === undefined ? [] : [{ ...money, state, amount: money.approved + money.pending }];
  });
  const waiting = listOthers(others).map(
    ({ text, amount, partners }) => `${formatShortMoney(amount, currency)} ${text} (${nameAll(partners)})`,
  );
  const href = `${buildConsoleAddress('partners', plain)}#payments`;
  return (
    <Block
      title="Payments"
      note="What is booked already, by the terms of the partners; pending money by the approval rate. Expected adds what present customers and clicks still bring."
      links={
        <>
          <OperatorLink href={buildConsoleAddress('expected')}>Expected by month</OperatorLink>
          <OperatorLink href={href}>All payments</OperatorLink>
        </>
      }
    >
      {late.map(({ state, amount, partners }) => (
        <p key={state} className="late-money">
          <OperatorLink href={buildConsoleAddress('commissions', plain, { extra: { payment: state } })}>
            <b className="text-danger weight-600">{formatShortMoney(amount, currency)}</b>
          </OperatorLink>{' '}
          {state === 'payment overdue' ? 'should have been paid by' : 'should have been approved by'}{' '}
          {nameAll(partners)}.
        </p>
      ))}
      <p className="pt-[.6rem]">{buildPaymentFinding(outlook, names.partners)}</p>
      {waiting.length > 0 && <p className="empty-note">Not in these 60 days: {waiting.join('; ')}.</p>}
      {otherCurrencies.length > 0 && (
        <p className="empty-note">
          In other currencies: {otherCurrencies.map(describeOtherCurrency).join('; ')}.
        </p>
      )}
    </Block>
  );
}

function describeOtherCurrency(sums: OverviewModel['payments']['otherCurrencies'][number]): string {
  const money = (amount: number) => formatShortMoney(amount, sums.currency);
  const open = sums.open === 0 ? '' : `, ${money(sums.open)} without a day in them`;
  return `${money(sums.expected)} expected in the next 60 days${open}, ${money(sums.paid)} paid`;
}

interface BeginningProps extends ViewProps<OverviewModel> {
  readonly beginning: NonNullable<OverviewModel['beginning']>;
}

/** The overview before the first commission: where the way to it stands, its steps, and what there is to see already. */
function Beginning({ model, beginning }: BeginningProps) {
  const { steps } = beginning;
  const broken = steps.find(({ isBroken }) => isBroken);
  const next = broken ?? steps.find(({ isDone }) => !isDone);
  return (
    <>
      <h1 className="sentence">
        No commission yet. <span className="text-muted">{next?.note}</span>
      </h1>
      <SetupSteps steps={steps} next={next} />
      <p id="click-status" role="status" className="hidden-text" />
      <BeginningFigures model={model} beginning={beginning} />
    </>
  );
}

/** Visits, clicks, and what brought most of them. */
function BeginningFigures({ model, beginning }: BeginningProps) {
  const { query } = useFrame();
  const { visits, source, page } = beginning;
  const { clicks } = model.figures;
  const plain = { ...query, sort: null };
  const note = (of: { readonly clicks: number | null }, views: number | null, name: string) =>
    (of.clicks ?? 0) > 0
      ? `${formatNumber(of.clicks ?? 0)} ${of.clicks === 1 ? 'click' : 'clicks'}`
      : `${formatNumber(views ?? 0)} ${name}`;
  return (
    <ul className="figures beginning" aria-label="Figures of the period">
      <li className="figure">
        <MetricName metric="visits" />
        <b className="figure-value">
          <Figure view="sources" href={buildConsoleAddress('sources', plain)}>
            {visits === null ? NO_FIGURE : formatNumber(visits)}
          </Figure>
        </b>
        <span className="flex-1">{describePeriod(query)}</span>
      </li>
      <li className="figure">
        <MetricName metric="clicks" />
        <b className="figure-value">
          <Figure view="placements" href={buildConsoleAddress('placements', plain)}>
            {clicks === null ? NO_FIGURE : formatNumber(clicks)}
          </Figure>
        </b>
        <span className="flex-1">to partners</span>
        {clicks !== null && (
          <Sparkline values={model.buckets.map((bucket) => bucket.clicks ?? 0)} width={104} />
        )}
      </li>
      <BestFigure name="Best source" note={source && note(source, source.visits, 'visits')}>
        {source && (
          <Figure view="sources" href={buildSourceAddress(source.name, plain)}>
            {source.name}
          </Figure>
        )}
      </BestFigure>
      <BestFigure name="Best page" note={page && note(page, page.views, 'views')}>
        {page && (
          <Figure view="pages" href={buildConsoleAddress('pages', addFilter(plain, 'page', page.key))}>
            {page.title ?? page.key}
          </Figure>
        )}
      </BestFigure>
    </ul>
  );
}

function BestFigure(props: {
  readonly name: string;
  readonly note: string | null;
  readonly children: ReactNode;
}) {
  return (
    <li className="figure">
      <span>{props.name}</span>
      <b className="figure-value figure-name">{props.children ?? NO_FIGURE}</b>
      <span className="flex-1">{props.note}</span>
    </li>
  );
}

const SETUP_CLASSES = {
  done: 'setup-step setup-done',
  broken: 'setup-step setup-broken',
  next: 'setup-step setup-next',
  open: 'setup-step',
} as const;

/** The steps, each ticked by what is there; the next one is open. */
function SetupSteps(props: { readonly steps: readonly SetupStep[]; readonly next: SetupStep | undefined }) {
  const { steps, next } = props;
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
            <li key={title} className={SETUP_CLASSES[state]} data-awaits-click={awaitsClick || undefined}>
              <span className="setup-mark" aria-hidden="true">
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
                <a className={step === next ? 'button' : 'setup-link'} href={link.href}>
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

/** What happened, as a sentence: every figure in it leads to the rows that it comes from. */
function OverviewSentence({ model }: ViewProps<OverviewModel>) {
  const { figures, currency, best } = model;
  const { query } = useFrame();
  const money = (amount: number) => formatShortMoney(amount, currency);
  const plain = { ...query, sort: null };
  const isOnePage = query.filters.some(({ dimension, isNot }) => dimension === 'page' && !isNot);
  return (
    <h1 className="sentence">
      <Figure view="commissions" href={buildRowsAddress(query, currency, 'confirmed')}>
        {money(getEarned(figures))} confirmed
      </Figure>{' '}
      and{' '}
      <Figure view="commissions" href={buildRowsAddress(query, currency, 'pending')}>
        {money(figures.pending)} pending
      </Figure>
      {query.clock === 'booking' && ` were booked ${describePeriod(query)}`}
      {figures.clicks !== null && (
        <>
          {query.clock === 'click' ? ' from ' : ', with '}
          <Figure view="placements" href={buildConsoleAddress('placements', plain)}>
            {formatNumber(figures.clicks)} {figures.clicks === 1 ? 'click' : 'clicks'}
          </Figure>
        </>
      )}
      {query.clock === 'click' && ` ${describePeriod(query)}`}.{' '}
      <span className="text-muted [&_a]:text-ink [&_b]:text-ink">
        {figures.matchRate !== null && (
          <>
            <Figure view="unmatched" href={buildConsoleAddress('unmatched')}>
              {formatShare(figures.matchRate)}
            </Figure>{' '}
            of the money found its click.{' '}
          </>
        )}
        {best !== null && !isOnePage && (
          <>
            <Figure view="pages" href={buildConsoleAddress('pages', addFilter(plain, 'page', best.page.key))}>
              {best.page.title ?? best.page.key}
            </Figure>{' '}
            {best.share > 0.5 ? 'earned most of it.' : `earned ${formatShare(best.share)} of it.`}
          </>
        )}
      </span>
    </h1>
  );
}

/** A figure; a link when the viewer may open its view. */
function Figure(props: {
  readonly view: ConsoleViewKey;
  readonly href: string;
  readonly children: ReactNode;
}) {
  const { view, href, children } = props;
  const isOpen = useFrame().navigation.some(({ tabs }) => tabs.some((link) => link.view === view));
  return isOpen ? <a href={href}>{children}</a> : <b>{children}</b>;
}

function describePeriod(query: ConsoleQuery): string {
  const { range, from, to } = query;
  const preset = RANGE_PRESETS.find(({ key }) => key === range);
  if (preset === undefined) {
    const days = formatChosenPeriod(query);
    return from === to ? `on ${days}` : `from ${days.replace(' – ', ' to ')}`;
  }
  const name = preset.name.toLowerCase();
  if (range === 'all') return 'since the beginning';
  return name.startsWith('last ') && range !== 'last-month' ? `in the ${name}` : name;
}

/** The newest commissions of the period, each with what led to it. */
export function LatestCommissions({ model }: ViewProps<OverviewModel>) {
  const { navigation, query } = useFrame();
  const hasView = navigation.some(({ tabs }) => tabs.some(({ view }) => view === 'commissions'));
  return (
    <Block
      title="Latest commissions"
      links={
        hasView && <a href={buildConsoleAddress('commissions', { ...query, sort: null })}>All commissions</a>
      }
    >
      {model.latest.length === 0 && <p className="empty-note">No commission in this period.</p>}
      <ul className="latest">
        {model.latest.map((row) => (
          <LatestCommission
            key={`${row.partner} ${row.account} ${row.id}`}
            row={row}
            now={model.now}
            isLinked={hasView}
          />
        ))}
      </ul>
    </Block>
  );
}

function LatestCommission(props: {
  readonly row: OverviewModel['latest'][number];
  readonly now: number;
  readonly isLinked: boolean;
}) {
  const { row, now, isLinked } = props;
  const { status, page, placement, campaign, bookedAt } = row;
  const money = <CommissionAmount row={row} />;
  return (
    <li>
      <span className="latest-amount">
        {isLinked ? <a href={buildCommissionAddress(row)}>{money}</a> : money}
      </span>
      <StatusTag status={status} />
      <span className="wrap-anywhere small:col-span-full small:order-1 small:text-muted small:text-small">
        {page === null ? (
          <em>no click found</em>
        ) : (
          <>
            <TitledPage page={page} /> → {describePlacement(placement ?? '')} → {campaign}
          </>
        )}
      </span>
      <span className="text-muted small:text-right">
        <TimeText time={bookedAt} now={now} />
      </span>
    </li>
  );
}
