import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { buildSharePath, CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { hashSecretToken, isSecretToken } from '../../server/http/secret-token.ts';
import type { ShareLink } from '../../stores/operators.ts';
import type { ConsoleSite } from '../console-site.ts';
import { findFormerView, refuseFormerModel } from '../former-views.ts';
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
  const response =
    link &&
    ((await refuseFormer(site, link, render)) ??
      (await respond(site, link, { token, isExport, parameters, render })));
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
  const shared = CONSOLE_VIEWS.find(({ isShareable, key }) => isShareable && key === link.view);
  if (shared === undefined) return null;
  const target = {
    view: shared.key,
    rest: [],
    parameters: buildParameters(link.parameters, request.parameters),
    viewer: { kind: 'share', id: link.id } as const,
    formToken: '',
  };
  if (isExport) {
    const { parameters } = target;
    const refused = await refuseFormerModel(site.content.read().site.name, null, { parameters, render });
    if (refused !== null) return refused;
    const table = await exportView(site, target);
    return table && buildCsvResponse(table, false);
  }
  const share = { until: link.expiresAt, exportHref: buildSharePath(token) + EXPORT_SUFFIX };
  const page = await readView(site, target, null, share);
  return page && render(page);
}

/** Says of a link to a view that the console has no more why it shows nothing; null for other links. */
async function refuseFormer(
  site: ConsoleSite,
  { view }: ShareLink,
  render: ConsoleRequest['render'],
): Promise<Response | null> {
  const former = findFormerView(view);
  if (former === null) return null;
  const siteName = site.content.read().site.name;
  const message = `The console has no view ${former.name} any more. Ask for a link to the view that shows its figures now.`;
  return render({ kind: 'refused', siteName, title: 'This view is no more', message, link: null }, 410);
}

function refuse(site: ConsoleSite, render: ConsoleRequest['render']): Promise<Response> {
  const content = site.content.read();
  const link = { href: CONSOLE_SIGN_IN_PATH, text: 'Sign in' };
  const message = 'It has expired, was revoked, or was copied incompletely. Ask for a new one.';
  const siteName = content.site.name;
  return render({ kind: 'refused', siteName, title: 'This link shows nothing', message, link }, 404);
}

function buildParameters(linked: string, address: URLSearchParams): URLSearchParams {
  const parameters = new URLSearchParams(linked);
  parameters.set(LIST_PAGE_PARAMETER, String(parseListPage(address)));
  return parameters;
}
