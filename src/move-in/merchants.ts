import { hash } from 'node:crypto';
import { stringify } from 'yaml';
import { z } from 'zod';
import { editYaml } from '../content-files/edit-yaml.ts';
import { readShippedNetworks } from '../content-files/networks.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import type { Networks } from '../core/commissions/networks/network.schema.ts';
import { partnerSchema } from '../core/outbound/partner.schema.ts';
import { buildRedirectPath } from '../core/paths.ts';
import { describeIssue } from '../core/text/describe-issue.schema.ts';
import { buildSlug } from '../core/text/slug.ts';
import { copyText } from './former-item.ts';

/** A parameter that names an affiliate on some sites, and the sender of any visit on others: of link plugins only. */
const PLUGIN_MARK = 'ref';
/** The network of links that name none. */
const GENERIC = 'generic';

const isBelow = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);

type RecognizedLink = NonNullable<ReturnType<typeof recognizeLink>>;

/** The network that an address is of; null for the site of a merchant. */
function findNetwork(networks: Networks, { hostname }: URL) {
  for (const [network, { link }] of networks) {
    const isOwn = (parent: string) => isBelow(hostname, parent);
    if (link?.hosts.some(isOwn)) return { network, link, isShop: false };
    if (link?.shops.some(isOwn)) return { network, link, isShop: true };
  }
  return null;
}

/** The network whose mark an address of a merchant has; null without one. */
function findMark(networks: Networks, { searchParams }: URL, isPlugin: boolean) {
  const found = [...networks].flatMap(([network, { link }]) => {
    const payee = link?.marks.find((name) => searchParams.has(name));
    return link === undefined || payee === undefined ? [] : [{ network, link, payee }];
  });
  const other = isPlugin && searchParams.has(PLUGIN_MARK);
  return (
    found.find(({ network }) => network !== GENERIC) ??
    found[0] ??
    (other ? { network: GENERIC, link: undefined, payee: PLUGIN_MARK } : null)
  );
}

/** Recognizes an affiliate link; null for another. `isPlugin`: a link plugin has it, so that it is one. */
function recognizeLink(networks: Networks, target: string, isPlugin: boolean) {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  const host = url.host.replace(/^www\./, '');
  const known = findNetwork(networks, url);
  const mark = known === null ? findMark(networks, url, isPlugin) : null;
  const { network, link } = known ?? mark ?? { network: GENERIC, link: undefined };
  const parameter = known?.link.payee ?? mark?.payee ?? '';
  const value = parameter === '' ? '' : (url.searchParams.get(parameter) ?? '');
  // A link to a shop without an affiliate id is a link like any other.
  const isPaid = known === null ? mark !== null : !known.isShop || value !== '';
  if (!isPaid && !isPlugin) return null;
  const id = url.searchParams.get(known?.link.merchant ?? '') ?? '';
  const merchant = id === '' ? host : `${known?.link.hosts[0]?.replace(/\.\w+$/, '') ?? host}-${id}`;
  const { clickIds, place, parameter: own = '' } = link ?? {};
  const subId = clickIds === 'forbidden' || place === 'path' || own === parameter ? '' : own;
  return { group: `${merchant} ${value}`.trim(), merchant, network, parameter, value, subId };
}

/** Who is paid for an address; empty when it does not say. */
export const findAffiliateTag = (address: string): string =>
  recognizeLink(readShippedNetworks(), address, false)?.value ?? '';

/** Who is paid, as a file of a partner can state it; null: what only the links themselves can say. */
function readAffiliate<Affiliate extends { readonly parameter: string; readonly value: string }>(
  affiliate: Affiliate | null,
): Affiliate | null {
  const { parameter = '', value = '' } = affiliate ?? {};
  return parameter === '' || !/^[\w.~-]{1,100}$/.test(value) ? null : affiliate;
}

/** What the operator confirms of the links of one merchant. */
export const partnerDecisionSchema = z.strictObject({
  /** The links: the merchant and the affiliate id. */
  links: z.string(),
  confirm: z.boolean(),
  key: z.string().regex(/^[a-z0-9-]{1,40}$/, 'only a-z, 0-9 and -, at most 40 characters'),
  name: z.string().trim().min(1).max(60),
  network: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** null: the links have the affiliate id themselves, such as in their path, and stay byte for byte. */
  affiliate: z.strictObject({ parameter: z.string(), value: z.string() }).nullable().transform(readAffiliate),
  subId: z.string().nullable(),
});
export type PartnerDecision = z.infer<typeof partnerDecisionSchema>;

/** The field of a form in which a decision about links is: by merchant, so that no other form fits. */
export const nameDecision = (
  field: 'confirm' | 'key' | 'name' | 'network' | 'parameter' | 'subId',
  links: string,
): string => `${field} ${links}`;

/** Parses the decisions of an operator. Returns what is wrong with them instead. */
export function parseDecisions(
  input: unknown,
): { readonly decisions: readonly PartnerDecision[] } | { readonly problems: readonly string[] } {
  const result = z.array(partnerDecisionSchema).safeParse(input ?? [], { error: describeIssue });
  if (!result.success) {
    return {
      problems: result.error.issues.map(
        ({ path, message }) => `entry ${Number(path[0] ?? 0) + 1}, ${path.slice(1).join('.')}: ${message}`,
      ),
    };
  }
  const taken = new Map<string, string>();
  const problems = result.data.flatMap(({ confirm, key, links }) => {
    const other = confirm ? taken.get(key) : undefined;
    if (confirm) taken.set(key, links);
    return other === undefined ? [] : [`${links}: the key "${key}" is that of ${other} already`];
  });
  return problems.length > 0 ? { problems } : { decisions: result.data };
}

/** The links of one merchant with one affiliate id, and what they are proposed to become. */
export interface LinkGroup {
  readonly proposal: PartnerDecision;
  /** Whose links they are. */
  readonly network: string;
  /** Targets with the number of links to each, in the order in which they were found. */
  readonly targets: ReadonlyMap<string, number>;
  /** Other links to the merchant's site. The site sends them through its partner too, once there is one. */
  readonly plain: ReadonlyMap<string, number>;
}

/** The affiliate links of a former site by merchant. */
export class Merchants {
  /** Links that nothing marks as paid, by host. */
  readonly #others = new Map<string, Map<string, number>>();
  readonly #groups = new Map<
    string,
    { readonly link: RecognizedLink; readonly targets: Map<string, number> }
  >();

  readonly #targets = new Set<string>();
  readonly #networks: Networks;

  /** `networks`: say which hosts and parameters pay. */
  constructor(networks: Networks) {
    this.#networks = networks;
  }

  /** The host of Amazon's shop of a country, such as `DE`; undefined: it has none. */
  findShop(country: string): string | undefined {
    const end = country === 'US' ? 'com' : country === 'GB' ? 'uk' : country.toLowerCase();
    const shop = this.#networks.get('amazon')?.link?.shops.find((host) => host.split('.').at(-1) === end);
    return shop && `www.${shop}`;
  }

  /** Counts a link; false: it is no affiliate link. `uses`: 0 for a target that no text has. */
  add(found: string, isPlugin: boolean, uses = 1): boolean {
    const target = copyText(found);
    const link = recognizeLink(this.#networks, target, isPlugin);
    if (link === null) {
      if (!isPlugin && URL.canParse(target)) addTo(this.#others, new URL(target).hostname, target, uses);
      return false;
    }
    const group = this.#groups.get(link.group) ?? { link, targets: new Map<string, number>() };
    group.targets.set(target, (group.targets.get(target) ?? 0) + uses);
    this.#groups.set(link.group, group);
    this.#targets.add(target);
    return true;
  }

  /** Whether a link is to be marked as paid. */
  isPaid(target: string): boolean {
    return this.#targets.has(target) || recognizeLink(this.#networks, target, false) !== null;
  }

  /** Whether a paid link leads to Amazon and names nobody. */
  isUntagged(target: string): boolean {
    if (!this.isPaid(target) || !URL.canParse(target)) return false;
    const url = new URL(target);
    const { network, isShop = false, link } = findNetwork(this.#networks, url) ?? {};
    return network === 'amazon' && isShop && !url.searchParams.get(link?.payee ?? '');
  }

  /** Links to the sites of merchants themselves, by merchant; a network's host is no merchant. */
  #groupPlain(): Map<string, [target: string, uses: number][]> {
    const plain = new Map<string, [target: string, uses: number][]>();
    for (const { link } of this.#groups.values()) plain.set(link.merchant, []);
    for (const [host, targets] of this.#others)
      for (let parent = host; parent !== ''; parent = parent.split('.').slice(1).join('.'))
        plain.get(parent)?.push(...targets);
    return plain;
  }

  /** The groups by name, each with what was decided about it, or else a proposal that confirms nothing. */
  list(decisions: readonly PartnerDecision[] = []): readonly LinkGroup[] {
    const keys = new Set(decisions.map(({ key }) => key));
    const plain = this.#groupPlain();
    return [...this.#groups.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([links, { link, targets }]) => {
        const base =
          buildSlug(nameMerchant(link.merchant))
            .replace(/[^a-z0-9-]/g, '')
            .slice(0, 30) || 'partner';
        const proposal = decisions.find((decision) => decision.links === links) ?? {
          links,
          confirm: false,
          key: addUnique(base, links, keys),
          name: base.replace(/(?:^|-)[a-z]/g, (letter) => letter.replace('-', ' ').toUpperCase()),
          network: link.network,
          affiliate: readAffiliate({ parameter: link.parameter, value: link.value }),
          subId: link.subId === '' ? null : link.subId,
        };
        // They belong to its first group.
        const own = new Map(plain.get(link.merchant));
        plain.delete(link.merchant);
        return { proposal, network: link.network, targets, plain: own };
      });
  }
}

function addTo(counts: Map<string, Map<string, number>>, key: string, target: string, uses: number): void {
  const known = counts.get(key) ?? new Map<string, number>();
  known.set(target, (known.get(target) ?? 0) + uses);
  counts.set(key, known);
}

/** The part of a host that names its owner: `www.shop.co.uk` → `shop`. */
function nameMerchant(host: string): string {
  const labels = host.split('.');
  const isSecondLevel = labels.length > 2 && /^(?:ac|co|com|edu|gov|net|org)$/.test(labels.at(-2) ?? '');
  return labels.at(isSecondLevel ? -3 : -2) ?? host;
}

/**
 * Adds a name to those that are in use, and returns it. Where two would be one, the later has a short hash of what it stands
 * for: never a number, which an order or a count decides.
 */
export function addUnique(base: string, meant: string, taken: Set<string>): string {
  let name = base;
  for (let length = 6; taken.has(name); length += 1)
    name = `${base}-${hash('sha256', `${length} ${meant}`, 'hex').slice(0, length)}`;
  taken.add(name);
  return name;
}

/** A partner's file, and the path of the redirect for each target. */
export interface BuiltPartner {
  readonly key: string;
  readonly text: string;
  readonly paths: ReadonlyMap<string, string>;
  /** The key of the destination of each target. */
  readonly keys: ReadonlyMap<string, string>;
  /** What was changed in targets, a sentence each. */
  readonly changes: readonly string[];
}

const SUB_ID_LENGTH = 40;

/** What is read of the file of a former partner. */
const formerSchema = z.object({
  affiliate: z.object({ parameter: z.string(), value: z.string().optional() }).nullable(),
  hosts: z.array(z.string()),
  destinations: z.record(z.string(), z.string()),
});

const HEAD = '# Imported: the links of the former site to';

function readFormer(text: string) {
  const read = parseYaml(text);
  return formerSchema.safeParse('value' in read ? read.value : null).data;
}

/** Whether an import that was interrupted before it recorded the file has written it, for the same payee. */
export const isUnrecorded = (text: string, { affiliate }: PartnerDecision): boolean =>
  text.startsWith(HEAD) && JSON.stringify(readFormer(text)?.affiliate) === JSON.stringify(affiliate);

/**
 * Builds the file of a confirmed partner. Returns what is wrong instead, so that its links stay plain ones. The
 * affiliate id is in the file byte for byte. A key that a target has got stays, since articles and other sites name it. To a
 * file that was edited, destinations are added, and nothing else is changed. `former`: the key that each target got in earlier
 * imports, and the file as it is now.
 */
export function buildPartner(
  { network: linked, targets, plain }: LinkGroup,
  decision: PartnerDecision,
  former: Pick<BuiltPartner, 'keys' | 'text'> & { readonly isEdited: boolean },
): BuiltPartner | { readonly problem: string } {
  const { key, name, network, affiliate, subId } = decision;
  const file = readFormer(former.text);
  const present = new Map(Object.entries(file?.destinations ?? {}));
  const payee = former.isEdited && file !== undefined ? file.affiliate : affiliate;
  const build = (target: string) => buildDestination(target, payee?.parameter ?? '');
  const pages = new Map<string, string>();
  /** By address without what only tracks, which makes no other destination. */
  const alike = new Map<string, string>();
  const addPage = (address: string, page: string) => {
    const bare = removeTracking(address, subId);
    if (!pages.has(address)) pages.set(address, page);
    if (!alike.has(bare)) alike.set(bare, page);
  };
  // Where the operator has corrected an address, the target still has the key; where a key was renamed, the address tells it.
  for (const [target, page] of former.keys) if (present.has(page)) addPage(build(target), page);
  for (const [page, address] of present) addPage(address, page);
  for (const [target, page] of former.keys) addPage(build(target), page);
  const destinations = Object.fromEntries(present);
  const keys = new Map<string, string>();
  const paths = new Map<string, string>();
  const changes = new Set<string>();
  const taken = new Set(['pricing', ...present.keys(), ...former.keys.values()]);
  const sort = (links: ReadonlyMap<string, number>) =>
    [...links].sort(([one, uses], [other, otherUses]) => otherUses - uses || (one < other ? -1 : 1));
  const sorted = [...sort(targets), ...sort(plain)];
  for (const [target] of sorted) {
    const address = build(target);
    if (target.startsWith('http:')) changes.add('http:// became https://, which links to partners have');
    if (subId !== null && new URL(target).searchParams.has(subId))
      changes.add(`the value of ${subId} in its links gives way to the id of each click`);
    if (
      affiliate !== null &&
      [...new URL(address).searchParams.keys()].some((name) => name.startsWith('utm_'))
    )
      changes.add('utm_ parameters of its links give way to those of each visit');
    const known = pages.get(address) ?? alike.get(removeTracking(address, subId));
    const page = known ?? (pages.size === 0 ? 'pricing' : addUnique(namePage(address), address, taken));
    addPage(address, page);
    destinations[page] ??= address;
    keys.set(target, page);
    paths.set(target, `${buildRedirectPath(key)}?page=${page}`);
  }
  if (former.isEdited) {
    const added = Object.entries(destinations).filter(([page]) => !present.has(page));
    const edited = addDestinations(former.text, added, file?.hosts ?? []);
    if ('problem' in edited) return edited;
    const names = added.map(([page]) => page).join(', ');
    const what = added.length === 0 ? 'stays as it is' : `got these destinations: ${names}`;
    const notes = [`was edited since the last import and ${what}`, ...changes];
    return { key, text: edited.text, paths, keys, changes: notes };
  }
  const first = new URL(destinations['pricing'] ?? 'https://site.invalid');
  const partner = {
    key,
    name,
    site: `${first.origin}/`,
    hosts: [...new Set(Object.values(destinations).map((address) => new URL(address).host))],
    affiliate,
    subId: subId === null ? null : { parameter: subId, maxLength: SUB_ID_LENGTH },
    forward: ['affiliate', 'subId'],
    network,
    redirect: 'http',
    // Its terms ask for links that lead there directly, and for no prices of its own.
    ...(linked === 'amazon' && { redirect: 'no', prices: 'none' }),
    destinations,
  };
  const problem = checkPartner(partner);
  if (problem !== null) return { problem };
  const head = `${HEAD} ${name}. What each field means: docs/recipes/partner.md.\n`;
  return { key, text: head + stringify(partner, { lineWidth: 0 }), paths, keys, changes: [...changes] };
}

/** What is wrong with the value of a partner's file; null when nothing is. */
function checkPartner(partner: unknown): string | null {
  const checked = partnerSchema.safeParse(partner, { error: describeIssue });
  const reasons = checked.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return reasons?.join('; ') ?? null;
}

/** Adds destinations to the file of a partner, with their hosts; `hosts`: those that it has. */
function addDestinations(
  text: string,
  added: readonly (readonly [page: string, address: string])[],
  hosts: readonly string[],
): { readonly text: string } | { readonly problem: string } {
  if (added.length === 0) return { text };
  const all = new Set([...hosts, ...added.map(([, address]) => new URL(address).host)]);
  const missing = [...all].slice(new Set(hosts).size);
  const edited = editYaml(text, [
    ...added.map(([page, value]) => ({ kind: 'set', path: ['destinations', page], value }) as const),
    ...missing.map((value, at) => ({ kind: 'insert', path: ['hosts', hosts.length + at], value }) as const),
  ]);
  const read = parseYaml('text' in edited ? edited.text : text);
  const problem = 'problem' in edited ? edited.problem : checkPartner('value' in read ? read.value : null);
  if ('text' in edited && problem === null) return edited;
  const lines = added.map(([page, address]) => `${page}: ${address}`).join('; ');
  return { problem: `its file was edited and needs these destinations: ${lines}; but ${problem}` };
}

/** The address without the affiliate's parameter, which every link gets. */
function buildDestination(target: string, parameter: string): string {
  const [before = '', hash] = target.replace(/^http:/i, 'https:').split('#', 2);
  const [base = '', query] = splitOnce(before, '?');
  // What a former site put into `ascsubtag` may stand for a visitor, which Amazon forbids.
  const isOther = (part: string) =>
    parameter === '' || ![parameter, 'ascsubtag'].some((name) => new URLSearchParams(part).has(name));
  const rest = query?.split('&').filter(isOther).join('&');
  return `${base}${rest ? `?${rest}` : ''}${hash === undefined ? '' : `#${hash}`}`;
}

/** Parameters of an address that tell where a visit came from and never what it shows. */
const TRACKING = /^(?:utm_\w+|gclid|fbclid|msclkid|ascsubtag)$/i;

function removeTracking(address: string, subId: string | null): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()])
    if (name === subId || TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Names a destination by where it leads, also through a network's own address. */
function namePage(address: string): string {
  const own = new URL(address);
  const inner = [...own.searchParams.values()].find((value) => /^https?:/.test(value) && URL.canParse(value));
  const { pathname, searchParams } = inner === undefined ? own : new URL(inner);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? [...searchParams.values()][0] ?? '';
  const slug = buildSlug(last.replace(/%[0-9a-f]{2}/gi, '-'))
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, 30);
  return slug.replace(/^-+|-+$/g, '') || 'page';
}

/** Writes groups as a file for the operator, each with the decision that was made or proposed. */
export function formatDecisions(groups: readonly LinkGroup[], made: readonly PartnerDecision[]): string {
  const known = new Map(made.map((decision) => [decision.links, decision]));
  const entries = groups.map(({ proposal, targets }) => {
    const count = [...targets.values()].reduce((sum, uses) => sum + uses, 0);
    const examples = [...targets.keys()].slice(0, 3).map((target) => `  # ${target.replace(/\s/g, '')}`);
    const text = stringify([known.get(proposal.links) ?? proposal], { lineWidth: 0 });
    return [
      `# ${count} links to ${targets.size} addresses, such as`,
      ...examples.map((line) => line.trim()),
      text,
    ].join('\n');
  });
  return [
    '# The affiliate links of the former site, by merchant. Set confirm: true for each partner that is right, then run the',
    '# import again: its links go through /go from then on. The links of the others stay as they are, marked as sponsored.',
    ...entries,
  ].join('\n');
}
