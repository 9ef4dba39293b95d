import type { Page } from '@playwright/test';

export type FunctionName = 'proxy' | 'cdn-proxy';

/** One call of an article function, as the page sent it. */
export interface FunctionCall {
  readonly name: FunctionName;
  readonly body: { readonly path: string; readonly method: string; readonly payload?: unknown };
}

/** What a function answers: a status and a JSON body, or `abort`. */
export type FunctionAnswer = { readonly status?: number; readonly json: unknown } | 'abort' | 'server';

/**
 * Answers the article functions of a page in place of the server (`server` lets a call through), and returns the
 * list of calls, which grows.
 */
export async function answerFunctions(
  page: Page,
  answer: (call: FunctionCall) => FunctionAnswer | Promise<FunctionAnswer>,
): Promise<readonly FunctionCall[]> {
  const calls: FunctionCall[] = [];
  await page.route('**/functions/article-service-*', async (route) => {
    const name: FunctionName = route.request().url().endsWith('-cdn-proxy') ? 'cdn-proxy' : 'proxy';
    const call = { name, body: route.request().postDataJSON() as FunctionCall['body'] };
    calls.push(call);
    const answered = await answer(call);
    if (answered === 'abort') return route.abort();
    if (answered === 'server') return route.continue();
    return route.fulfill({ status: answered.status ?? 200, json: answered.json });
  });
  return calls;
}

/** A page of articles as a function answers it; titles are `{name} 1`, `{name} 2`, … */
export function buildAnswer(name: string, count: number, hasMore = false): FunctionAnswer {
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
