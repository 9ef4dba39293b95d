import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { buildSharePath, CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { hashSecretToken, isSecretToken } from '../../server/http/secret-token.ts';
import type { ShareLink } from '../../stores/operators.ts';
import type { ConsoleSite } from '../console-site.ts';
import { findFormerView, keepParameters } from '../former-views.ts';
import { buildCsvResponse, type ConsoleRequest } from '../http.ts';
import { LIST_PAGE_PARAMETER, parseListPage } from '../reports/columns.ts';
import { exportView, readView } from '../views.ts';

const EXPORT_SUFFIX = '.csv';

/**
 * Responds with a shared view: one view with the query that was fixed when the link was created. The address may only
 * name the page of a long table; whatever else it says is ignored, no cookie is read or set, and a link that never
 * existed responds like one that has ended.
 */
export async function showSharedView(
  site: ConsoleSite,
  { context, parts, parameters, render }: ConsoleRequest,
): Promise<Response> {
  const [, last = ''] = parts;
  const isExport = last.endsWith(EXPORT_SUFFIX);
  const token = isExport ? last.slice(0, -EXPORT_SUFFIX.length) : last;
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
  const isPossible = parts.length === 2 && isRead && isSecretToken(token);
  const link = isPossible
    ? await site.operators.accounts.findShareLink(hashSecretToken(token), site.clock.now())
    : null;
  const response = link && (await respond(site, link, { token, isExport, parameters, render }));
  const shown = response ?? (await refuse(site, render));
  shown.headers.set('referrer-policy', 'no-referrer');
  return shown;
}

async function respond(
  site: ConsoleSite,
  link: ShareLink,
  request: {
    readonly parameters: ConsoleRequest['parameters'];
    readonly render: ConsoleRequest['render'];
    readonly token: string;
    readonly isExport: boolean;
  },
): Promise<Response | null> {
  const { token, isExport, render } = request;
  // A view that is no more is shown by another one, for the same period and filters.
  const former = findFormerView(link.view);
  const name = former?.view ?? link.view;
  const linked = new URLSearchParams(link.parameters);
  const shared = CONSOLE_VIEWS.find(({ isShareable, key }) => isShareable && key === name);
  if (shared === undefined) return null;
  const target = {
    view: shared.key,
    rest: [],
    parameters: buildParameters(former ? keepParameters(former, linked) : linked, request.parameters),
    viewer: { kind: 'share', id: link.id } as const,
    formToken: '',
  };
  if (isExport) {
    const table = await exportView(site, target);
    return table && buildCsvResponse(table, false);
  }
  const share = { until: link.expiresAt, exportHref: buildSharePath(token) + EXPORT_SUFFIX };
  const page = await readView(site, target, null, share);
  return page && render(page);
}

function refuse(site: ConsoleSite, render: ConsoleRequest['render']): Promise<Response> {
  const content = site.content.read();
  const link = { href: CONSOLE_SIGN_IN_PATH, text: 'Sign in' };
  const message = 'It has expired, was revoked, or was copied incompletely. Ask for a new one.';
  const siteName = content.site.name;
  return render({ kind: 'refused', siteName, title: 'This link shows nothing', message, link }, 404);
}

function buildParameters(linked: URLSearchParams, address: URLSearchParams): URLSearchParams {
  const parameters = new URLSearchParams(linked);
  parameters.set(LIST_PAGE_PARAMETER, String(parseListPage(address)));
  return parameters;
}
