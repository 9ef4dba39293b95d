import { findPartnerOfAddress, isPartnerPath, type Partner } from '../outbound/partner.ts';
import type { TextPath } from './claims/placeholders.ts';

/** One thing wrong with a value of a content file. */
export interface ValueProblem {
  readonly path: TextPath;
  readonly reason: string;
}

/** The partners that links may name. */
export interface KnownPartners {
  readonly partners: ReadonlyMap<string, Partner>;
  /** Keys of partner files that have problems of their own, so that nothing is said about links to them. */
  readonly invalid: ReadonlySet<string>;
  /** Addresses of the sources of prices and facts, which texts may cite although they are a partner's. */
  readonly sources?: ReadonlySet<string>;
}

/** A link of a text: `[words](target)`, with or without a title. */
const TEXT_LINK = /\]\(((?:(?!\]\()[^)\s])+)(?:[ \t]+["'][^"']*["'])?\)/g;
const PARTNER_TARGET = /^partner:(?:([a-z0-9-]+)\/)?([a-z0-9-]+)$/;

/** What a link target of a text says of a partner: `partner:trial`, `partner:kit/trial`; null for another target. */
export function parsePartnerTarget(
  target: string,
): { readonly partner?: string; readonly page: string } | null {
  const [, partner, page] = PARTNER_TARGET.exec(target) ?? [];
  if (page === undefined) return null;
  return { ...(partner !== undefined && { partner }), page };
}

/** The targets of the links of a text. */
export function listTextTargets(text: string): string[] {
  return [...text.matchAll(TEXT_LINK)].flatMap(([, target]) => target ?? []);
}

/** Whether a content value has a link to a partner in a text or a button, so that its page needs the disclosure. */
export function hasPartnerTarget(content: unknown): boolean {
  return /"partnerLink":|\]\(partner:/.test(JSON.stringify(content));
}

/**
 * Checks every link of a content value that leads to a partner: it has to name a partner and a page that exist,
 * and must not be written as a path or address, which would be neither marked, nor counted, nor disclosed.
 */
export function checkPartnerLinks(content: unknown, known: KnownPartners): ValueProblem[] {
  const { partner } = readMapping(readMapping(content)['cta']);
  const problems: ValueProblem[] = [];
  // Links that name no partner of their own follow it: it is reported once.
  const isUnknown = typeof partner === 'string' && !known.partners.has(partner);
  if (isUnknown && !known.invalid.has(partner)) {
    problems.push({ path: ['cta', 'partner'], reason: `no partner is called "${partner}"` });
  }
  const checkLink = (path: TextPath, link: { readonly partner?: unknown; readonly page: string }) => {
    const reason = findFault(known, link.page, link.partner ?? (isUnknown ? undefined : partner));
    if (reason !== null) problems.push({ path, reason });
  };
  const checkTarget = (path: TextPath, target: string, advice: string) => {
    const found = !known.sources?.has(target) && findPartner(known, target);
    if (found) problems.push({ path, reason: `links to a partner by its address: ${advice}` });
  };
  const walk = (value: unknown, path: TextPath): void => {
    if (typeof value === 'string') {
      if (path.at(-1) === 'href') checkTarget(path, value, 'for a partner use `partnerLink`');
      for (const target of listTextTargets(value)) {
        const named = parsePartnerTarget(target);
        if (named !== null) checkLink(path, named);
        else checkTarget(path, target, 'write [words](partner:pricing) or [words](partner:kit/trial)');
      }
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        walk(item, [...path, index]);
      });
    } else if (typeof value === 'object' && value !== null) {
      const { partnerLink, partner: own } = readMapping(value);
      if (typeof partnerLink === 'string')
        checkLink([...path, 'partnerLink'], {
          partner: isUnknown && own === partner ? undefined : own,
          page: partnerLink,
        });
      for (const [key, child] of Object.entries(value)) walk(child, [...path, key]);
    }
  };
  walk(content, []);
  return problems;
}

function readMapping(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function findFault({ partners, invalid }: KnownPartners, page: string, key: unknown): string | null {
  if (typeof key !== 'string') {
    // Which partner it is can change with a setting; `pricing` serves what that partner does not have.
    const isKnown =
      invalid.size > 0 || [...partners.values()].some(({ destinations }) => destinations.has(page));
    return isKnown ? null : `no partner has a page "${page}"`;
  }
  const partner = partners.get(key);
  if (partner === undefined) return invalid.has(key) ? null : `no partner is called "${key}"`;
  if (partner.destinations.has(page)) return null;
  return `partner "${key}" has no page "${page}"; it has ${[...partner.destinations.keys()].join(', ')}`;
}

function findPartner({ partners }: KnownPartners, target: string): boolean {
  if (target.startsWith('/')) return isPartnerPath(target.split(/[?#]/, 1)[0] ?? '', partners);
  return findPartnerOfAddress(target, partners) !== null;
}
