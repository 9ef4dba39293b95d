import { MoneyChart } from '../charts/money-chart.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { CLOCK_NAMES, getCampaignModel, MODEL_NAMES } from '../figures/console-names.ts';
import { Block } from '../frame/block.tsx';
import { CsvLink } from '../frame/export-links.tsx';
import type { ViewProps } from '../view-props.ts';
import { AlertList } from './alert-list.tsx';
import { HeadlineFigures } from './headline-figures.tsx';
import { LatestCommissions } from './latest-commissions.tsx';
import { OverviewSentence } from './overview-sentence.tsx';
import { SetupSteps } from './setup-steps.tsx';
import { TopCampaigns, TopPages, TopPlacements } from './top-tables.tsx';

/** The first view: a sentence, six figures, the money by day, what earned it, what needs attention. */
export function OverviewView({ model, frame }: ViewProps<'overview'>) {
  const { query, viewer } = frame;
  const isShared = viewer.kind === 'share';
  const all = (view: 'pages' | 'placements' | 'campaigns', text: string) =>
    isShared ? undefined : <a href={buildConsoleAddress(view, { ...query, sort: null })}>{text}</a>;
  if (model.steps !== null) return <SetupSteps model={model} steps={model.steps} frame={frame} />;
  const { buckets, currency, youngShare, annotations, unit } = model;
  return (
    <>
      <OverviewSentence model={model} frame={frame} />
      <AlertList alerts={model.alerts} />
      <HeadlineFigures model={model} />
      <Block
        title={`Money by ${CLOCK_NAMES[query.clock].toLowerCase()}`}
        note={
          query.clock === 'click'
            ? `Each bar is what the clicks of that ${unit} have earned so far.`
            : `Each bar is what was booked ${unit === 'day' ? 'on' : 'in'} that ${unit}.`
        }
        links={
          <>
            <CsvLink frame={frame} />
            {!isShared && <a href={buildConsoleAddress('overview', query, { suffix: '.svg' })}>SVG</a>}
          </>
        }
      >
        <MoneyChart buckets={buckets} currency={currency} youngShare={youngShare} annotations={annotations} />
      </Block>
      <Block
        title="Pages"
        note={model.maxEpc > 0 ? 'Ordered by the least that a click is likely to earn.' : undefined}
        links={all('pages', 'All pages')}
      >
        <TopPages model={model} frame={frame} />
      </Block>
      <div className="columns">
        <Block title="Placements" note="by expected money" links={all('placements', 'All placements')}>
          <TopPlacements model={model} frame={frame} />
        </Block>
        <Block
          title="Campaigns"
          note={MODEL_NAMES[getCampaignModel(query)].toLowerCase()}
          links={all('campaigns', 'First against last')}
        >
          <TopCampaigns model={model} frame={frame} />
        </Block>
      </div>
      {!isShared && <LatestCommissions model={model} frame={frame} />}
    </>
  );
}
