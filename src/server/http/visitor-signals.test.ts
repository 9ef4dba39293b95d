import { expect, it } from 'vitest';
import { CRAWLERS } from '../../core/events/crawlers.ts';
import { isEmbedded, readVisitorSignals } from './visitor-signals.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const read = (headers: Readonly<Record<string, string | undefined>>) =>
  readVisitorSignals({ headers: { get: (name) => headers[name] } });

it.each([
  undefined,
  '',
  'x',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'TelegramBot (like TwitterBot)/1.0',
  'WhatsApp/2.23.20.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  CHROME.replace('Chrome/', 'HeadlessChrome/'),
  'curl/8.14.1',
  'python-requests/2.32.3',
  'node',
  'Go-http-client/2.0',
  'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'GPTBot/1.2',
  'Mozilla/5.0 (compatible; YandexBot/3.0)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  `${CHROME} Chrome-Lighthouse`,
  `${CHROME} GTmetrix`,
  'Dart/3.4 (dart:io)',
  'okhttp/4.12.0',
  'PostmanRuntime/7.39',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.10730; Pro)',
  'Viber/21.0 CFNetwork/1410 Darwin/22',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.19041.1',
  'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/20.0.0',
  'Mozilla/5.0 (compatible; Assetnote/1.0.0)',
  'Mozilla/5.0 YLT Chrome/27.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) Miniature.io/6.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.128 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; TSM-turingos-1253296984) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
])('flags the user agent %s as a bot', (userAgent) => {
  expect(read({ 'user-agent': userAgent })).toEqual({ gpc: false, flags: ['bot'] });
});

it.each(CRAWLERS.filter(({ isRequesting }) => isRequesting).map(({ agent }) => agent))(
  'flags %s of the list of crawlers as a bot in the words of a browser',
  (agent) => {
    const words = CHROME.replace('like Gecko', `like Gecko; compatible; ${agent}/0.1`);
    expect(read({ 'user-agent': words }).flags).toEqual(['bot']);
  },
);

it.each([
  CHROME,
  `${CHROME.replace('Safari', 'Mobile Safari')} SogouSearch Android1.0 version3.0 SogouMobileBrowser/6.1`,
  `${CHROME} AlipayDefined(nt:WIFI,ws:393|0|2.75) AliApp(AP/10.2.13) AlipayClient/10.2.13`,
  `${CHROME} Viber/21.0`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Linux; Android 14; CUBOT NOTE 50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  `${CHROME} Telegram-Android/11.0`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 [Pinterest/iOS]',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/500.0]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 350.0.0.0 (iPhone15,3; iOS 18_0; en_US; scale=3.00; 1290x2796; 0)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/322.0.652 Mobile/15E148 Safari/604.1',
  'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
])('takes the user agent %s for a person', (userAgent) => {
  expect(read({ 'user-agent': userAgent })).toEqual({ gpc: false, flags: [] });
});

it.each([
  ['Sec-Purpose: prefetch', { 'sec-purpose': 'prefetch' }],
  ['Sec-Purpose: prefetch;prerender', { 'sec-purpose': 'prefetch;prerender' }],
  ['Purpose: prefetch', { purpose: 'prefetch' }],
  ['X-Moz: prefetch', { 'x-moz': 'prefetch' }],
])('flags a request with %s as a prefetch', (_, headers) => {
  expect(read({ 'user-agent': CHROME, ...headers })).toEqual({ gpc: false, flags: ['prefetch'] });
});

it('flags a prefetch by a bot as both', () =>
  expect(read({ 'sec-purpose': 'prefetch' }).flags).toEqual(['bot', 'prefetch']));

it.each([
  ['1', true],
  ['0', false],
  ['', false],
  ['true', false],
  [undefined, false],
])('reads Sec-GPC: %s as %s', (value, gpc) => {
  expect(read({ 'user-agent': CHROME, 'sec-gpc': value }).gpc).toBe(gpc);
});

/** Every destination and mode of the Fetch standard. */
const DESTINATIONS =
  'audio audioworklet document embed empty fencedframe font frame iframe image json manifest object paintworklet report ' +
  'script serviceworker sharedworker speculationrules style text track video webidentity worker xslt';
const MODES = 'cors navigate no-cors same-origin webtransport websocket';

it.each(
  DESTINATIONS.split(' ').flatMap((destination) =>
    MODES.split(' ').map((mode) => [destination, mode] as const),
  ),
)(
  'takes a request with the destination %s and the mode %s for a navigation only when both say so',
  (dest, mode) => {
    const headers = new Headers({ 'sec-fetch-dest': dest, 'sec-fetch-mode': mode });
    expect(isEmbedded({ headers })).toBe(!(dest === 'document' && mode === 'navigate'));
  },
);

it.each([
  [{}, false],
  [{ 'sec-fetch-dest': 'document' }, false],
  [{ 'sec-fetch-mode': 'navigate' }, false],
  [{ 'sec-fetch-dest': 'image' }, true],
  [{ 'sec-fetch-mode': 'no-cors' }, true],
  [{ 'sec-fetch-dest': 'something-new', 'sec-fetch-mode': 'navigate' }, true],
])('takes a request with the headers %j for an embedded one: %s', (headers, expected) => {
  expect(isEmbedded({ headers: new Headers(headers) })).toBe(expected);
});
