import type { ArticleSummary } from '../core/articles/article.ts';
import type { Clock } from '../core/clock.ts';
import { getLocalDay } from '../core/commissions/local-time.ts';
import type { ConsolePreferences } from '../core/console/operator.ts';
import type { Content } from '../core/pages/content.ts';
import { buildPageOutline } from '../core/pages/page-outline.ts';
import { buildArticlePath } from '../core/paths.ts';
import type { Articles } from '../server/articles/articles.ts';
import type { Commissions } from '../server/commissions/commissions.ts';
import type { EventReaders } from '../server/events/events.ts';
import type { Settings } from '../server/settings.ts';
import type { AlertReader } from './alerts/read-alerts.ts';
import { CampaignsReader } from './campaigns/read.ts';
import type { ChartAnnotation } from './charts/money-chart.ts';
import type { SiteNames } from './figures/names.ts';
import { listCurrencies } from './figures/period-figures.ts';
import { PeriodReader } from './figures/periods.ts';
import { parseConsoleQuery } from './figures/query.ts';
import { OverviewReader } from './overview/read.ts';
import { PagesReader } from './pages/read.ts';
import { PlacementsReader } from './placements/read.ts';

/** Creates the views of the console about money and clicks, and what parses their addresses. */
export function createMoneyViews(options: {
  readonly settings: Pick<Settings, 'TIME_ZONE'>;
  readonly content: Pick<Content, 'pages' | 'partners'>;
  readonly events: Pick<EventReaders, 'rollups'>;
  readonly commissions: Pick<Commissions, 'readEntries' | 'getLedger' | 'clicks'>;
  readonly articles: Pick<Articles, 'getSummaries'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly alerts: Pick<AlertReader, 'readAlerts'>;
  readonly readPreferences: () => Promise<ConsolePreferences>;
  readonly readNames: () => SiteNames;
}) {
  const { settings, content, events, commissions, articles } = options;
  const { now } = options.clock;
  const timeZone = settings.TIME_ZONE;
  const { readEntries } = commissions;
  const periods = new PeriodReader({ readEntries, rollups: events.rollups, timeZone, now });
  const readTitles = () => options.readNames().pages;
  const placements = new PlacementsReader({ periods, readTitles });
  const readOutline = (path: string) => {
    const page = content.pages.get(path);
    return page === undefined ? [] : buildPageOutline(page);
  };
  const readChanges = (path: string) => listPageChanges({ content, articles, timeZone }, path);
  const pages = new PagesReader({
    periods,
    placements,
    readTitles,
    readOutline,
    readChanges,
    timeZone,
    now,
  });
  const partners = [...content.partners.values()];
  const overview = new OverviewReader({
    periods,
    pages,
    placements,
    timeZone,
    now,
    readAnnotations: (from, to) => listArticleChanges(articles, { from, to, timeZone }),
    tracked: partners.filter(({ subId }) => subId !== null).map(({ name }) => name),
    untracked: partners.filter(({ subId }) => subId === null).map(({ name }) => name),
    hasLedger: () => commissions.getLedger() !== null,
    alerts: options.alerts,
  });

  /** Only the range of all time asks for it. */
  async function readFirstDay(): Promise<string | null> {
    const [entries, firstEvent] = await Promise.all([readEntries(), commissions.clicks.readFirstEventTime()]);
    const times = entries.map(({ commission, journey }) => journey?.clickTime ?? commission.eventTime);
    const first = times.reduce((one, other) => Math.min(one, other), firstEvent ?? now());
    return getLocalDay(first, timeZone);
  }

  return {
    readers: { overview, pages, placements, campaigns: new CampaignsReader(periods) },
    parseQuery: async (parameters: URLSearchParams) => {
      const firstDay = parameters.get('range') === 'all' ? await readFirstDay() : null;
      const { weekStart } = await options.readPreferences();
      return {
        ...parseConsoleQuery(parameters, { today: getLocalDay(now(), timeZone), firstDay, weekStart }),
        currencies: listCurrencies(await readEntries()),
      };
    },
  };
}

/** Articles that were published or changed in a period, oldest first. */
function listArticleChanges(
  articles: Pick<Articles, 'getSummaries'>,
  { from, to, timeZone }: { readonly from: string; readonly to: string; readonly timeZone: string },
): readonly ChartAnnotation[] {
  return articles
    .getSummaries()
    .flatMap((article) =>
      listChanges(article, timeZone).map(({ day, text }) => ({ day, text: `${text} “${article.title}”` })),
    )
    .filter(({ day }) => day >= from && day <= to)
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** When one page or article was published and changed. */
function listPageChanges(
  sources: {
    readonly content: Pick<Content, 'pages'>;
    readonly articles: Pick<Articles, 'getSummaries'>;
    readonly timeZone: string;
  },
  path: string,
): readonly ChartAnnotation[] {
  const updated = sources.content.pages.get(path)?.updated;
  if (updated !== undefined) return [{ day: updated, text: 'Updated' }];
  const article = sources.articles.getSummaries().find(({ slug }) => buildArticlePath(slug) === path);
  return article === undefined ? [] : listChanges(article, sources.timeZone);
}

function listChanges(
  { publishedAt, updatedAt }: Pick<ArticleSummary, 'publishedAt' | 'updatedAt'>,
  timeZone: string,
): readonly ChartAnnotation[] {
  const published = getLocalDay(Date.parse(publishedAt), timeZone);
  const updated = getLocalDay(Date.parse(updatedAt), timeZone);
  const isUpdate = updated > published;
  return [{ day: published, text: 'Published' }, ...(isUpdate ? [{ day: updated, text: 'Updated' }] : [])];
}
