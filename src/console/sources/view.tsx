import type { CrawlerKind } from '../../core/events/crawlers.ts';
import { describeSourceChange, type SourceChange } from '../../core/events/source-changes.ts';
import { buildSourceName } from '../../core/events/visit-source.ts';
import { MoneyChart, Sparkline } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { BreakdownPager, buildRankedCells, buildSumCells } from '../frame/breakdown-columns.tsx';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, DataTable, showColumns, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { CsvLink, FilterLink, OperatorLink, PageNameCell } from '../frame/links.tsx';
import { BookedLine, VerdictSentence } from '../frame/verdict.tsx';
import { UncountedNote } from '../pages/view.tsx';
import { formatChosenPeriod, formatDay, formatNumber, formatShare, NO_FIGURE } from '../reports/format.ts';
import { MODEL_NAMES } from '../reports/names.ts';
import { getImmatureShare } from '../reports/period-figures.ts';
import type { SiteNames } from '../reports/site-pages.ts';
import { buildSourceAddress } from './changes.ts';
import type { CrawledPage, CrawlerRow } from './crawlers.ts';
import { type readSources, SOURCE_COLUMNS, type SourceDetail, type SourceRow } from './read.ts';

type SourcesModel = Awaited<ReturnType<typeof readSources>>;
type Props = ViewProps<SourcesModel>;

/** Where visitors came from and what they earned, with the crawlers of the same products beside them. */
export function SourcesView({ model }: Props) {
  const { rows, sort, areClicksCounted, detail, isEpcKnown } = model;
  if (detail !== null) return <SourceDetailBlocks detail={detail} model={model} />;
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      {!isEpcKnown && (
        <p className="problem">
          More than a tenth of the clicks has no known source, such as clicks from before sources were stored.
          What a click of a source earned would be too high, so it is not computed.
        </p>
      )}
      <Block title="Channels" note={describeModel(model)} links={<CsvLink />}>
        <DataTable
          caption="Channels, with the names that sent most visits"
          columns={buildChannelColumns(model)}
          rows={listChannels(model)}
          getKey={({ key }) => key}
          empty="No visit and no money in this period."
        />
        <SourceNotes model={model} />
      </Block>
      {rows.length > 0 && (
        <Block title="Sources" note="The names within the channels.">
          <DataTable
            caption="Sources by what they earn"
            columns={buildSourceColumns(model)}
            rows={rows}
            getKey={({ key }) => key}
            sort={sort}
          />
          <BreakdownPager list={model} />
        </Block>
      )}
      <CrawlerBlocks model={model} />
    </>
  );
}

const describeModel = ({ model }: SourcesModel) => `Money by ${MODEL_NAMES[model].toLowerCase()}.`;

const CHANNEL_FIGURES =
  'name visits clicks visitClickRate conversions epc approved paid pending expected reversed'.split(' ');
const SOURCE_FIGURES =
  'name visits clicks visitClickRate conversions epc certain approved paid pending expected reversed'.split(
    ' ',
  );

/** A channel has the figures of a source, without an interval. */
function listChannels({ channels }: SourcesModel): readonly SourceRow[] {
  return channels.map((row) => ({
    ...row,
    source: { channel: row.channel, name: '' },
    ranked: null,
    rpm: null,
  }));
}

const MAX_NAMES = 3;
const AT_LEAST = 'at least';

function buildChannelColumns({ channels }: SourcesModel) {
  const names = new Map(
    channels.map(({ channel, sources, isLowerBound }) => [
      channel,
      {
        isLowerBound,
        text: describeNames(
          sources.flatMap(({ source, visits }) =>
            source.name === ''
              ? []
              : [visits === null ? source.name : `${source.name} ${formatNumber(visits)}`],
          ),
        ),
      },
    ]),
  );
  const name = ({ source: { channel } }: SourceRow) => {
    const { text = '', isLowerBound = false } = names.get(channel) ?? {};
    return (
      <>
        {CHANNEL_NAMES[channel]}
        {isLowerBound && <small>{AT_LEAST}</small>}
        {text !== '' && <small>{text}</small>}
      </>
    );
  };
  return showColumns<SourceRow>(
    SOURCE_COLUMNS,
    { name: { name: 'Channel', render: name }, expected: { onPhone: 'lead' } },
    CHANNEL_FIGURES,
  );
}

function describeNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? `, ${more} more` : ''}`;
}

const CHANNEL_NAMES: Readonly<Record<SourceRow['source']['channel'], string>> = {
  search: 'Search',
  'paid search': 'Paid search',
  'AI assistant': 'AI assistants',
  social: 'Social',
  'paid social': 'Paid social',
  email: 'Email',
  referral: 'Links from other sites',
  affiliate: 'Affiliates',
  display: 'Display ads',
  campaign: 'Other campaigns',
  internal: 'This site',
  direct: 'Direct',
  unknown: 'Unknown',
};

function buildSourceColumns({ maxEpc }: SourcesModel) {
  const name = ({ key, source }: SourceRow) => (
    <>
      <FilterLink view="sources" dimension="source" value={key}>
        {source.name || CHANNEL_NAMES[source.channel]}
      </FilterLink>
      {source.name !== '' && (
        <small>
          {CHANNEL_NAMES[source.channel]}
          {source.channel === 'AI assistant' && `, ${AT_LEAST}`}
        </small>
      )}
    </>
  );
  return showColumns<SourceRow>(
    SOURCE_COLUMNS,
    { name, ...buildRankedCells(maxEpc), ...buildSumCells('source') },
    SOURCE_FIGURES,
  );
}

/** What the figures leave out, beside them. */
function SourceNotes({ model: { unnamed, channels } }: Props) {
  const hasAssistants = channels.some(({ isLowerBound }) => isLowerBound);
  return (
    <div className="source-notes">
      {unnamed !== null && unnamed.visitShare !== null && (
        <p>
          <b>{formatShare(unnamed.visitShare)} of the visits have no source</b>:{' '}
          {formatNumber(unnamed.visits)} {unnamed.visits === 1 ? 'visit' : 'visits'},{' '}
          {formatNumber(unnamed.clicks)} {unnamed.clicks === 1 ? 'click' : 'clicks'}. Apps, bookmarks and
          typed addresses send none.
        </p>
      )}
      {hasAssistants && <p>{LOWER_BOUND}</p>}
    </div>
  );
}

const LOWER_BOUND =
  'AI assistants sent at least these visits and earned at least this money: their apps send no source, and the AI answers ' +
  'of search engines look like search. Such visits count as direct, unknown or search.';

/** One source: its figures, where its visits began, what its visitors clicked. */
function SourceDetailBlocks({ detail, model }: Props & { readonly detail: SourceDetail }) {
  const { query } = useFrame();
  const { source, trend } = detail;
  return (
    <>
      <VerdictSentence verdict={detail.verdict} />
      <BookedLine booked={detail.booked} />
      <Block
        title={source.name || CHANNEL_NAMES[source.channel]}
        note={`${source.name === '' ? '' : `${CHANNEL_NAMES[source.channel]}. `}${describeModel(model)}`}
        links={<CsvLink />}
      >
        <DataTable
          caption={`Figures of ${buildSourceName(source)}`}
          columns={[
            { name: 'Period', render: () => formatChosenPeriod(query) },
            ...showColumns<SourceRow>(
              SOURCE_COLUMNS,
              { ...buildRankedCells(model.maxEpc), ...buildSumCells('source') },
              SOURCE_FIGURES.slice(1),
            ),
            {
              name: 'Visits, trend',
              isNumeric: true,
              onPhone: 'hidden',
              render: () => <Sparkline values={trend.map(({ visits }) => visits)} />,
            },
          ]}
          rows={model.rows}
          getKey={({ key }) => key}
          empty="No visit and no money from this source in this period."
        />
        {source.channel === 'AI assistant' && (
          <div className="source-notes">
            <p>{LOWER_BOUND}</p>
          </div>
        )}
      </Block>
      {model.rows.length > 0 && (
        <Block title="Money and clicks" note={`${formatNumber(sumVisits(trend))} visits.`}>
          <MoneyChart
            buckets={trend}
            currency={model.currency}
            immatureShare={getImmatureShare(trend)}
            annotations={[]}
          />
        </Block>
      )}
      <ArrivalBlocks detail={detail} />
      <CrawlerBlocks model={model} />
    </>
  );
}

const sumVisits = (trend: SourceDetail['trend']) => trend.reduce((sum, { visits }) => sum + visits, 0);

/** Where the visits from a source began, and what they clicked. */
function ArrivalBlocks({ detail }: { readonly detail: SourceDetail }) {
  const { partners } = useFrame().names;
  return (
    <div className="columns">
      <TableBlock
        title="Entry pages"
        note="Where these visits began."
        caption="Pages on which visits from this source began"
        columns={buildArrivalColumns('Visits', partners)}
        rows={detail.entryPages}
        getKey={({ page }) => page}
        empty="No visit from this source began in this period."
      />
      <TableBlock
        title="Clicked"
        note="The page of the link, and the partner."
        caption="Links that visitors from this source clicked"
        columns={buildArrivalColumns('Clicks', partners)}
        rows={detail.clicked}
        getKey={({ page, partner }) => `${page} ${partner}`}
        empty="No visitor from this source clicked a link to a partner."
      />
    </div>
  );
}

function buildArrivalColumns(
  counted: 'Visits' | 'Clicks',
  partners: SiteNames['partners'],
): readonly TableColumn<SourceDetail['entryPages'][number] & { readonly partner?: string }>[] {
  return [
    {
      name: 'Page',
      render: ({ page, partner }) => (
        <>
          <PageNameCell page={page} />
          {partner !== undefined && <small>to {partners.get(partner) ?? partner}</small>}
        </>
      ),
    },
    {
      name: counted,
      metric: counted === 'Visits' ? 'visits' : 'clicks',
      isNumeric: true,
      onPhone: 'lead',
      render: ({ count }) => formatNumber(count),
    },
  ];
}

const KIND_NAMES: Readonly<Record<CrawlerKind, string>> = {
  search: 'search index',
  training: 'training',
  user: 'asked by a person',
  ads: 'check of ads',
};

/** Crawlers beside visitors: what agents requested, and what the assistants that they belong to sent. */
function CrawlerBlocks({ model }: Props) {
  const { names } = useFrame();
  const { agents, pages, pageCount } = model.crawlers;
  const more =
    pageCount > pages.length
      ? ` The ${pages.length} with the most requests, of ${formatNumber(pageCount)}.`
      : '';
  return (
    <>
      <Block
        title={model.detail === null ? 'Crawlers' : 'Its crawlers'}
        note="Requests of pages by agents that name themselves. They are no visitors."
      >
        <DataTable
          caption="Agents by their requests of pages"
          columns={CRAWLER_COLUMNS}
          rows={agents}
          getKey={({ agent }) => agent}
          empty="No known agent requested a page in this period."
        />
        {agents.length > 0 && (
          <div className="source-notes">
            <p>
              Anyone can send the name of an agent. Requests are verified by the addresses that its operator
              publishes, once the folder crawler-ranges has the file. Filters other than one page or one
              source do not apply here.
            </p>
          </div>
        )}
      </Block>
      {pages.length > 0 && (
        <TableBlock
          title="What crawlers read"
          note={`With the visits from the same AI assistants that began there, at least.${more}`}
          caption="Pages by the requests of agents, with visits and money from the same assistants"
          columns={buildCrawledColumns(model, names.pages)}
          rows={pages}
          getKey={({ page }) => page}
        />
      )}
    </>
  );
}

const CRAWLER_COLUMNS: readonly TableColumn<CrawlerRow>[] = [
  {
    name: 'Agent',
    render: ({ agent, operator }) => (
      <>
        {agent}
        <small>{operator}</small>
      </>
    ),
  },
  { name: 'Reads for', render: ({ kind }) => KIND_NAMES[kind] },
  { name: 'Requests', isNumeric: true, onPhone: 'lead', render: ({ requests }) => formatNumber(requests) },
  {
    name: 'Verified',
    isNumeric: true,
    render: ({ verified, requests }) =>
      verified === null ? 'unverified' : formatShare(requests === 0 ? null : verified / requests),
  },
  { name: 'Pages', isNumeric: true, render: ({ pages }) => formatNumber(pages) },
  { name: 'Last', isNumeric: true, render: ({ lastDay }) => formatDay(lastDay) },
];

function buildCrawledColumns(
  { currency }: SourcesModel,
  titles: SiteNames['pages'],
): readonly TableColumn<CrawledPage>[] {
  return [
    {
      name: 'Page',
      // A path that the site does not have any more has no view.
      render: ({ page }) => (titles.has(page) ? <PageNameCell page={page} /> : page),
    },
    {
      name: 'Read by',
      render: ({ agents }) =>
        describeNames(agents.map(({ agent, requests }) => `${agent} ${formatNumber(requests)}`)),
    },
    { name: 'Requests', isNumeric: true, onPhone: 'lead', render: ({ requests }) => formatNumber(requests) },
    { name: 'Assistant visits', render: describeAssistants },
    {
      name: 'Customers',
      metric: 'conversions',
      isNumeric: true,
      render: ({ conversions }) => formatNumber(conversions),
    },
    {
      name: 'Approved and pending',
      isNumeric: true,
      render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
    },
  ];
}

/** Visits from the assistants whose agents have read a page, by name; a dash where no assistant has read it. */
function describeAssistants({ assistants }: CrawledPage): string {
  if (assistants.length === 0) return NO_FIGURE;
  const sent = assistants.filter(({ visits }) => visits > 0);
  return describeNames(sent.map(({ name, visits }) => `${name} ${formatNumber(visits)}`)) || '0';
}

const MAX_CHANGES = 3;

/** Sources that are new or have changed for real, a line each; nothing without any. */
export function SourceChangeLines({ changes }: { readonly changes: readonly SourceChange[] }) {
  const { query } = useFrame();
  if (changes.length === 0) return null;
  return (
    <div className="source-notes">
      <ul aria-label="Sources that have changed">
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={change.source}>
            <OperatorLink href={buildSourceAddress(change.source, query)}>
              {describeSourceChange(change)}
            </OperatorLink>
          </li>
        ))}
      </ul>
      <p>
        {changes.length > MAX_CHANGES && `${changes.length - MAX_CHANGES} more have changed. `}
        By at least a quarter, and more than chance explains.
      </p>
    </div>
  );
}
