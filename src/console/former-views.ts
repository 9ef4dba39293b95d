import { splitTarget } from '../server/http/route.ts';
import { buildConsoleRedirect, type ConsoleRequest } from './http.ts';
import { buildConsoleAddress } from './reports/addresses.ts';
import { DEFAULT_MODEL } from './reports/query.ts';

/** A view that the console had, and where an operator finds now what it showed. */
interface FormerView {
  readonly name: string;
  /** Its path below the console, and that of the file with its table. */
  readonly path: string;
  readonly file: string;
  /** Address of the view that shows it, and of the table that has its columns. */
  readonly view: string;
  readonly table: string;
  /** Parameters that only this view had. */
  readonly own?: readonly string[];
}

const FORMER_VIEWS: readonly FormerView[] = [
  {
    name: 'Live',
    path: 'live',
    file: 'live.csv',
    view: buildConsoleAddress('overview'),
    table: buildConsoleAddress('placements', {}, { suffix: '.csv' }),
  },
  {
    name: 'Dependence',
    path: 'partners/dependence',
    file: 'partners/dependence.csv',
    view: buildConsoleAddress('partners'),
    table: buildConsoleAddress('partners', {}, { suffix: '.csv' }),
  },
  {
    name: 'Calendar',
    path: 'content/calendar',
    file: 'content/calendar.ics',
    view: buildConsoleAddress('content', {}, { extra: { state: 'scheduled' } }),
    table: buildConsoleAddress('content', {}, { suffix: '.csv' }),
  },
  {
    name: 'Paths',
    path: 'journeys',
    file: 'journeys.csv',
    view: buildConsoleAddress('pages'),
    table: buildConsoleAddress('pages', {}, { suffix: '.csv' }),
    own: ['by', 'path'],
  },
];

/** The former view whose key a share link stores; null for a view that is there, or never was. */
export const findFormerView = (key: string): FormerView | null =>
  FORMER_VIEWS.find(({ path }) => path === key) ?? null;

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
  if (former === undefined) return null;
  const kept = [...parameters].filter(([name]) => !former.own?.includes(name));
  if (asked === former.path) return buildConsoleRedirect(addParameters(former.view, kept));
  const href = addParameters(former.table, kept);
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

const FORMER_MODELS: readonly string[] = ['lastPaid', 'linear', 'entryPage', 'linearPages'];

/**
 * Responds to an export by a credit model that the console has no more with 410, since a table cannot say that it is by another
 * one. `href`: its address without parameters, to name the table by the usual model; null behind a share link, which has its
 * own parameters. Null for any other export.
 */
export async function refuseFormerModel(
  siteName: string,
  href: string | null,
  { parameters, render }: Pick<ConsoleRequest, 'parameters' | 'render'>,
): Promise<Response | null> {
  const model = parameters.get('model') ?? '';
  if (!FORMER_MODELS.includes(model)) return null;
  const kept = [...parameters].filter(([name]) => name !== 'model');
  const link = href === null ? null : { href: addParameters(href, kept), text: 'Download that table' };
  const instead =
    link === null ? 'Ask for another link.' : `The table by the model ${DEFAULT_MODEL} is at ${link.href}.`;
  const message = `The console has no credit model ${model} any more. ${instead}`;
  return render({ kind: 'refused', siteName, title: 'This table is no more', message, link }, 410);
}

function addParameters(address: string, parameters: readonly [string, string][]): string {
  const [path, own] = splitTarget(address);
  const all = new URLSearchParams([...new URLSearchParams(own), ...parameters]);
  return all.size === 0 ? path : `${path}?${all}`;
}
