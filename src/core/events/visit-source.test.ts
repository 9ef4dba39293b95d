import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { parseCampaign } from './campaign.ts';
import { findKnownHost, isAssistantTag, listAssistantTags, listKnownSites } from './source-hosts.ts';
import {
  buildSourceName,
  CHANNELS,
  classifyClick,
  classifyFirstView,
  classifySource,
  parseVisitSource,
} from './visit-source.ts';

const OWN = ['www.desks.test', 'schreibtische.test', '203.0.113.7'];

/** The query of the arrival, its referrer (undefined: not known), and the source. */
const CASES: readonly (readonly [query: string, referrer: string | undefined, source: string])[] = [
  // Search engines, by their hosts in any country.
  ['', 'https://www.google.com/', 'search / Google'],
  ['', 'https://www.google.co.uk/search?q=desk', 'search / Google'],
  ['', 'https://google.de', 'search / Google'],
  ['', 'https://WWW.GOOGLE.COM.AU:443/', 'search / Google'],
  ['', 'https://www.google.com./', 'search / Google'],
  ['', 'https://images.google.fr/', 'search / Google Images'],
  ['', 'https://www.bing.com/', 'search / Bing'],
  ['', 'https://cn.bing.com/', 'search / Bing'],
  ['', 'https://duckduckgo.com/', 'search / DuckDuckGo'],
  ['', 'https://search.yahoo.com/', 'search / Yahoo!'],
  ['', 'https://de.search.yahoo.com/', 'search / Yahoo!'],
  ['', 'https://yandex.ru/', 'search / Yandex'],
  ['', 'https://www.ecosia.org/', 'search / Ecosia'],
  ['', 'https://search.brave.com/', 'search / Brave'],
  ['', 'https://kagi.com/', 'search / Kagi'],
  ['', 'android-app://com.google.android.googlequicksearchbox/', 'search / Google'],
  ['', 'https://www.so.com/', 'search / 360search'],
  ['', 'https://coccoc.com/search', 'search / Cốc Cốc'],
  ['', 'https://html.duckduckgo.com/', 'search / DuckDuckGo'],
  ['', 'https://lens.google.com/', 'search / Google'],
  ['', 'https://www.dogpile.com/', 'search / Dogpile'],
  // A host alone.
  ['', 'www.google.de', 'search / Google'],
  ['', 'blog.example', 'referral / blog.example'],
  // What is below the host of an engine and no search.
  ['', 'https://news.google.com/', 'referral / news.google.com'],
  ['', 'https://news.google.de/', 'referral / news.google.de'],
  ['', 'https://translate.google.com/', 'referral / translate.google.com'],
  ['', 'https://docs.google.com/document/d/1', 'referral / docs.google.com'],
  ['', 'https://mail.google.com/', 'email / Gmail'],
  ['', 'https://www.cnn.com/', 'referral / cnn.com'],
  // Assistants.
  ['', 'https://chatgpt.com/', 'AI assistant / ChatGPT'],
  ['', 'https://chat.openai.com/', 'AI assistant / ChatGPT'],
  ['', 'https://www.chatgpt.com:8443/c/1', 'AI assistant / ChatGPT'],
  ['', 'https://gemini.google.com/app', 'AI assistant / Gemini'],
  ['', 'https://www.perplexity.ai/search/1', 'AI assistant / Perplexity'],
  ['', 'https://claude.ai/', 'AI assistant / Claude'],
  ['', 'https://copilot.microsoft.com/', 'AI assistant / Copilot'],
  ['', 'https://duck.ai/', 'AI assistant / Duck.ai'],
  ['', 'https://yiyan.baidu.com/', 'AI assistant / Baidu AI'],
  ['', 'android-app://com.openai.chatgpt/', 'AI assistant / ChatGPT'],
  ['', 'android-app://ai.perplexity.app.android', 'AI assistant / Perplexity'],
  ['', 'https://m365.cloud.microsoft/', 'AI assistant / Copilot'],
  ['', 'https://copilot.cloud.microsoft/', 'AI assistant / Copilot'],
  ['', 'https://edgeservices.bing.com/', 'AI assistant / Copilot'],
  ['', 'https://aistudio.google.com/', 'AI assistant / AI Studio'],
  ['', 'https://claude.com/', 'AI assistant / Claude'],
  ['', 'https://grok.x.ai/', 'AI assistant / Grok'],
  ['', 'https://kimi.moonshot.cn/', 'AI assistant / Kimi'],
  ['', 'https://lumo.proton.me/', 'AI assistant / Lumo'],
  ['', 'https://www.phind.com/', 'AI assistant / Phind'],
  ['', 'https://beta.character.ai/', 'AI assistant / Character.AI'],
  ['utm_source=mistral.ai', '', 'AI assistant / Le Chat'],
  ['utm_source=phind', '', 'AI assistant / Phind'],
  // A referrer shows the host alone, which the chat of Bing shares with the engine.
  ['', 'https://www.bing.com/chat', 'search / Bing'],
  // Hosts that only look like one.
  ['', 'https://chatgpt.com.evil.test/', 'referral / chatgpt.com.evil.test'],
  ['', 'https://evil.test/chatgpt.com/', 'referral / evil.test'],
  ['', 'https://evil.test/?utm_source=chatgpt.com', 'referral / evil.test'],
  ['', 'https://notchatgpt.com/', 'referral / notchatgpt.com'],
  ['', 'https://chatgpt.com@evil.test/', 'referral / evil.test'],
  ['', 'https://evil.test#chatgpt.com', 'referral / evil.test'],
  ['', 'https://chatgpt.comm/', 'referral / chatgpt.comm'],
  ['', 'https://google.com.evil.test/', 'referral / google.com.evil.test'],
  ['', 'https://google.evil/', 'referral / google.evil'],
  ['', 'https://facebook.com-login.test/', 'referral / facebook.com-login.test'],
  ['', 'android-app://com.openai.chatgpt.evil/', 'referral / com.openai.chatgpt.evil'],
  // Social networks.
  ['', 'https://l.facebook.com/l.php?u=x', 'social / Facebook'],
  ['', 'https://lm.facebook.com/', 'social / Facebook'],
  ['', 'https://t.co/abc', 'social / Twitter'],
  ['', 'https://x.com/i/grok', 'social / Twitter'],
  ['', 'https://old.reddit.com/r/desks', 'social / reddit'],
  ['', 'https://news.ycombinator.com/item?id=1', 'social / Hacker News'],
  ['', 'https://www.linkedin.com/', 'social / LinkedIn'],
  ['', 'android-app://com.linkedin.android/', 'social / LinkedIn'],
  ['', 'https://youtu.be/', 'social / YouTube'],
  ['', 'https://l.wl.co/', 'social / WhatsApp'],
  ['', 'https://lobste.rs/', 'social / Lobsters'],
  ['', 'https://www.twitch.tv/', 'social / Twitch'],
  ['', 'https://ok.ru/', 'social / Odnoklassniki'],
  ['', 'https://app.slack.com/', 'social / Slack'],
  ['', 'https://www.pinterest.com.mx/', 'social / Pinterest'],
  // Mail.
  ['', 'android-app://com.google.android.gm/', 'email / Gmail'],
  ['', 'https://outlook.live.com/', 'email / Outlook'],
  ['', 'https://deref-gmx.net/', 'email / GMX'],
  ['', 'https://e.mail.ru/', 'email / Mail.ru'],
  ['', 'https://email.ionos.co.uk/', 'email / IONOS'],
  ['', 'https://webmail.blog.example/', 'email / Webmail'],
  ['', 'https://webmails.blog.example/', 'referral / webmails.blog.example'],
  // One name of two kinds: both keep their hosts.
  ['', 'https://navigator.web.de/', 'email / WEB.DE'],
  ['', 'https://suche.web.de/', 'search / Web.de'],
  ['', 'https://m.suche.web.de/', 'search / Web.de'],
  // Hosts that serve advertisements; their names are tags of the operator.
  ['', 'https://googleads.g.doubleclick.net/', 'display / Google'],
  ['', 'https://tpc.googlesyndication.com/', 'display / Google'],
  ['', 'https://syndicatedsearch.goog/', 'paid search / Google'],
  ['', 'https://yabs.yandex.ru/', 'paid search / Yandex Direct'],
  ['', 'https://trc.taboola.com/', 'display / Taboola'],
  ['', 'https://www.awin1.com/cread.php', 'affiliate / Awin'],
  ['utm_source=taboola.com&utm_medium=cpc', '', 'paid search / taboola.com'],
  // Other sites, with punycode, ports and addresses.
  ['', 'https://blog.example/post?secret=1#x', 'referral / blog.example'],
  ['', 'https://www.Blog.Example:8080/', 'referral / blog.example'],
  ['', 'https://müller.example/', 'referral / xn--mller-kva.example'],
  ['', 'https://xn--mller-kva.example/', 'referral / xn--mller-kva.example'],
  ['', 'http://198.51.100.4:3000/', 'referral / 198.51.100.4'],
  ['', 'http://[2001:db8::1]/', 'referral / [2001:db8::1]'],
  [
    '',
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`,
    `referral / ${'a'.repeat(60)}.${'b'.repeat(39)}`,
  ],
  // The site itself, by each of its hosts.
  ['', 'https://www.desks.test/blog', 'internal'],
  ['', 'https://desks.test/', 'internal'],
  ['', 'http://shop.desks.test:8080/', 'internal'],
  ['', 'https://schreibtische.test/', 'internal'],
  ['', 'http://203.0.113.7/', 'internal'],
  ['', 'https://desks.test.evil.test/', 'referral / desks.test.evil.test'],
  ['', 'https://mydesks.test/', 'referral / mydesks.test'],
  // No referrer, and texts that are no address of a page.
  ['', '', 'direct'],
  ['', 'direct', 'direct'],
  ['', undefined, 'unknown'],
  ['', 'javascript:alert(1)', 'unknown'],
  ['', 'about:blank', 'unknown'],
  ['', 'https://', 'unknown'],
  ['', 'https:///chatgpt.com/', 'unknown'],
  ['', 'https:///evil.test/', 'unknown'],
  ['', 'chatgpt.com', 'AI assistant / ChatGPT'],
  // Tags that assistants add by themselves, also where their app sends no referrer.
  ['utm_source=chatgpt.com', 'https://chatgpt.com/', 'AI assistant / ChatGPT'],
  ['utm_source=ChatGPT.com', '', 'AI assistant / ChatGPT'],
  ['utm_source=perplexity', '', 'AI assistant / Perplexity'],
  ['utm_source=perplexity', undefined, 'AI assistant / Perplexity'],
  ['utm_source=openai', 'direct', 'AI assistant / ChatGPT'],
  ['utm_source=copilot.com', '', 'AI assistant / Copilot'],
  ['utm_source=chatgpt.com&utm_medium=referral', '', 'AI assistant / ChatGPT'],
  // With a paid medium it is paid; a campaign of the operator wins.
  ['utm_source=chatgpt.com&utm_medium=cpc', '', 'paid search / ChatGPT'],
  [
    'utm_source=newsletter&utm_medium=email&utm_source=chatgpt.com',
    'https://chatgpt.com/',
    'email / newsletter',
  ],
  ['utm_source=podcast&utm_campaign=autumn', 'https://chatgpt.com/', 'campaign / podcast'],
  ['utm_source=chatgpt.com&utm_campaign=custom-gpt', 'https://chatgpt.com/', 'campaign / ChatGPT'],
  ['utm_campaign=autumn', 'https://www.google.com/', 'campaign'],
  // Paid media.
  ['utm_source=google&utm_medium=cpc', 'https://www.google.com/', 'paid search / Google'],
  ['utm_source=Google&utm_medium=CPC', '', 'paid search / Google'],
  ['utm_source=bing&utm_medium=ppc', '', 'paid search / Bing'],
  ['utm_source=adwords&utm_medium=paidsearch', '', 'paid search / Google'],
  ['utm_source=facebook&utm_medium=paid-social', '', 'paid social / Facebook'],
  ['utm_source=fb&utm_medium=cpc', '', 'paid social / Facebook'],
  ['utm_source=ig&utm_medium=paid', '', 'paid social / Instagram'],
  ['utm_source=someapp&utm_medium=paid_social', '', 'paid social / someapp'],
  ['utm_source=taboola&utm_medium=cpm', '', 'display / taboola'],
  ['utm_source=taboola&utm_medium=paid', '', 'display / taboola'],
  ['utm_source=google&utm_medium=display', '', 'display / Google'],
  ['utm_source=partner-x&utm_medium=affiliate', '', 'affiliate / partner-x'],
  // Click ids of advertisements, alone and with tags.
  ['gclid=1', 'https://www.google.com/', 'paid search / Google'],
  ['gbraid=1', '', 'paid search / Google'],
  ['wbraid=1', '', 'paid search / Google'],
  ['msclkid=1', '', 'paid search / Bing'],
  ['ttclid=1', '', 'paid social / TikTok'],
  ['li_fat_id=1', '', 'paid social / LinkedIn'],
  ['twclid=1', 'https://t.co/', 'paid social / Twitter'],
  ['rdt_cid=1', 'https://www.reddit.com/', 'paid social / reddit'],
  ['epik=1', 'https://www.pinterest.com/', 'paid social / Pinterest'],
  ['ScCid=1', '', 'paid social / Snapchat'],
  ['yclid=1', 'https://yandex.ru/', 'paid search / Yandex'],
  ['yclid=1', 'https://search.yahoo.co.jp/', 'paid search / Yahoo! Japan'],
  ['dclid=1', '', 'display / Google'],
  ['gad_source=1', 'https://www.google.com/', 'paid search / Google'],
  ['gad_source=1&utm_source=google&utm_medium=organic', '', 'paid search / Google'],
  ['sccid=1', '', 'direct'],
  ['fbclid=1&ad_id=7', '', 'paid social / Facebook'],
  ['fbclid=1&campaign_id=7', 'https://l.instagram.com/', 'paid social / Instagram'],
  ['fbclid=1&ad_group_id=7', 'https://www.google.com/', 'paid social / Facebook'],
  ['ad_id=7', '', 'campaign'],
  ['fbclid=1', '', 'social / Facebook'],
  ['fbclid=1', 'https://l.instagram.com/', 'social / Instagram'],
  ['fbclid=1&utm_source=facebook&utm_medium=cpc', '', 'paid social / Facebook'],
  ['gclid=1&utm_source=newsletter&utm_medium=email', '', 'email / newsletter'],
  ['gclid=1&utm_source=google', '', 'paid search / Google'],
  // Other tags.
  ['utm_source=newsletter', '', 'email / newsletter'],
  ['utm_source=weekly&utm_medium=e-mail', '', 'email / weekly'],
  ['utm_source=linkedin&utm_medium=social', '', 'social / LinkedIn'],
  ['utm_source=t.co', '', 'social / Twitter'],
  ['utm_source=youtube&utm_medium=video&utm_campaign=setup', '', 'social / YouTube'],
  ['utm_source=google&utm_medium=organic', '', 'search / Google'],
  ['utm_source=google', '', 'search / Google'],
  ['utm_source=partner-blog&utm_medium=referral', '', 'referral / partner-blog'],
  ['utm_source=https://www.blog.example/post', '', 'referral / blog.example'],
  ['utm_source=qr&utm_medium=print', '', 'campaign / qr'],
  ['utm_source=%3Cscript%3Ealert(1)', '', 'campaign / script alert 1'],
  ['utm_source=a%20/%20b', '', 'campaign / a'],
  ['utm_content=footer', '', 'campaign'],
];

it.each(CASES)('classifies %j with the referrer %j as %s', (query, referrer, source) => {
  const campaign = parseCampaign(query);
  expect(buildSourceName(classifySource({ campaign, referrer }, OWN))).toBe(source);
});

it('classifies every tag that counts as automatic as an assistant', () => {
  const channels = listAssistantTags().map(
    (tag) => classifySource({ campaign: { utm_source: tag }, referrer: undefined }, []).channel,
  );
  expect(new Set(channels)).toEqual(new Set(['AI assistant']));
});

it('keeps the tags of assistants that became known later as campaigns, so that no credit changes', () =>
  expect(['chatgpt.com', 'kimi', 'mistral.ai', 'phind', 'claude.com'].filter(isAssistantTag)).toEqual([
    'chatgpt.com',
    'kimi',
  ]));

it('finds each host of each list as its list says: none is lost to another site', () => {
  const sources = listKnownSites();
  const lost = sources.flatMap(([kind, name, hosts]) =>
    hosts.flatMap((listed) => {
      const host = listed.replace(/^\{\}/, 'de').replace('{}', 'de');
      const site = findKnownHost(host);
      const isOwn = site?.kind === kind && site.name.toLowerCase() === name.toLowerCase();
      return isOwn ? [] : [`${host} of ${kind} / ${name}: ${site?.kind} / ${site?.name}`];
    }),
  );
  expect(sources.length).toBeGreaterThan(450);
  // The published list of engines has these five, which are in another list, too.
  expect(lost).toEqual([
    'chat.openai.com of search / ChatGPT: AI assistant / ChatGPT',
    'chatgpt.com of search / ChatGPT: AI assistant / ChatGPT',
    'facebook.com of search / Facebook: social / Facebook',
    'perplexity.ai of search / Perplexity: AI assistant / Perplexity',
    'you.com of search / You: AI assistant / You',
  ]);
});

it('decides every arrival, with a channel of the list and a name of at most 100 visible characters', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.constantFrom('google', 'cpc', 'email'),
  );
  const parameters = fc.constantFrom('utm_source', 'utm_medium', 'utm_campaign', 'gclid', 'fbclid');
  await forAll(
    1,
    [fc.dictionary(parameters, text), fc.option(text, { nil: undefined })],
    (given, referrer) => {
      const campaign = parseCampaign(`${new URLSearchParams(given)}`);
      const source = classifySource({ campaign, referrer }, OWN);
      expect(CHANNELS).toContain(source.channel);
      expect(source.name.length).toBeLessThanOrEqual(100);
      expect(source.name).toMatch(/^[^\p{C}/<>@?#]*$/u);
      expect(parseVisitSource(source.channel, source.name)).toEqual(source);
    },
  );
});

it('has a source for the first page view of a session alone', () => {
  const campaign = { utm_source: 'chatgpt.com' };
  const first = { name: 'page_view', data: { referrer: 'direct' }, campaign };
  expect(classifyFirstView(first, OWN)).toEqual({ channel: 'AI assistant', name: 'ChatGPT' });
  expect(classifyFirstView({ ...first, data: {} }, OWN)).toBeNull();
  expect(classifyFirstView({ ...first, name: 'call_to_action' }, OWN)).toBeNull();
});

it.each([
  ['what the link carried', { lastTouch: {}, referrer: 'https://www.bing.com' }, '', 'search / Bing'],
  ['the last campaign', { lastTouch: { utm_source: 'x' }, referrer: 'direct' }, '', 'social / Twitter'],
  ['a page of another site that links to it', {}, 'https://blog.example/', 'referral / blog.example'],
  [
    'the campaign of the page, without scripts',
    {},
    'https://desks.test/?utm_source=perplexity',
    'AI assistant / Perplexity',
  ],
  ['nothing, on a page of the site', {}, 'https://desks.test/blog', 'unknown'],
  ['nothing at all', {}, '', 'unknown'],
])('classifies a click by %s', (_, visit, referer, source) => {
  const known = { lastTouch: {}, referrer: '', ...visit };
  expect(buildSourceName(classifyClick(known, referer, OWN))).toBe(source);
});
