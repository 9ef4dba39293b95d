import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { buildSharePath, CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { hashSecretToken, isSecretToken } from '../../server/http/secret-token.ts';
import type { Operators } from '../../stores/operators.ts';
import type { ConsoleEntrance, ConsoleRequest } from '../app.ts';
import { buildCsvResponse } from '../export.ts';
import { LIST_PAGE_PARAMETER, parseListPage } from '../figures/list-page.ts';
import type { ConsoleViews } from '../views.ts';

const EXPORT_SUFFIX = '.csv';

/**
 * Creates the pages of share links: one view with the query that was fixed when the link was created. The address may
 * only name the page of a long table; whatever else it says is ignored, no cookie is read or set, and a link that never
 * existed responds like one that has ended.
 */
export function createShareLinks(options: {
  readonly getStore: () => Operators;
  readonly views: ConsoleViews;
  readonly siteName: string;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
}): ConsoleEntrance {
  const { getStore, views, siteName, now } = options;

  async function respond({ context, parts, parameters, render }: ConsoleRequest): Promise<Response | null> {
    const [, last = ''] = parts;
    const isExport = last.endsWith(EXPORT_SUFFIX);
    const token = isExport ? last.slice(0, -EXPORT_SUFFIX.length) : last;
    const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
    const isPossible = parts.length === 2 && isRead && isSecretToken(token);
    const link = isPossible ? await getStore().findShareLink(hashSecretToken(token), now()) : null;
    const isShareable = CONSOLE_VIEWS.some((view) => view.isShareable && view.key === link?.view);
    if (link === null || !isShareable) return refuse(render);
    const target = {
      view: link.view,
      rest: [],
      parameters: buildParameters(link.parameters, parameters),
      viewer: { kind: 'share', id: link.id } as const,
      formToken: '',
    };
    if (isExport) {
      const table = await views.exportTable(target);
      return table === null ? refuse(render) : buildCsvResponse(table, link.view, false);
    }
    const share = { until: link.expiresAt, exportHref: buildSharePath(token) + EXPORT_SUFFIX };
    const page = await views.read(target, { notice: null, share });
    return page === null ? refuse(render) : render({ kind: 'view', ...page });
  }

  function refuse(render: ConsoleRequest['render']): Promise<Response> {
    const link = { href: CONSOLE_SIGN_IN_PATH, text: 'Sign in' };
    const message = 'It has expired, was revoked, or was copied incompletely. Ask for a new one.';
    return render({ kind: 'refused', siteName, title: 'This link shows nothing', message, link }, 404);
  }

  return async (request) => {
    const response = await respond(request);
    response?.headers.set('referrer-policy', 'no-referrer');
    return response;
  };
}

/** The parameters of the link, with the page of the list that the address names. */
function buildParameters(linked: string, address: URLSearchParams): URLSearchParams {
  const parameters = new URLSearchParams(linked);
  parameters.set(LIST_PAGE_PARAMETER, String(parseListPage(address)));
  return parameters;
}
