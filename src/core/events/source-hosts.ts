import { AI_ASSISTANTS, SEARCH_ENGINES, SOCIAL_NETWORKS } from './source-lists.ts';

/** A site whose visitors have a channel of their own. */
export interface KnownSite {
  readonly kind: 'AI assistant' | 'social' | 'search' | 'email';
  readonly name: string;
}

/** What the published lists lack, as lines of a name, the hosts, and the packages of apps. */
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
const MORE_NETWORKS = `
Facebook: com.facebook.katana com.facebook.lite com.facebook.orca messenger.com
Instagram: com.instagram.android
LinkedIn: com.linkedin.android
Pinterest: com.pinterest
Quora: quora.com
Telegram: t.me telegram.org
Threads: com.instagram.barcelona
TikTok: com.zhiliaoapp.musically
Twitter: com.twitter.android
WhatsApp: whatsapp.com wa.me com.whatsapp
YouTube: com.google.android.youtube
`;
const MORE_ENGINES = `
Bing: com.microsoft.bing
DuckDuckGo: com.duckduckgo.mobile.android
`;
const WEBMAIL = `
AOL Mail: mail.aol.com
Gmail: mail.google.com com.google.android.gm
GMX: navigator.gmx.net bap.navigator.gmx.net
iCloud Mail: icloud.com
Outlook: outlook.live.com outlook.office.com outlook.office365.com com.microsoft.office.outlook
Proton Mail: mail.proton.me ch.protonmail.android
WEB.DE: navigator.web.de bap.navigator.web.de
Yahoo Mail: mail.yahoo.com mail.yahoo.co.jp com.yahoo.mobile.client.android.mail
Yandex Mail: mail.yandex.ru mail.yandex.com
`;

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
  // The first list that has a host or a name decides.
  const sources = [
    ['AI assistant', AI_ASSISTANTS + MORE_ASSISTANTS],
    ['email', WEBMAIL],
    ['social', SOCIAL_NETWORKS + MORE_NETWORKS],
    ['search', SEARCH_ENGINES + MORE_ENGINES],
  ] as const;
  for (const [kind, text] of sources) {
    for (const line of text.trim().split(/\n+/)) {
      const end = line.indexOf(': ');
      const name = line.slice(0, end);
      const site = byName.get(name.toLowerCase()) ?? { kind, name };
      if (site.kind !== kind) continue;
      byName.set(name.toLowerCase(), site);
      for (const host of line.slice(end + 2).split(' ')) {
        const listed = host.replace(/^\{\}\./, '');
        if (!byHost.has(listed)) byHost.set(listed, site);
        if (kind === 'AI assistant') assistantTags.push(listed);
      }
      if (kind === 'AI assistant') assistantTags.push(name.toLowerCase());
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
  return byHost.get(plain.replace(COUNTRY, '.{}')) ?? byHost.get(host.replace(COUNTRY, '.{}')) ?? null;
}

/** Finds the site that a tag (lower case) names: by its host, its name or a short name. */
export function findTaggedSite(tag: string): KnownSite | null {
  return getLists().byName.get(ALIASES[tag] ?? tag) ?? findKnownHost(tag);
}

/** What assistants name as `utm_source` of the links that they give, in lower case. */
export function listAssistantTags(): readonly string[] {
  return [...getLists().assistantTags];
}

/** Whether a `utm_source` is one that assistants add by themselves; only ASCII letters match in either case, as in SQL. */
export function isAssistantTag(source: string): boolean {
  return getLists().assistantTags.has(source.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}
