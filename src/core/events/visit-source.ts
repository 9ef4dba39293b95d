import {
  AD_CLICKS,
  type Campaign,
  hasCampaign,
  parseCampaign,
  parseCampaignRecord,
  UTM_PARAMETERS,
} from './campaign.ts';
import { findKnownHost, findTaggedSite, type KnownSite } from './source-hosts.ts';

/** How visitors arrive. `campaign` has a tag of the operator that belongs to no other channel. */
export const CHANNELS = [
  'search',
  'paid search',
  'AI assistant',
  'social',
  'paid social',
  'email',
  'referral',
  'affiliate',
  'display',
  'campaign',
  'internal',
  'direct',
  'unknown',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** Where a visit came from. */
export interface VisitSource {
  readonly channel: Channel;
  /** A name of the lists, a host, or the `utm_source`, at most 100 characters; empty without one. */
  readonly name: string;
}

/** The source of a visit of which nothing is known. */
export const UNKNOWN_SOURCE: VisitSource = { channel: 'unknown', name: '' };

/** The source of a visit without journey of which nothing is known: apart from direct visits, and from other unknown ones. */
export const WITHOUT_JOURNEY: VisitSource = { channel: 'unknown', name: 'without journey' };

/** The name of a source in reports: `channel / name`, or the channel alone. */
export function buildSourceName({ channel, name }: VisitSource): string {
  if (channel === 'unknown' && name === WITHOUT_JOURNEY.name) return 'unknown (without journey)';
  return name === '' ? channel : `${channel} / ${name}`;
}

/** Whether a source was paid for. */
export function isPaidSource({ channel }: VisitSource): boolean {
  return ['paid search', 'paid social', 'display', 'affiliate'].includes(channel);
}

/** Parses the channel and the name as events and counts have them; anything else is unknown. */
export function parseVisitSource(channel: unknown, name: unknown): VisitSource {
  const known = CHANNELS.find((text) => text === channel);
  return known === undefined
    ? UNKNOWN_SOURCE
    : { channel: known, name: typeof name === 'string' ? name : '' };
}

/** Parses the name of a source, as `buildSourceName` builds it; a text without a channel is unknown with that name. */
export function parseSourceName(text: string): VisitSource {
  if (text === buildSourceName(WITHOUT_JOURNEY)) return WITHOUT_JOURNEY;
  const [channel = '', ...name] = text.split(' / ');
  const known = CHANNELS.find((one) => one === channel);
  return known === undefined
    ? { channel: 'unknown', name: text }
    : { channel: known, name: name.join(' / ') };
}

/** Cuts an address after its host. */
function cutOrigin(address: string): string {
  const start = address.indexOf('//');
  const end = start < 0 ? -1 : address.indexOf('/', start + 2);
  return end < 0 ? address : address.slice(0, end);
}

/** What is known of an arrival. */
export interface SourceArrival {
  readonly campaign: Campaign;
  /** Address of the page before, or its origin; `direct` or empty without one, undefined when it is not known. */
  readonly referrer: string | undefined;
}

/** The sources of the last arrivals: the rules take as long as all else that a redirect does. */
const known = new Map<string, VisitSource>();
const MAX_KNOWN = 2_000;

/** Decides the source of an arrival. `ownHosts`: those of this site. Never throws. */
export function classifySource(arrival: SourceArrival, ownHosts: readonly string[]): VisitSource {
  const { campaign } = arrival;
  // Of the address only its beginning counts, and of click ids whether there is one.
  const referrer = arrival.referrer === undefined ? undefined : cutOrigin(arrival.referrer);
  let key = `${referrer}\n${ownHosts}`;
  for (const name in campaign)
    key += `\n${name}${name === 'utm_source' || name === 'utm_medium' ? campaign[name] : ''}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const facts = readFacts({ campaign, referrer }, ownHosts);
  let source: VisitSource | null = null;
  for (const { decide } of SOURCE_RULES) {
    source = decide(facts);
    if (source !== null) break;
  }
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, source ?? UNKNOWN_SOURCE);
  return source ?? UNKNOWN_SOURCE;
}

/**
 * Decides the source of a page view: the first of a visit has a `referrer` (`direct` without one) or says that it is the
 * `entry`, any other has no source. Under Global Privacy Control (`gpc`) the campaign alone counts. The event may be one that a
 * browser sends, so that nothing in it is trusted.
 */
export function classifyFirstView(
  event: {
    readonly name: string;
    readonly data?: Readonly<Record<string, unknown>> | undefined;
    readonly campaign?: Readonly<Record<string, unknown>> | undefined;
  },
  ownHosts: readonly string[],
  gpc = false,
): VisitSource | null {
  const { referrer, entry } = event.data ?? {};
  if (event.name !== 'page_view' || (typeof referrer !== 'string' && entry !== true)) return null;
  const known = event.campaign ? parseCampaignRecord(event.campaign) : {};
  const campaign = gpc ? parseCampaignRecord(known, UTM_PARAMETERS) : known;
  return classifySource(
    { campaign, referrer: gpc || typeof referrer !== 'string' ? undefined : referrer },
    ownHosts,
  );
}

/**
 * Decides the source of the visit of a click: by what its link carried, else by the address of the page before the
 * redirect (`referer`), which is a page of this site or one that links to the redirect itself.
 */
export function classifyClick(
  { lastTouch, referrer }: { readonly lastTouch: Campaign; readonly referrer: string },
  referer: string,
  ownHosts: readonly string[],
): VisitSource {
  if (hasCampaign(lastTouch) || referrer !== '')
    return classifySource({ campaign: lastTouch, referrer: referrer || undefined }, ownHosts);
  if (referer === '') return UNKNOWN_SOURCE;
  const source = classifySource({ campaign: {}, referrer: referer }, ownHosts);
  if (source.channel !== 'internal') return source;
  // Without scripts, the address of the page may still have the campaign that the visitor arrived with.
  const start = referer.indexOf('?');
  const campaign = start < 0 ? {} : parseCampaign(referer.slice(start).replace(/#.*/s, ''));
  return classifySource({ campaign, referrer: undefined }, ownHosts);
}

/** What the rules read, in lower case and parsed. */
type SourceFacts = ReturnType<typeof readFacts>;

type ParsedReferrer =
  | { readonly kind: 'own' | 'none' | 'unknown' }
  | { readonly kind: 'site'; readonly host: string; readonly site: KnownSite | null };

/** A rule, in the words of docs/attribution.md; null when it does not apply. */
interface SourceRule {
  readonly when: string;
  readonly decide: (facts: SourceFacts) => VisitSource | null;
}

const DISPLAY_MEDIUM = /^(display|banners?|native|programmatic|interstitial|expandable)$/;
const AUDIENCE_MEDIUM = /^(cpm|cpv|retargeting|remarketing)$/;
const PAID_MEDIUM = /^(cpc|ppc|cpm|cpv|cpa|cpl|sem|ads?|paid.*|.*[-_ ]paid|retargeting|remarketing)$/;
const SEARCH_AD_MEDIUM = /^(cpc|ppc|sem|paid[-_ ]?search)$/;
const EMAIL = /^(e[-_ ]?mails?|newsletters?|mail(ing)?)$/;
const SOCIAL_MEDIUM = /^(organic[-_ ])?(social([-_ ](network|media|post))?|sm)$/;
const ASSISTANT_MEDIUM = /^(ai|ai[-_ ](assistant|chat|search)|llm|chatbot)$/;

/** The rules of sources; the first one that applies decides. Tags count before click ids, and both before referrers. */
export const SOURCE_RULES: readonly SourceRule[] = [
  {
    when: 'the medium is `affiliate`: affiliate',
    decide: (facts) => (/^affiliates?$/.test(facts.medium) ? name('affiliate', facts) : null),
  },
  {
    when: 'the medium is `display`, `banner`, `native` or the like: display',
    decide: (facts) => (DISPLAY_MEDIUM.test(facts.medium) ? name('display', facts) : null),
  },
  {
    when: 'the medium is paid (`cpc`, `ppc`, `cpm`, `paid…`): paid social for a network, display for an audience, else paid search',
    decide: (facts) => (PAID_MEDIUM.test(facts.medium) ? name(choosePaidChannel(facts), facts) : null),
  },
  {
    when: 'the medium or the tag says email: email',
    decide: (facts) =>
      EMAIL.test(facts.medium || facts.tag) || (facts.medium === '' && facts.tagged?.kind === 'email')
        ? name('email', facts)
        : null,
  },
  {
    when: 'a click id of an advertisement: paid social for a network, display for `dclid`, else paid search',
    decide: ({ ad }) => ad,
  },
  {
    when: 'the medium says social: social',
    decide: (facts) => (SOCIAL_MEDIUM.test(facts.medium) ? name('social', facts) : null),
  },
  {
    when: 'the medium says AI: AI assistant',
    decide: (facts) => (ASSISTANT_MEDIUM.test(facts.medium) ? name('AI assistant', facts) : null),
  },
  {
    when: 'the medium is `organic`: the channel of the site that the tag names, else search',
    decide: (facts) => (facts.medium === 'organic' ? name(facts.tagged?.kind ?? 'search', facts) : null),
  },
  {
    when: 'the medium is `referral`: the channel of the site that the tag names, else referral',
    decide: (facts) => (facts.medium === 'referral' ? name(facts.tagged?.kind ?? 'referral', facts) : null),
  },
  {
    when: 'another medium, or the name of a campaign: social for a network, else campaign',
    decide: (facts) => {
      if (facts.medium === '' && !facts.hasCampaignName) return null;
      return name(facts.tagged?.kind === 'social' ? 'social' : 'campaign', facts);
    },
  },
  {
    when: 'the tag alone: the channel of the site that it names, referral for another host, else campaign',
    decide: (facts) => {
      if (facts.tag === '') return null;
      return name(facts.tagged?.kind ?? (isHostName(facts.tag) ? 'referral' : 'campaign'), facts);
    },
  },
  {
    when: '`fbclid` alone: social',
    decide: ({ hasPostClick, referrer }) =>
      hasPostClick ? { channel: 'social', name: namePlatform(referrer, 'social', 'Facebook') } : null,
  },
  {
    when: 'any other campaign parameter: campaign',
    decide: ({ hasParameters }) => (hasParameters ? { channel: 'campaign', name: '' } : null),
  },
  {
    when: 'the referrer is this site: internal',
    decide: ({ referrer }) => (referrer.kind === 'own' ? { channel: 'internal', name: '' } : null),
  },
  {
    when: 'the host of the referrer, or the app, is in the lists: its channel',
    decide: ({ referrer }) => {
      if (referrer.kind !== 'site' || referrer.site === null) return null;
      return { channel: referrer.site.kind, name: referrer.site.name };
    },
  },
  {
    when: 'another referrer: referral',
    decide: ({ referrer }) =>
      referrer.kind === 'site' ? { channel: 'referral', name: referrer.host } : null,
  },
  {
    when: 'no referrer: direct',
    decide: ({ referrer }) => (referrer.kind === 'none' ? { channel: 'direct', name: '' } : null),
  },
];

const name = (channel: Channel, { tag, tagged }: SourceFacts): VisitSource => ({
  channel,
  name: tagged?.name ?? tag,
});

/** A click id is shared by the services of a company, and `yclid` by two: the referrer tells them apart. */
function namePlatform(referrer: ParsedReferrer, kind: KnownSite['kind'], other: string): string {
  return referrer.kind === 'site' && referrer.site?.kind === kind ? referrer.site.name : other;
}

/** Facebook adds its id to links of posts, too: with the id of an ad, a group or a campaign it is an advertisement's. */
function readAd(campaign: Campaign, referrer: ParsedReferrer): VisitSource | null {
  const isAd = Boolean(campaign.ad_id || campaign.ad_group_id || campaign.campaign_id);
  const click = AD_CLICKS.find(({ id }) => campaign[id] && (id !== 'fbclid' || isAd));
  const platform = click === undefined ? null : findTaggedSite(click.source);
  if (click === undefined || platform === null) return null;
  const { kind, name: own } = platform;
  const isShared = click.id === 'fbclid' || click.id === 'yclid';
  const channel = kind === 'social' ? 'paid social' : 'paid search';
  return {
    channel: click.medium === 'display' ? 'display' : channel,
    name: isShared ? namePlatform(referrer, kind, own) : own,
  };
}

function choosePaidChannel({ medium, tagged }: SourceFacts): Channel {
  if (tagged?.kind === 'social' || medium.includes('social')) return 'paid social';
  if (AUDIENCE_MEDIUM.test(medium)) return 'display';
  // Assistants show advertisements beside their replies, as search engines do.
  return tagged !== null || SEARCH_AD_MEDIUM.test(medium) ? 'paid search' : 'display';
}

/** Longest name of a source, in UTF-16 units. */
const MAX_NAME = 100;

const isHostName = (text: string) => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text);

function readFacts({ campaign, referrer: address }: SourceArrival, ownHosts: readonly string[]) {
  const referrer = parseReferrer(address, ownHosts);
  const tag = cleanTag(campaign.utm_source ?? '');
  return {
    medium: (campaign.utm_medium ?? '').trim().toLowerCase(),
    tag,
    tagged: tag === '' ? null : findTaggedSite(tag),
    hasCampaignName: Boolean(campaign.utm_campaign),
    hasParameters: hasCampaign(campaign),
    ad: hasCampaign(campaign) ? readAd(campaign, referrer) : null,
    hasPostClick: Boolean(campaign.fbclid),
    referrer,
  };
}

/** A tag as a name: without a scheme, `www.` and a path, of letters, digits, spaces, `.`, `+`, `_` and `-`. */
function cleanTag(text: string): string {
  const [host = ''] = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .split('/', 1);
  return host
    .replace(/[^\p{L}\p{N} .+_-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed()
    .trim();
}

function parseReferrer(referrer: string | undefined, ownHosts: readonly string[]): ParsedReferrer {
  if (referrer === undefined) return { kind: 'unknown' };
  if (referrer === '' || referrer === 'direct') return { kind: 'none' };
  const host = readHost(referrer);
  if (host === '') return { kind: 'unknown' };
  const isOwn = ownHosts.some((own) => {
    const known = own.replace(/^www\./, '');
    return known !== '' && (host === known || host.endsWith(`.${known}`));
  });
  return isOwn ? { kind: 'own' } : { kind: 'site', host: host.slice(0, MAX_NAME), site: findKnownHost(host) };
}

/** What is kept of the page before a visit that is not stored: the host, or `direct`; empty when it is no address. */
export function readReferrerHost(referrer: string): string {
  return referrer === '' || referrer === 'direct' ? 'direct' : readHost(cutOrigin(referrer));
}

/** Reads the host of an address, or a host, in lower case, without a port and `www.`; empty when it is no page and no app. */
function readHost(address: string): string {
  const url = /^(?:https?|android-app):\/\//i.test(address)
    ? URL.parse(address)
    : isHostName(address)
      ? URL.parse(`https://${address}`)
      : null;
  if (url === null) return '';
  return url.hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}
