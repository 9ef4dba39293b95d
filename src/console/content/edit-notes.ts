import { Piece } from '../../content-files/edit/piece.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { buildOfferCopy } from '../../core/articles/article-copy.ts';
import { NO_ANSWER_CODES } from '../../core/assessment/answers.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import { buildOutboundUrl } from '../../core/outbound/build-outbound-url.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import { parseLinkQuery } from '../../core/outbound/outbound-link.ts';
import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import { fillUtm, type Partner } from '../../core/outbound/partner.ts';
import { listStatements, resolveName } from '../../core/pages/claims/statements.ts';
import type { Content } from '../../core/pages/content.ts';
import { listUsingFiles, type NamedKind } from '../../core/pages/content-uses.ts';
import { testDestination } from '../../server/outbound/link-watch.ts';
import type { ConsoleSite } from '../console-site.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { readWrittenFiles } from './written-files.ts';

/** Lists the figures that texts can name, except the notes and tables that pages of their own have. */
export function listFigures(content: Content) {
  const days = new Map(listStatements(content).map(({ name, checked }) => [name, checked]));
  return [...content.figures]
    .filter(([name]) => !/\.(?:mark|status)$|^storage:|^operator:/.test(name))
    .map(([name, value]) => {
      const checked = resolveName(name, content).flatMap((one) => days.get(one) || []);
      return { name, value: value.replace(/\[†\]\([^)]*\)/g, '†'), checked: checked.sort()[0] ?? '' };
    });
}

/** The words that pages add to an article, with a link to its partner or the main one; null: none. */
export function describeCall(content: Content, text: string): string | null {
  const partner = String(new Piece('a.md', text).values?.['partner'] ?? '');
  const offer = buildOfferCopy(buildCta({ partner, source: 'article' }, content), content.site);
  return offer && [offer.title, offer.text, offer.action].join(' · ');
}

/** Folders of files that others name by their key. */
const NAMED: Readonly<Record<string, NamedKind>> = {
  partners: 'partner',
  products: 'product',
  authors: 'author',
  claims: 'claim',
};

/** Lists the files that name the partner, product or author of a file, or a claim of it (`at`); null for other files. */
export function listUses(
  site: ConsoleSite,
  file: string,
  at: string,
): readonly { readonly file: string; readonly title: string }[] | null {
  const [folder = '', name = ''] = file.replace(/\.yaml$/, '').split('/');
  const kind = Object.hasOwn(NAMED, folder) ? NAMED[folder] : undefined;
  const key = kind === 'claim' ? (at.split('.')[0] ?? '') : name;
  if (kind === undefined || key === '') return null;
  const titles = new Map(listSitePages(site).map((page) => [page.file, page.title]));
  return listUsingFiles(
    kind,
    key,
    readWrittenFiles(site).filter((one) => one.file !== file),
  ).map((one) => ({ file: one, title: titles.get(one) ?? one }));
}

/** Stands for the id of a click in addresses that are shown. */
const TEST_CLICK = '00000000-0000-4000-8000-000000000000';

/** Where the links of a partner lead, as its file is written; empty while it is invalid. */
export function listOutgoing(
  { site }: Content,
  text: string,
): readonly { readonly name: string; readonly address: string }[] {
  const written = parsePartner(text);
  if (written === null) return [];
  const partner = fillUtm(written, site.utm);
  return [...partner.destinations.keys()].map((name) => ({
    name,
    address: buildOutboundUrl(
      partner,
      parseLinkQuery(new URLSearchParams({ page: name, source: 'test' }), true),
      { id: TEST_CLICK, gpc: true, answers: NO_ANSWER_CODES },
    ),
  }));
}

function parsePartner(text: string): Partner | null {
  const parsed = parseYaml(text);
  return 'value' in parsed ? (partnerSchema.safeParse(parsed.value).data ?? null) : null;
}

/**
 * Follows the link to a destination of a partner as its file is written; says in a sentence where it leads. For an
 * operator who may not publish, the server asks only hosts that a saved partner names.
 */
export async function testOutgoing(site: ConsoleSite, text: string, name: string, viewer: ConsoleViewer) {
  const partner = parsePartner(text);
  if (partner === null) return { message: 'Correct the form first: the partner is invalid.', isError: true };
  const saved = [...site.content.read().partners.values()].flatMap((one) => [...one.destinations.values()]);
  const hosts = new Set(saved.map((address) => URL.parse(address)?.host));
  if (!isAllowed(viewer, 'publish') && !hosts.has(URL.parse(partner.destinations.get(name) ?? '')?.host))
    return {
      message: `${name} was not tested: no saved partner leads to its host. Ask an operator who may publish.`,
      isError: true,
    };
  const sendLink = site.platform.createLinkRequests(site.settings.TEST_HOSTS);
  const found = await testDestination({ ...site, sendLink }, partner, name);
  if (found === null) {
    const message = `${name} was not tested: its host was sent a request a moment ago, or checks of the partner are off.`;
    return { message, isError: true };
  }
  const { address, isRight, reason } = found;
  return { message: `${name} leads to ${address}: ${reason}.`, isError: !isRight };
}
