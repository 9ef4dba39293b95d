import more from './more-sources.json' with { type: 'json' };
import published from './source-lists.json' with { type: 'json' };

type AdKind = 'display' | 'paid search' | 'affiliate';

/** A site whose visitors have a channel of their own. */
export interface KnownSite {
  readonly kind: 'AI assistant' | 'social' | 'search' | 'email' | AdKind;
  readonly name: string;
}

/** The hosts, and the packages of apps, by the name of their site; `{}` is any country. */
type SourceList = Readonly<Record<string, readonly string[]>>;

/**
 * Lists the sites of Matomo's lists (source-lists.json) and of ours (more-sources.json); the first one that has a host or a
 * name decides. Names of advertising hosts are no tags: what tags say of them is left to the tags.
 */
export function listKnownSites(): readonly (readonly [
  kind: KnownSite['kind'],
  name: string,
  hosts: readonly string[],
])[] {
  const lists: readonly (readonly [KnownSite['kind'], ...SourceList[]])[] = [
    ['AI assistant', published.assistants, more.assistants],
    // Their tags were campaigns before they were known; they stay campaigns, so that no credit changes.
    ['AI assistant', more.laterAssistants],
    ['email', more.webmail],
    ['social', published.networks, more.networks],
    ['paid search', more.searchAds],
    ['display', more.displayAds],
    ['affiliate', more.affiliateAds],
    ['search', published.engines, more.engines],
  ];
  return lists.flatMap(([kind, ...parts]) =>
    parts.flatMap((part) => Object.entries(part).map(([name, hosts]) => [kind, name, hosts] as const)),
  );
}

const isAdKind = (kind: KnownSite['kind']): kind is AdKind =>
  kind === 'paid search' || kind === 'display' || kind === 'affiliate';

/** The webmail of any provider. */
const WEBMAIL_HOST = /^webmail\d?\./;
const OTHER_WEBMAIL: KnownSite = { kind: 'email', name: 'Webmail' };
/** Any country: `de`, `com`, `co.uk`, `com.au`. */
const COUNTRY = /\.(?:(?:com?\.)?[a-z]{2}|com|net|org)$/;
/** Before the host of a search engine; below it are also mail and documents. */
const ENGINE_PREFIX = /^(?:www\d?|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\./;

interface Lists {
  readonly byHost: ReadonlyMap<string, KnownSite>;
  readonly byName: ReadonlyMap<string, KnownSite>;
  readonly assistantTags: ReadonlySet<string>;
  /** Short names that tags use, with the name of their site. */
  readonly aliases: Readonly<Record<string, string>>;
}

let lists: Lists | undefined;

/** Built on first use, so that a start does not wait for it. */
function getLists(): Lists {
  lists ??= buildLists();
  return lists;
}

function buildLists(): Lists {
  const byHost = new Map<string, KnownSite>();
  const byName = new Map<string, KnownSite>();
  for (const [kind, name, hosts] of listKnownSites()) {
    const named = byName.get(name.toLowerCase());
    // Sites of two kinds can have one name: it is a tag of the first, and both keep their hosts.
    const site = named?.kind === kind ? named : { kind, name };
    if (named === undefined && !isAdKind(kind)) byName.set(name.toLowerCase(), site);
    for (const listed of hosts) {
      const host = listed.replace(/^\{\}\./, '');
      if (!byHost.has(host)) byHost.set(host, site);
    }
  }
  const aliases: Lists['aliases'] = more.aliases;
  const assistantTags = [
    ...[published.assistants, more.assistants].flatMap((list) =>
      Object.entries(list).flatMap(([name, hosts]) => [...hosts, name.toLowerCase()]),
    ),
    ...Object.keys(aliases).filter((tag) => byName.get(aliases[tag] ?? '')?.kind === 'AI assistant'),
  ];
  return { byHost, byName, assistantTags: new Set(assistantTags), aliases };
}

/**
 * Finds the site of a host (lower case, without a port) or the package of an app; the most specific one counts. An
 * assistant, a network and a mail service have all hosts below theirs; a search engine only those of countries.
 */
export function findKnownHost(host: string): KnownSite | null {
  const { byHost } = getLists();
  const plain = host.replace(ENGINE_PREFIX, '');
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const site = byHost.get(rest);
    if (site !== undefined && (site.kind !== 'search' || rest === host || rest === plain)) return site;
  }
  return (
    byHost.get(plain.replace(COUNTRY, '.{}')) ??
    byHost.get(host.replace(COUNTRY, '.{}')) ??
    (WEBMAIL_HOST.test(host) ? OTHER_WEBMAIL : null)
  );
}

/** Finds the site that a tag (lower case) names: by its host, its name or a short name. */
export function findTaggedSite(tag: string): KnownSite | null {
  const { byName, aliases } = getLists();
  const site = byName.get(aliases[tag] ?? tag) ?? findKnownHost(tag);
  return site === null || isAdKind(site.kind) ? null : site;
}

/** What assistants name as `utm_source` of the links that they give, in lower case. */
export function listAssistantTags(): readonly string[] {
  return [...getLists().assistantTags];
}

/** Whether a `utm_source` is one that assistants add by themselves; only ASCII letters match in either case, as in SQL. */
export function isAssistantTag(source: string): boolean {
  return getLists().assistantTags.has(source.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}
