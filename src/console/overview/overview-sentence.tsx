import type { ReactNode } from 'react';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { ConsoleFrame } from '../console-page.ts';
import { addFilter, buildConsoleAddress } from '../figures/build-console-address.ts';
import { RANGE_PRESETS } from '../figures/console-range.ts';
import {
  formatChosenPeriod,
  formatNumber,
  formatShare,
  formatShortMoney,
} from '../figures/format-figures.ts';
import type { ViewProps } from '../view-props.ts';

/** What happened, as a sentence: every figure in it leads to the rows that it comes from. */
export function OverviewSentence({ model, frame }: ViewProps<'overview'>) {
  const { figures, currency, best } = model;
  const { query } = frame;
  const money = (amount: number) => formatShortMoney(amount, currency);
  const plain = { ...query, sort: null };
  const isOnePage = query.filters.some(({ dimension, isNot }) => dimension === 'page' && !isNot);
  return (
    <h1 className="sentence">
      <Figure
        frame={frame}
        view="commissions"
        href={buildConsoleAddress('commissions', addFilter(query, 'status', 'approved'))}
      >
        {money(figures.approved)} approved
      </Figure>{' '}
      and{' '}
      <Figure
        frame={frame}
        view="commissions"
        href={buildConsoleAddress('commissions', addFilter(query, 'status', 'pending'))}
      >
        {money(figures.pending)} pending
      </Figure>
      {figures.clicks !== null && (
        <>
          {' '}
          from{' '}
          <Figure frame={frame} view="placements" href={buildConsoleAddress('placements', plain)}>
            {formatNumber(figures.clicks)} {figures.clicks === 1 ? 'click' : 'clicks'}
          </Figure>
        </>
      )}{' '}
      {describePeriod(frame)}.{' '}
      <span className="soft">
        {figures.matchRate !== null && (
          <>
            <Figure frame={frame} view="unmatched" href={buildConsoleAddress('unmatched')}>
              {formatShare(figures.matchRate)}
            </Figure>{' '}
            of the money found its click.{' '}
          </>
        )}
        {best !== null && !isOnePage && (
          <>
            <Figure
              frame={frame}
              view="pages"
              href={buildConsoleAddress('pages', addFilter(plain, 'page', best.page.key))}
            >
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
  readonly frame: ConsoleFrame;
  readonly view: ConsoleViewKey;
  readonly href: string;
  readonly children: ReactNode;
}) {
  const { frame, view, href, children } = props;
  const isOpen = frame.navigation.some((link) => link.view === view);
  return isOpen ? <a href={href}>{children}</a> : <b>{children}</b>;
}

function describePeriod({ query }: ConsoleFrame): string {
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
