import type { ReactNode } from 'react';
import { parseSourceName } from '../../core/events/visit-source.ts';
import { capitalize } from '../../core/text/words.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { Block } from '../frame/data-table.tsx';
import { EarnedRows, formatAmounts, listAmounts, YoungNote } from '../frame/earned-table.tsx';
import { CsvLink, FilterLink } from '../frame/links.tsx';
import { addFilter, buildRowsAddress } from '../reports/addresses.ts';
import type { EarnedRow } from '../reports/earned.ts';
import { formatCount, formatPeriod, formatRoughShare, formatShortMoney } from '../reports/format.ts';
import { describeRange } from '../reports/names.ts';
import { type readSources, SOURCE_COLUMNS } from './read.ts';

/** About as many names are listed below all channels, at least two below each; a channel with one name is one row. */
const MAX_NAMES = 14;

/** Which readers earn: the channels by money, each with its names below it. */
export function SourcesView({ model }: ViewProps<Awaited<ReturnType<typeof readSources>>>) {
  const { query } = useFrame();
  const { channels, best, total, currency, arrived, isYoung, crawlers, sort } = model;
  const most = Math.max(2, Math.floor(MAX_NAMES / channels.length));
  const names = new Map<EarnedRow, ReactNode>(
    channels.flatMap(({ row, sources }) => [
      [
        row,
        <span key={row.key}>
          <b>{row.key}</b>
          {sources.length > most && (
            <small className="inline!">
              {' '}
              {most} of {formatCount(sources.length, 'name')}
            </small>
          )}
        </span>,
      ] as const,
      ...(sources.length === 1 ? [] : sources.slice(0, most).map((source) => [source, source.key] as const)),
    ]),
  );
  // The rows of a channel are its names: only the channels are summed.
  const rows = [...names.keys()];
  const isChannel = new Set(channels.map(({ row }) => row));
  return (
    <>
      <h1 className="sentence">
        {best !== null && best.earned > 0
          ? `${capitalize(best.key)} earned most${isYoung ? ' so far' : ''}: ${formatShortMoney(best.earned, currency)}.`
          : total.views
            ? `${formatCount(total.views, 'visit')}, and no money yet.`
            : 'No reader yet.'}
      </h1>
      {best !== null && best.earned > 0 && (
        <p className="lead">
          That is {formatRoughShare(total.earned === 0 ? 0 : best.earned / total.earned)} of the{' '}
          <b>{formatAmounts(listAmounts(total, currency))}</b> earned {describeRange(query)},{' '}
          {formatPeriod(query.from, query.to)}.
        </p>
      )}
      <YoungNote arrived={arrived} isYoung={isYoung} />
      <Block
        title="Sources by money"
        note="The source of the visit in which the click happened."
        links={<CsvLink />}
      >
        <EarnedRows
          caption="Channels and their sources by what their clicks earned"
          columns={SOURCE_COLUMNS}
          rows={rows}
          table={model}
          name={(row) =>
            isChannel.has(row) ? (
              names.get(row)
            ) : (
              <span className="ml-5">
                <FilterLink view="sources" dimension="source" value={row.key}>
                  {parseSourceName(row.key).name || row.key}
                </FilterLink>
              </span>
            )
          }
          toHref={(row) =>
            isChannel.has(row)
              ? undefined
              : buildRowsAddress(addFilter(query, 'source', row.key), currency, 'expected')
          }
          sort={sort}
          empty="No reader yet. Share the address and watch it arrive."
        />
        {crawlers.requests > 0 && (
          <p className="form-note">
            Crawlers are no readers: {formatCount(crawlers.agents, 'agent')} requested pages{' '}
            {formatCount(crawlers.requests, 'time')}.
          </p>
        )}
      </Block>
    </>
  );
}
