import { splitShortcodes } from '../../core/articles/shortcodes.ts';
import {
  checkNewsletterSignup,
  cleanNewsletterEmail,
  parseNewsletterSignup,
} from '../../core/contact/newsletter-signup.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { leadTarget } from '../../core/pages/addresses.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { NewsletterFormState } from '../../core/pages/page-context.ts';
import type { SectionOf } from '../../core/pages/sections/section.schema.ts';
import { parseShortcode } from '../../core/pages/sections/shortcode.schema.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import { buildArticlePath } from '../../core/paths.ts';
import { readPostedForm } from '../http/request-body.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import type { Site } from '../site.ts';
import { submitForm } from './submit-form.ts';

type NewsletterSection = SectionOf<'newsletter'>;

const EMPTY = { sent: false, email: '', hasConsent: false, errors: {} };

/** Builds the empty form of a newsletter section, or its thanks; null without the section or a provider. */
export function buildNewsletterForm(
  { settings, visitors: { formTokens } }: Site,
  section: NewsletterSection | undefined,
  request: Request,
): NewsletterFormState | null {
  if (settings.NEWSLETTER_PROVIDER === 'off' || section === undefined) return null;
  const sent = new URL(request.url).searchParams.get('subscribed') === '1';
  return { ...EMPTY, sent, token: formTokens.issue() };
}

/** Reads a request to the sign-up page: stores a posted form; null when neither a page nor the article has a newsletter section. */
export async function readNewsletterRequest(site: Site, request: Request, clientAddress: string) {
  const { settings, clock } = site;
  const { formTokens } = site.visitors;
  const content = site.content.read();
  const forms = listForms(content, clock.now());
  const [first] = forms;
  if (settings.NEWSLETTER_PROVIDER === 'off') return null;
  if (request.method !== 'POST')
    return first === undefined
      ? null
      : { ...first, form: { ...EMPTY, token: formTokens.issue() }, status: 200 };
  // Of null another page responds, and a body can be read only once.
  const posted = await readPostedForm(request.clone());
  const from = posted.get('page');
  const found = forms.find((form) => form.path === from) ?? (await findArticleForm(site, from)) ?? first;
  if (found === undefined) return null;
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
    const cta = page.cta ?? { source: buildPageName(path) };
    return section === undefined ? [] : [{ section, path: leadTarget(path, addresses), cta }];
  });
}

/** Finds the newsletter section of the article at a path. */
async function findArticleForm({ content: { articles, read } }: Site, path: unknown) {
  const summary = articles.getSummaries().find((one) => buildArticlePath(one) === path);
  const article = summary && (await articles.get(summary.slug).catch(() => null));
  const section = article ? findArticleSection(article.content, read().products) : undefined;
  if (summary === undefined || section === undefined) return undefined;
  return { section, path: buildArticlePath(summary), cta: { partner: summary.partner, source: 'article' } };
}

/** Finds the newsletter section in the HTML of an article. */
export function findArticleSection(html: string, products: Content['products']) {
  return splitShortcodes(html).flatMap((part): NewsletterSection[] => {
    const section = 'type' in part && part.type === 'newsletter' ? parseShortcode(part, products) : '';
    return typeof section !== 'string' && section.type === 'newsletter' ? [section] : [];
  })[0];
}

export function findSection({ sections }: Page): NewsletterSection | undefined {
  return sections.find((section) => section.type === 'newsletter');
}
