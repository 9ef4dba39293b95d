import { isArticleSlug } from '../../core/text/slug.ts';
import { HttpError, type HttpGet } from '../http/http-get.ts';
import { buildServiceError, type ServiceDescription } from './service-client.ts';

/** Of a redirect's body, which is empty or one sentence; pages that are no redirect are not read to their end. */
const MAX_BYTES = 1_000_000;

/**
 * Asks the pages of a WordPress site where a post is that once had a slug: the site remembers former slugs and
 * redirects them, but its REST API does not know them. Resolves with null when it does not redirect to another path of
 * its own. Rejects with `ArticleSourceError` when it does not respond.
 */
export async function findMovedPost(
  get: HttpGet,
  service: ServiceDescription,
  slug: string,
  deadlineMs: number,
): Promise<string | null> {
  const site = new URL(`${service.url.replace(/\/+$/, '')}/`);
  const address = new URL(site);
  address.searchParams.set('name', slug);
  try {
    const response = await get(address, {
      headers: { 'user-agent': 'Signpost' },
      deadlineMs,
      maxBytes: MAX_BYTES,
      followsRedirects: false,
    });
    const location = response.headers.get('location') ?? '';
    if (response.status !== 301 || !URL.canParse(location, address)) return null;
    return readSlug(new URL(location, address), site, slug);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.code === 'too-large' || error.code === 'invalid-body') return null;
    const problem = `asked for the former slug of a post: ${error.message}`;
    throw buildServiceError(service, 'failed', problem, service.formatRemedy, { cause: error });
  }
}

function readSlug(target: URL, site: URL, former: string): string | null {
  const trimHost = ({ host }: URL) => host.replace(/^www\./, '');
  if (trimHost(target) !== trimHost(site)) return null;
  const last = target.pathname.split('/').filter(Boolean).at(-1) ?? '';
  const slug = decode(last).normalize('NFC');
  return isArticleSlug(slug) && slug !== former ? slug : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
