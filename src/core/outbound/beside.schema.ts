import { z } from 'zod';
import type { StorageRule } from '../consent/needs-asking.ts';
import { readPageParameter } from '../events/site-path.ts';
import { buildRedirectPath, REDIRECT_PREFIX } from '../paths.ts';
import { isLoopback } from '../text/parse-text.ts';
import { findPartnerOfAddress, matchPartnerPath, type Partner } from './partner.ts';

const origin = z
  .string()
  .refine(
    (text) => parseOrigin(text) !== null,
    'has to be the address of a site, such as https://blog.example',
  )
  .transform((text) => parseOrigin(text) ?? text);

/** Scheme and host of a site's address, without a path; http for this machine alone. */
function parseOrigin(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? url.origin
    : null;
}

const prefix = z
  .string()
  .regex(/^\/[\w.~-]+\/$/, 'has to be the beginning of a path, such as /go/')
  .max(60);

/** `content/beside.yaml`: sites of others or of one's own whose visits and paid links are counted here. */
export const besideSchema = z.strictObject({
  hosts: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(60).describe('What reports call it.'),
        address: origin.describe('Where it is, such as https://blog.example.'),
      }),
    )
    .max(20)
    .refine(
      (hosts) => new Set(hosts.map(({ address }) => address)).size === hosts.length,
      'has an address twice',
    )
    .default([])
    .meta({ title: 'Sites', description: 'No other one is counted.' }),
  prefixes: z
    .array(prefix)
    .max(20)
    .default([REDIRECT_PREFIX, '/recommends/', '/out/'])
    .meta({ title: 'Link plugins', description: 'How the paths of their paid links begin.' }),
  cloaked: z
    .record(
      z.string().regex(/^[^\s/]+\/\S+$/, 'has to be host and path, such as blog.example/go/kettle'),
      z
        .string()
        .regex(/^[a-z0-9-]{1,40}(\/[a-z0-9-]{1,40})?$/, 'has to be a partner, or partner/destination'),
    )
    .default({})
    .meta({
      title: 'Cloaked links',
      description: 'Where each of these paths leads: a partner, or partner/destination.',
    }),
  consent: z
    .enum(['site', 'none', 'full'])
    .default('site')
    .meta({ title: 'Storage', description: 'Whether a visit may be kept in the browser for its session.' }),
});

export type Beside = z.output<typeof besideSchema>;

/** No site but our own. */
export const NO_BESIDE: Beside = besideSchema.parse({});

/** The host of a listed origin (`https://blog.example` is `blog.example`); null for any other. */
export function findListedHost({ hosts }: Beside, given: string | null | undefined): string | null {
  const listed = hosts.find(({ address }) => address === given);
  return listed === undefined ? null : new URL(listed.address).host;
}

/** The hosts of the listed sites. */
export const listHosts = ({ hosts }: Beside): readonly string[] =>
  hosts.map(({ address }) => new URL(address).host);

/**
 * Parses the page of a listed site, `blog.example/best-kettles`: its host and path, and the parameter that
 * names it where the path does not. A path without a host is a page of our own.
 * Empty for any other text.
 */
export function parseListedPage(beside: Beside, text: string): string {
  const end = text.indexOf('/');
  const path = end < 1 ? null : URL.parse(`https://${text}`)?.pathname;
  return path && listHosts(beside).includes(text.slice(0, end))
    ? `${text.slice(0, end)}${path}${readPageParameter(text)}`.slice(0, 512)
    : '';
}

/** In filters, the site to which pages without a host belong. */
export const OWN_SITE = 'own';

/** The site of the page of an event, as filters name it: `own`, or its host. */
export const getPageSite = (page: string): string => splitPage(page).host || OWN_SITE;

/** Splits the page of an event: host (empty for our own) and path. */
export function splitPage(page: string): { readonly host: string; readonly path: string } {
  const end = page.indexOf('/');
  return { host: page.slice(0, Math.max(0, end)), path: page.slice(Math.max(0, end)) };
}

/**
 * Where a link of another site leads: `go` is the path of our redirect, absent where its partner allows no redirect or no
 * destination has this address; `count` that of a click that is only counted, absent where the link itself leads through our
 * redirect. Nothing for a link that pays nobody we know.
 */
export interface LinkAnswer {
  readonly go?: string;
  readonly count?: string;
}

/**
 * What the script knows of this site and its partners: where events go and links are asked about (`api`), the hosts of
 * merchants, how the paths of a link plugin begin, and whether a visit may be kept: not in Europe, nowhere (`all`), or
 * everywhere (empty).
 */
export type BesideConfig = readonly [
  origin: string,
  api: string,
  hosts: readonly string[],
  prefixes: readonly string[],
  storage: StorageRule,
];

/** Answers what a link on a page of `host` is. `ourOrigin`: that of this site. */
export function answerLink(
  beside: Beside,
  partners: ReadonlyMap<string, Partner>,
  { host, href, ourOrigin }: Readonly<Record<'host' | 'href' | 'ourOrigin', string>>,
): LinkAnswer {
  const url = URL.parse(href);
  if (url === null || !/^https?:$/.test(url.protocol)) return {};
  if (url.origin === ourOrigin) {
    const target = matchPartnerPath(url.pathname, partners);
    return target === null ? {} : { go: `${url.pathname}?page=${url.searchParams.get('page') ?? ''}` };
  }
  const named = beside.cloaked[`${url.host}${url.pathname}`.replace(/\/$/, '')];
  if (named !== undefined && url.host === host) {
    const [key = '', destination = ''] = named.split('/');
    const partner = partners.get(key);
    return partner === undefined ? {} : lead(partner, destination);
  }
  const partner = findPartnerOfAddress(href, partners);
  if (partner === null) return {};
  const found = findDestination(partner, href);
  return found === null ? { count: `${buildRedirectPath(partner.key)}?page=` } : lead(partner, found);
}

/** The key of the destination that an address is, codes of affiliates and campaigns aside; null where it is none. */
export function findDestination({ destinations }: Partner, href: string): string | null {
  const url = new URL(href);
  return [...destinations].find(([, address]) => isSameTarget(url, new URL(address)))?.[0] ?? null;
}

/** A path with the beginning of a query, to which the script adds. */
function lead({ key, redirect }: Partner, destination: string): LinkAnswer {
  const count = `${buildRedirectPath(key)}?page=${destination}`;
  return redirect === 'no' ? { count } : { go: count, count };
}

/** Whether two addresses show the same page of a merchant: codes of affiliates and campaigns aside. */
function isSameTarget(one: URL, other: URL): boolean {
  const strip = (path: string) => path.replace(/\/$/, '');
  return (
    one.host === other.host &&
    strip(one.pathname) === strip(other.pathname) &&
    [...other.searchParams].every(([name, value]) => one.searchParams.get(name) === value)
  );
}
