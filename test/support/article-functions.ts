import type { Page } from '@playwright/test';

export type FunctionName = 'proxy' | 'cdn-proxy';

/** One request to an article proxy endpoint, as the page sent it. */
export interface FunctionCall {
  readonly name: FunctionName;
  readonly body: { readonly path: string; readonly method: string; readonly payload?: unknown };
}

/** Response of an endpoint: a status and a JSON body. `abort` ends the connection, `server` lets the server respond. */
export type FunctionResponse = { readonly status?: number; readonly json: unknown } | 'abort' | 'server';

/**
 * Responds to the article proxy requests of a page in place of the server (`server` lets a call through), and returns
 * the list of calls, which grows.
 */
export async function respondToFunctions(
  page: Page,
  respond: (call: FunctionCall) => FunctionResponse | Promise<FunctionResponse>,
): Promise<readonly FunctionCall[]> {
  const calls: FunctionCall[] = [];
  await page.route('**/functions/article-service-*', async (route) => {
    const name: FunctionName = route.request().url().endsWith('-cdn-proxy') ? 'cdn-proxy' : 'proxy';
    const call = { name, body: route.request().postDataJSON() as FunctionCall['body'] };
    calls.push(call);
    const response = await respond(call);
    if (response === 'abort') return route.abort();
    if (response === 'server') return route.continue();
    return route.fulfill({ status: response.status ?? 200, json: response.json });
  });
  return calls;
}

/** Builds a page of articles as an endpoint sends it; titles are `{name} 1`, `{name} 2`, … */
export function buildArticlesResponse(name: string, count: number, hasMore = false): FunctionResponse {
  const articles = Array.from({ length: count }, (_, index) => ({
    slug: `${name.toLowerCase()}-${index + 1}`,
    title: `${name} ${index + 1}`,
    excerpt: `What ${name} is about.`,
    categories: ['CRM Strategy', 'Pricing', 'Agencies'],
    author: 'Editorial desk',
    publishedAt: '2026-03-12T00:00:00.000Z',
    readingTime: 4,
  }));
  return { json: { articles, hasMore } };
}
