import { AI_ASSISTANTS, SEARCH_ENGINES, SOCIAL_NETWORKS } from './source-lists.ts';

type AdKind = 'display' | 'paid search' | 'affiliate';

/** A site whose visitors have a channel of their own. */
export interface KnownSite {
  readonly kind: 'AI assistant' | 'social' | 'search' | 'email' | AdKind;
  readonly name: string;
}

/** What the published lists lack, as a name, the hosts, and the packages of apps; the next on a new line or after `; `. */
const MORE_ASSISTANTS = `
ChatGPT: com.openai.chatgpt
Claude: com.anthropic.claude
Copilot: copilot.com com.microsoft.copilot
Deepseek: deepseek.com com.deepseek.chat
Gemini: com.google.android.apps.bard
Grok: ai.x.grok
Kimi: kimi.com
Le Chat: ai.mistral.chat
Perplexity: ai.perplexity.app.android
Poe: poe.com com.poe.android
`;
/** Assistants whose tags were campaigns before they were known; they stay campaigns, so that no credit changes. */
const LATER_ASSISTANTS = `
AI Studio: aistudio.google.com; Character.AI: character.ai; Claude: claude.com
Copilot: m365.cloud.microsoft copilot.cloud.microsoft edgeservices.bing.com; Doubao: doubao.com; Felo: felo.ai
Genspark: genspark.ai; Grok: x.ai; Kimi: kimi.moonshot.cn; Komo: komo.ai; Le Chat: mistral.ai; Lumo: lumo.proton.me
Manus: manus.im; Phind: phind.com
`;
const MORE_NETWORKS = `
Delicious: delicious.com
Disqus: disqus.com disq.us
Ekşi Sözlük: eksisozluk.com sourtimes.org
Facebook: com.facebook.katana com.facebook.lite com.facebook.orca messenger.com
Instagram: com.instagram.android
Lemmy: lemmy.world lemmy.ml sh.itjust.works io.syncapps.lemmy_sync
LinkedIn: com.linkedin.android
Lobsters: lobste.rs
Odnoklassniki: ok.ru
Pinterest: com.pinterest pin.it pinterest.{}
Pocket: getpocket.com
Quora: quora.com
reddit: com.laurencedawson.reddit_sync com.laurencedawson.reddit_sync.pro
Skype: web.skype.com
Slack: app.slack.com slack-redir.net com.slack
Telegram: t.me telegram.org org.telegram.messenger org.telegram.messenger.web org.telegram.plus org.telegram.biftogram
Threads: com.instagram.barcelona
TikTok: com.zhiliaoapp.musically
Tildes: tildes.net com.talklittle.android.tildes
Twitch: twitch.tv tv.twitch.android.app
Twitter: com.twitter.android
Weibo: m.weibo.cn
WhatsApp: whatsapp.com wa.me l.wl.co com.whatsapp
YouTube: com.google.android.youtube
`;
const MORE_ENGINES = `
360search: so.com m.so.com image.so.com so.360.cn
Bing: com.microsoft.bing
Cốc Cốc: coccoc.com
Dogpile: dogpile.com
DuckDuckGo: html.duckduckgo.com lite.duckduckgo.com com.duckduckgo.mobile.android
Google: lens.google.com discover.google.com google.cat
MetaCrawler: metacrawler.com
WebCrawler: webcrawler.com
`;
const WEBMAIL = `
163: mail.163.com mail.126.com; 1&1: deref-1und1-02.de; AOL Mail: mail.aol.com com.aol.mobile.aolapp
Bigpond: basic.messaging.bigpond.com email.telstra.com
Bluewin: email.bluewin.ch rich-v01.bluewin.ch rich-v02.bluewin.ch; Daum: mail.daum.net mail2.daum.net
EarthLink: com.earthlink.myearthlink; Fastmail: app.fastmail.com
Gmail: mail.google.com inbox.google.com com.google.android.gm
GMX: navigator.gmx.net bap.navigator.gmx.net deref-gmx.{} lightmailer.gmx.{} lightmailer-bs.gmx.net lightmailer-bap.gmx.net
Hispeed: upcmail.hispeed.ch; iCloud Mail: icloud.com; iiNet: mail.iinet.net.au; Infomaniak: mail.infomaniak.com
IONOS: email.ionos.{} mailbusiness.ionos.{}; mail.com: deref-mail.com lightmailer.mail.com 3c-lxa.mail.com
Mail.ru: e.mail.ru touch.mail.ru; Mastermail: mastermail.ru; Mynet: mail.mynet.com; Naver Mail: mail.naver.com
Orange Mail: mail01.orange.fr mail02.orange.fr wmail.orange.fr messagerie.orange.fr messageriepro3.orange.fr
Outlook: outlook.live.com outlook.office.com outlook.office365.com mail.live.com com.microsoft.office.outlook
Proton Mail: mail.proton.me ch.protonmail.android; QIP: mail.qip.ru; QQ Mail: mail.qq.com exmail.qq.com
Rambler Mail: mail.rambler.ru; Seznam Email: email.seznam.cz; Sibmail: sibmail.com; T-Online: email.t-online.de
Ukr.net: mail.ukr.net; Vodafone Mail: mail.vodafone.de
WEB.DE: navigator.web.de bap.navigator.web.de deref-web.de 3c.web.de 3c-bap.web.de lightmailer-bs.web.de lightmailer-bap.web.de
Yahoo Mail: mail.yahoo.com mail.yahoo.{} com.yahoo.mobile.client.android.mail
Yandex Mail: mail.yandex.ru mail.yandex.{}; Zoho Mail: mail.zoho.com mail.zoho.eu
`;
/** Hosts that serve advertisements and count their clicks. What tags say of these names is left to the tags. */
const SEARCH_ADS = `
Google: googleadservices.com syndicatedsearch.goog adsensecustomsearchads.com
Yandex Direct: an.yandex.ru yabs.yandex.ru yabs.yandex.ua yabs.yandex.com yabs.yandex.by
`;
const DISPLAY_ADS = `
Acuity: acuityplatform.com; Adform: adform.net; ADFOX: adfox.ru; Adition: adition.com; AdRoll: adroll.com
Amazon Ads: amazon-adsystem.com; AppNexus: adnxs.com 247realmedia.com; BidSwitch: bidswitch.net
Casale Media: casalemedia.com; Criteo: criteo.com criteo.net; Flashtalking: flashtalking.com; Fluct: adingo.jp
Google: doubleclick.net googlesyndication.com 2mdn.net imasdk.googleapis.com; Jivox: jivox.com
LifeStreet: lfstmedia.com; MicroAd: microad.jp; OpenX: openx.net servedbyopenx.com openxenterprise.com
Outbrain: outbrain.com; Plista: farm.plista.com; PubMatic: pubmatic.com; Rubicon: rubiconproject.com
Sizmek: serving-sys.com; Sociomantic: sociomantic.com; Sonobi: sonobi.com; Sovrn: lijit.com
SteelHouse: steelhousemedia.com; StickyADS.tv: stickyadstv.com; Taboola: taboola.com
Tribal Fusion: tribalfusion.com; Yieldmo: yieldmo.com; ZEDO: zedo.com
`;
const AFFILIATE_ADS = `
Awin: awin1.com zenaps.com; CJ: anrdoezrs.net dpbolvw.net jdoqocy.com kqzyfj.com tkqlhce.com; Partnerize: prf.hn
Rakuten: click.linksynergy.com; Skimlinks: go.skimresources.com go.redirectingat.com
TradeDoubler: clk.tradedoubler.com; Webgains: track.webgains.com
`;

/** Lists every list; the first one that has a host or a name decides. Names of advertising hosts are no tags. */
export function listSourceLines(): readonly (readonly [kind: KnownSite['kind'], lines: string])[] {
  return [
    ['AI assistant', AI_ASSISTANTS + MORE_ASSISTANTS],
    ['AI assistant', LATER_ASSISTANTS],
    ['email', WEBMAIL],
    ['social', SOCIAL_NETWORKS + MORE_NETWORKS],
    ['paid search', SEARCH_ADS],
    ['display', DISPLAY_ADS],
    ['affiliate', AFFILIATE_ADS],
    ['search', SEARCH_ENGINES + MORE_ENGINES],
  ];
}

const isAdKind = (kind: KnownSite['kind']): kind is AdKind =>
  kind === 'paid search' || kind === 'display' || kind === 'affiliate';

/** Short names that tags use, with the name of their site. */
const ALIASES: Readonly<Record<string, string>> = {
  adwords: 'google',
  'google-ads': 'google',
  googleads: 'google',
  bingads: 'bing',
  'microsoft-ads': 'bing',
  yahoo: 'yahoo!',
  openai: 'chatgpt',
  bard: 'gemini',
  mistral: 'le chat',
  fb: 'facebook',
  meta: 'facebook',
  ig: 'instagram',
  insta: 'instagram',
  x: 'twitter',
  yt: 'youtube',
  hackernews: 'hacker news',
};

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
  const assistantTags: string[] = [];
  for (const [kind, text] of listSourceLines()) {
    for (const line of text.trim().split(/\n+|; /)) {
      const end = line.indexOf(': ');
      const name = line.slice(0, end);
      const named = byName.get(name.toLowerCase());
      // Sites of two kinds can have one name: it is a tag of the first, and both keep their hosts.
      const site = named?.kind === kind ? named : { kind, name };
      if (named === undefined && !isAdKind(kind)) byName.set(name.toLowerCase(), site);
      const listed = line
        .slice(end + 2)
        .split(' ')
        .map((host) => host.replace(/^\{\}\./, ''));
      for (const host of listed) if (!byHost.has(host)) byHost.set(host, site);
      if (text.startsWith(AI_ASSISTANTS)) assistantTags.push(...listed, name.toLowerCase());
    }
  }
  assistantTags.push(
    ...Object.keys(ALIASES).filter((tag) => byName.get(ALIASES[tag] ?? '')?.kind === 'AI assistant'),
  );
  return { byHost, byName, assistantTags: new Set(assistantTags) };
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
  const site = getLists().byName.get(ALIASES[tag] ?? tag) ?? findKnownHost(tag);
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
