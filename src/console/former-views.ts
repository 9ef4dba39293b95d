import type { ConsoleViewKey } from '../core/console/console-view.ts';
import { ASSESSMENT_PATH } from '../core/paths.ts';
import { buildConsoleRedirect, type ConsoleRequest } from './http.ts';
import { buildConsoleAddress } from './reports/addresses.ts';

/** A view that the console had, and where an operator finds now what it showed. */
interface FormerView {
  readonly name: string;
  /** Its path below the console. */
  readonly path: string;
  /** The file with its table; left out where it had none. */
  readonly file?: string;
  /** The view that shows it, with the path below it and what that view is asked for. */
  readonly view: ConsoleViewKey;
  readonly rest?: readonly string[];
  readonly extra?: Readonly<Record<string, string>>;
}

const FORMER_VIEWS: readonly FormerView[] = [
  { name: 'Live', path: 'live', file: 'live.csv', view: 'overview' },
  { name: 'Expected', path: 'expected', file: 'expected.csv', view: 'money' },
  { name: 'Dependence', path: 'partners/dependence', file: 'partners/dependence.csv', view: 'partners' },
  { name: 'Connections', path: 'import', view: 'partners' },
  { name: 'Networks', path: 'import/networks', view: 'partners', rest: ['networks'] },
  { name: 'New network', path: 'import/new-network', view: 'partners', rest: ['new-network'] },
  { name: 'Costs', path: 'import/costs', view: 'campaigns', rest: ['costs'] },
  { name: 'Move in', path: 'import/move-in', view: 'settings', rest: ['move-in'] },
  { name: 'Places', path: 'placements', file: 'placements.csv', view: 'pages' },
  { name: 'Paths', path: 'journeys', file: 'journeys.csv', view: 'pages' },
  {
    name: 'Assessment',
    path: 'assessment',
    file: 'assessment.csv',
    view: 'pages',
    extra: { page: ASSESSMENT_PATH },
  },
  { name: 'Needs attention', path: 'content/attention', view: 'content', extra: { state: 'to-do' } },
  {
    name: 'Calendar',
    path: 'content/calendar',
    file: 'content/calendar.ics',
    view: 'content',
    extra: { state: 'scheduled' },
  },
  {
    name: 'Missing links',
    path: 'content/missing',
    view: 'content',
    rest: ['links'],
    extra: { state: 'missing' },
  },
  { name: 'Activity', path: 'activity', file: 'activity.csv', view: 'week' },
];

/** Parameters of former views, and of choices that no view has any more. */
const FORMER_PARAMETERS: readonly string[] = ['clock', 'compare', 'model', 'sort', 'by', 'path'];

/** The former view whose key a share link stores; null for a view that is there, or never was. */
export const findFormerView = (key: string): FormerView | null =>
  FORMER_VIEWS.find(({ path }) => path === key) ?? null;

/** What the view that took over is asked for, by the parameters of the former one: the same period and filters. */
export function keepParameters({ extra = {} }: FormerView, parameters: URLSearchParams): URLSearchParams {
  const kept = [...parameters].filter(
    ([name]) => !FORMER_PARAMETERS.includes(name) && !(name.replace('!', '') in extra),
  );
  return new URLSearchParams([...Object.entries(extra), ...kept]);
}

/**
 * Responds to the address of a former view with a redirect to the view that shows its figures, and to that of its export
 * with 410 and the address of the table that has its columns, both for the same period. Null for any other path.
 */
export async function respondToFormerView(
  siteName: string,
  { parts, parameters, render }: Pick<ConsoleRequest, 'parts' | 'parameters' | 'render'>,
): Promise<Response | null> {
  const asked = parts.join('/');
  const former = FORMER_VIEWS.find(({ path, file }) => asked === path || asked === file);
  // The page of one network is below the list of all.
  const [, network] = /^import\/networks\/([^/]+)$/.exec(asked) ?? [];
  if (network !== undefined)
    return moveTo(buildConsoleAddress('partners', {}, { rest: ['networks', network] }));
  if (former === undefined) return null;
  const kept = keepParameters(former, parameters);
  const { view, rest } = former;
  if (asked === former.path)
    return moveTo(addParameters(buildConsoleAddress(view, {}, { rest: rest ?? [] }), kept));
  const table = view === 'overview' ? 'pages' : view;
  const href = addParameters(buildConsoleAddress(table, {}, { suffix: '.csv' }), kept);
  return render(
    {
      kind: 'refused',
      siteName,
      title: 'This table is no more',
      message: `The console has no view ${former.name} any more. Its columns are in ${href}.`,
      link: { href, text: 'Download that table' },
    },
    410,
  );
}

const moveTo = (location: string) => buildConsoleRedirect(location, {}, 301);

const addParameters = (path: string, parameters: URLSearchParams): string =>
  parameters.size === 0 ? path : `${path}?${parameters}`;
