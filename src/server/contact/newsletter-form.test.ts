import { expect, it } from 'vitest';
import type { FormGate } from './form-gate.ts';
import { readNewsletterRequest } from './newsletter-form.ts';

const content = { pages: new Map() } as unknown as Parameters<typeof readNewsletterRequest>[0]['content'];

it.each([
  ['without a provider', null],
  ['without a page that has the form', {} as FormGate],
])('leaves the body of a sign-up unread %s, so that another page can respond', async (_, newsletter) => {
  const request = new Request('http://site.test/newsletter/sign-up', { method: 'POST', body: 'email=a' });
  const result = await readNewsletterRequest({ newsletter, content, now: Date.now }, request, '');
  expect(result).toBeNull();
  expect(request.bodyUsed).toBe(false);
});
