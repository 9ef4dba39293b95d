import {
  checkNewsletterSignup,
  cleanNewsletterEmail,
  parseNewsletterSignup,
} from '../../core/contact/newsletter-signup.ts';
import { leadTarget } from '../../core/pages/addresses.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { NewsletterFormState } from '../../core/pages/page-context.ts';
import type { SectionOf } from '../../core/pages/sections/section.schema.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import { readPostedForm } from '../http/request-body.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import type { Site } from '../site.ts';
import { submitForm } from './submit-form.ts';

type NewsletterSection = SectionOf<'newsletter'>;

/** What the sign-up page responds with. */
export interface NewsletterResult {
  readonly section: NewsletterSection;
  /** The page that the section is on, and its path. */
  readonly page: Page;
  readonly path: string;
  readonly form: NewsletterFormState;
  readonly status: 200 | 303 | 422 | 429 | 503;
}

const EMPTY = { sent: false, email: '', hasConsent: false, errors: {} };

/** Builds the empty form of a page's newsletter section, or its thanks; null without the section or a provider. */
export function buildNewsletterForm(
  { settings, visitors: { formTokens } }: Site,
  page: Page,
  request: Request,
): NewsletterFormState | null {
  if (settings.NEWSLETTER_PROVIDER === 'off' || findSection(page) === undefined) return null;
  const sent = new URL(request.url).searchParams.get('subscribed') === '1';
  return { ...EMPTY, sent, token: formTokens.issue() };
}

/** Reads a request to the sign-up page: stores a posted form; null when no page has a newsletter section. */
export async function readNewsletterRequest(
  site: Site,
  request: Request,
  clientAddress: string,
): Promise<NewsletterResult | null> {
  const { settings, clock } = site;
  const { formTokens } = site.visitors;
  const content = site.content.read();
  const forms = listForms(content, clock.now());
  const [first] = forms;
  // Before the body is read: another page responds, and a body can be read only once.
  if (settings.NEWSLETTER_PROVIDER === 'off' || first === undefined) return null;
  if (request.method !== 'POST')
    return { ...first, form: { ...EMPTY, token: formTokens.issue() }, status: 200 };
  const posted = await readPostedForm(request);
  const found = forms.find(({ path }) => path === posted.get('page')) ?? first;
  const { section, path } = found;
  const signup = parseNewsletterSignup((field) => posted.get(field));
  const outcome = await submitForm(site, {
    errors: { ...checkNewsletterSignup(signup) },
    event: {
      name: 'newsletter_signup',
      page: path,
      label: '',
      data: { email: cleanNewsletterEmail(signup), consent: section.consent },
    },
    token: String(posted.get('token') ?? ''),
    honeypot: String(posted.get('website') ?? ''),
    clientAddress,
    visitor: readVisitorSignals(request),
  });
  if (outcome.sent) return { ...found, form: { ...EMPTY, sent: true, token: '' }, status: 303 };
  const { errors, token, status } = outcome;
  return { ...found, form: { sent: false, ...signup, errors, token }, status };
}

function listForms({ pages, addresses }: Content, now: number) {
  return [...pages].flatMap(([path, page]) => {
    const section = isPublished(page, now) ? findSection(page) : undefined;
    return section === undefined ? [] : [{ section, page, path: leadTarget(path, addresses) }];
  });
}

function findSection({ sections }: Page): NewsletterSection | undefined {
  return sections.find((section) => section.type === 'newsletter');
}
