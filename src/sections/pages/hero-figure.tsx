import type { ReactNode } from 'react';
import type { Cta } from '../../core/outbound/cta.ts';
import { CLAIM_NOTE_ID } from '../../core/pages/claims/claims.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { HeroFigure } from '../../core/pages/sections/hero.schema.ts';
import { Illustration } from '../../ui/illustration.tsx';
import { DrawingFigure } from './drawing.tsx';
import { ImageFigure } from './image.tsx';
import { InlineText, Text } from './inline-text.tsx';
import type { HeroFigureProps } from './section-frame.tsx';
import { VideoView } from './video.tsx';

/** A bill torn off a roll: lines, the sum, and what is left over, in green unless it is what there is to pay. */
function HeroReceipt(props: {
  readonly figure: Omit<HeroFigureProps<'receipt'>['figure'], 'kind'>;
  readonly cta: Cta;
  readonly totalClass?: string;
}) {
  const { figure, cta, totalClass = 'text-5xl text-positive' } = props;
  return (
    <div className="receipt-shadow">
      <div className="receipt px-[1.6rem] pt-[1.6rem] pb-8">
        <p className="tabular flex justify-between border-b-2 border-line-strong pb-3 text-sm text-muted">
          <span>{figure.caption}</span>
          <span>{figure.unit}</span>
        </p>
        <dl>
          {figure.rows.map(({ label, amount, detail }) => (
            <div key={label} className="flex justify-between gap-6 border-b border-line py-2 leading-snug">
              <dt>
                {label}
                {detail !== undefined && <span className="block text-sm text-muted">{detail}</span>}
              </dt>
              <dd className="tabular">{amount}</dd>
            </div>
          ))}
        </dl>
        <Text text={figure.comparison} cta={cta} className="tabular pt-3.5" />
        <p className="mt-3 border-t-2 border-line-strong pt-3 font-semibold">{figure.total.label}</p>
        <div className={`tabular mt-1 text-right font-display font-[680] tracking-[-0.03em] ${totalClass}`}>
          {figure.total.amount}
        </div>
      </div>
    </div>
  );
}

/** Bills side by side with the difference under the line. */
function HeroComparison({ figure, cta }: HeroFigureProps<'comparison'>) {
  return (
    <div className="border-t-2 border-line-strong">
      <div className="grid sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {figure.sides.map(({ name, rows, total, recommended }) => (
          <div
            key={name}
            className={`flex flex-col border-line py-4 sm:px-5 sm:even:border-l lg:not-first:border-l max-lg:nth-[n+3]:border-t ${recommended ? 'bg-positive-wash max-sm:px-5' : 'sm:max-lg:odd:pl-0 lg:first:pl-0'}`}
          >
            <Text
              as="h2"
              className="font-text text-base font-semibold tracking-normal"
              text={name}
              cta={cta}
            />
            <dl className="tabular mt-2 mb-3">
              {rows.map((row) => (
                <div
                  key={row.label}
                  className="flex justify-between gap-4 border-t border-line py-1.5 text-sm"
                >
                  <Text as="dt" className="text-muted" text={row.label} cta={cta} />
                  <dd className="text-right whitespace-nowrap">{row.amount}</dd>
                </div>
              ))}
            </dl>
            <p className="tabular mt-auto flex flex-wrap items-baseline justify-between gap-x-4 lg:flex-col">
              <Text as="span" className="font-semibold" text={total.label} cta={cta} />
              <span className="font-display text-3xl font-semibold">{total.amount}</span>
            </p>
          </div>
        ))}
      </div>
      <p className="tabular flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1 border-t-2 border-line-strong pt-3">
        <Text as="span" className="max-w-text font-semibold" text={figure.difference.label} cta={cta} />
        <span className="font-display text-4xl font-[680] tracking-[-0.03em] text-positive">
          {figure.difference.amount}
        </span>
      </p>
      <Text text={figure.note} cta={cta} className="mt-3 text-sm text-muted" />
    </div>
  );
}

/** Computes the mean of scores such as `4.5/5`, with one decimal: `4.7`. Empty when a score is not out of 5. */
function computeTotalScore(rows: readonly { readonly score: string }[]): string {
  const scores = rows.map(({ score }) => /^([0-5](?:\.\d)?)\/5$/.exec(score)?.[1]);
  if (scores.length === 0 || scores.some((score) => score === undefined)) return '';
  return (scores.reduce((sum, score) => sum + Number(score), 0) / scores.length).toFixed(1);
}

/** The composition of a hero by its kind; `children` is the calculator of a hero that has one. */
export function HeroFigureView(props: {
  readonly figure: HeroFigure;
  readonly context: PageContext;
  readonly children?: ReactNode;
}) {
  const { figure, context } = props;
  const { cta } = context;
  switch (figure.kind) {
    case 'receipt':
      return <HeroReceipt figure={figure} cta={cta} />;
    case 'receipts':
      return <HeroReceipts figure={figure} cta={cta} />;
    case 'comparison':
      return <HeroComparison figure={figure} cta={cta} />;
    case 'timeline':
      return <HeroTimeline figure={figure} />;
    case 'calendar':
      return <HeroCalendar figure={figure} cta={cta} />;
    case 'rating':
      return <HeroRating figure={figure} cta={cta} />;
    case 'table':
      return <HeroTable figure={figure} cta={cta} />;
    case 'calculator':
      return (
        <>
          <h2 className="sr-only">Savings calculator</h2>
          {props.children}
        </>
      );
    case 'video':
      return <VideoView video={figure} cta={cta} />;
    case 'image':
      return <ImageFigure figure={figure} context={context} place="hero" />;
    case 'illustration':
      return <Illustration name={figure.name} className="max-w-[31rem] max-lg:mx-auto" />;
    case 'drawing':
      return <DrawingFigure drawing={figure.drawing} caption={figure.caption} cta={cta} isWide />;
  }
}

/** Days on one line, first to last, and what follows. */
function HeroTimeline({ figure }: { readonly figure: HeroFigureProps<'timeline'>['figure'] }) {
  return (
    <ol className="timeline timeline-across tabular">
      {figure.steps.map(({ when, what }) => (
        <li key={when}>
          <span className="font-display font-semibold text-accent">{when}</span>
          <span className="mt-1 block text-sm">{what}</span>
        </li>
      ))}
      <li className="timeline-end">
        <span className="font-display font-semibold text-positive">{figure.end}</span>
      </li>
    </ol>
  );
}

/** A task for each day of a trial, the last day marked, and below it what follows: the bill, or the way out. */
function HeroCalendar({ figure, cta }: HeroFigureProps<'calendar'>) {
  const { blocks, bill, sign, video } = figure;
  const days = blocks.flatMap(({ title, days }) =>
    days.map((task, index) => ({ task, block: index === 0 ? title : undefined })),
  );
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-8 border-t-2 border-line-strong py-2.5">
        <strong className="font-semibold">{figure.caption}</strong>
        {figure.hint !== undefined && <InlineText text={figure.hint} cta={cta} />}
      </p>
      <ol className="calendar">
        {days.map(({ task, block }, index) => (
          <li key={task} data-block={block && ''}>
            {block !== undefined && <strong>{block}</strong>} <b>{index + 1}</b> <span>{task}</span>
          </li>
        ))}
      </ol>
      <div className="grid items-start gap-x-8 gap-y-8 sm:grid-cols-[minmax(0,4fr)_minmax(0,3fr)]">
        <HeroReceipt figure={bill} cta={cta} totalClass="text-4xl" />
        <div>
          <p className="calendar-sign relative mt-6 py-3 pr-10 pl-4">
            <svg
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
              aria-hidden="true"
              className="absolute inset-0 size-full fill-none stroke-current stroke-2"
            >
              <path d="M1 2H88L99 50 88 98H1z" vectorEffect="non-scaling-stroke" />
            </svg>
            {sign.label}
            <strong className="block font-display text-2xl">{sign.amount}</strong>
          </p>
          <Text text={figure.advice} cta={cta} className="mt-3.5 ml-12" />
        </div>
      </div>
      {video !== undefined && (
        <div className="mt-6">
          <VideoView video={video} cta={cta} />
        </div>
      )}
    </>
  );
}

/** A table whose last column is the answer. */
function HeroTable({ figure, cta }: HeroFigureProps<'table'>) {
  return (
    <>
      <table className="data-table table-stacked w-full">
        <caption className="sr-only">{figure.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{figure.rowHeading}</th>
            {figure.columns.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figure.rows.map(({ label, cells }) => (
            <tr key={label}>
              <Text as="th" scope="row" className="font-display text-lg" text={label} cta={cta} />
              {cells.map((cell, index) => (
                <Text as="td" key={cell} data-column={figure.columns[index]} text={cell} cta={cta} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Text text={figure.note} cta={cta} className="mt-4 text-sm text-muted" />
    </>
  );
}

/** A score card: what was rated, a score a line, the verdict, the facts. */
function HeroRating({ figure, cta }: HeroFigureProps<'rating'>) {
  const total = figure.isTotalShown ? computeTotalScore(figure.rows) : '';
  // What the scores lack, their mean lacks too.
  const note = `[†](#${CLAIM_NOTE_ID}`;
  const mark = figure.rows.some(({ label }) => label.includes(note)) ? `${note})` : '';
  return (
    <div className="rounded-lg border border-line bg-raised p-6 sm:p-8">
      <p className="border-b-2 border-line-strong pb-3 text-sm text-muted">{figure.subject}</p>
      {total !== '' && (
        <p className="tabular flex items-baseline gap-3 border-b border-line py-4">
          <span className="font-display text-3xl font-semibold">{total}</span>
          <span className="text-muted">
            <InlineText
              text={`of 5 overall${mark}, the average of the ${figure.rows.length} scores below`}
              cta={cta}
            />
          </span>
        </p>
      )}
      <dl className="tabular">
        {figure.rows.map(({ label, score }) => (
          <div key={label} className="flex items-baseline justify-between gap-6 border-b border-line py-2">
            <Text as="dt" text={label} cta={cta} />
            <dd className="font-display text-2xl font-semibold">{score}</dd>
          </div>
        ))}
      </dl>
      <Text text={figure.verdict} cta={cta} className="mt-5 font-display text-xl font-semibold" />
      {figure.facts.length > 0 && (
        <dl className="tabular mt-5 grid grid-cols-2 gap-x-8">
          {figure.facts.map((fact) => (
            <div key={fact.label} className="flex flex-col-reverse justify-end border-t border-line py-2.5">
              <dt className="text-sm text-muted">
                <InlineText text={fact.label} cta={cta} />
                <Text text={fact.note} cta={cta} className="mt-1" />
              </dt>
              <dd className="font-display text-xl font-semibold">{fact.figure}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const RESULT_CLASSES = 'ml-auto text-right font-display font-[680] leading-none tracking-[-0.03em]';

/** Bills that can be added up. Of one bill, the first result is the largest figure of the page. */
function HeroReceipts({ figure, cta }: HeroFigureProps<'receipts'>) {
  const isOne = figure.bills.length === 1;
  return (
    <div
      className={
        isOne
          ? ''
          : 'grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-10 lg:grid-flow-col lg:grid-cols-none lg:auto-cols-fr'
      }
    >
      {figure.bills.map(({ caption, columns, rows, results }) => (
        <div key={caption} className="receipt-shadow">
          <div className="receipt tabular flex h-full flex-col px-[1.6rem] pt-[1.6rem] pb-8">
            <table className="w-full text-left text-base leading-snug" aria-label={caption}>
              <thead>
                <tr className="border-b-2 border-line-strong text-sm">
                  <th className="pb-3 font-semibold">{caption}</th>
                  {columns.map((heading) => (
                    <th
                      key={heading}
                      scope="col"
                      className="pb-3 pl-3 text-right font-normal whitespace-nowrap text-muted"
                    >
                      {heading}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ label, amounts }) => (
                  <tr key={label} className="border-b border-line">
                    <Text as="th" scope="row" className="py-2 font-normal" text={label} cta={cta} />
                    {columns.map((heading, index) => (
                      <td key={heading} className="py-2 pl-3 text-right whitespace-nowrap">
                        {amounts[index]}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <dl className="mt-auto">
              {results.map(({ label, amount, saving }, index) => (
                <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 pt-4">
                  <Text
                    as="dt"
                    className={`${saving ? 'font-semibold' : ''} ${isOne ? '' : 'lg:w-full'}`.trim()}
                    text={label}
                    cta={cta}
                  />
                  <dd
                    className={`${RESULT_CLASSES} ${isOne && index === 0 ? 'text-[clamp(4.5rem,3rem+4vw,6.75rem)]' : 'text-3xl'} ${saving ? 'text-positive' : ''}`}
                  >
                    {amount}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      ))}
    </div>
  );
}
