/**
 * Families of programs that fetch links without a person behind them: crawlers and archivers; link previews
 * of messengers and social networks (not their in-app browsers, which people use); uptime and page speed
 * checks; headless browsers; HTTP libraries and command-line clients.
 */
const FAMILIES = [
  // CUBOT makes phones.
  '(?<!cu)bot\\b|(?<!cu)bot[/_-]|crawl|spider|slurp|archiver|mediapartners|feedfetcher|apis-google',
  'google-(?:extended|inspectiontool|read-aloud)|facebookexternalhit|facebookcatalog|meta-external|^whatsapp',
  'skypeuripreview|bingpreview|link preview|embedly|iframely|vkshare|flipboardproxy|pinterest/0|linkcheck',
  'uptime|pingdom|statuscake|site24x7|lighthouse|gtmetrix|pagespeed|datadog|newrelic',
  'headless|phantomjs|selenium|puppeteer|prerender',
  '^(?:curl|wget|python|java|ruby|perl|php|go-http|okhttp|axios|node|undici|got|libwww|lua|dart)\\b',
  '^(?:httpie|rest-client|postman|insomnia|apache-httpclient)\\b|python-requests|aiohttp|httpx|scrapy|guzzle',
];

const BOT = new RegExp(FAMILIES.join('|'), 'i');

/** Whether a User-Agent is a program's. One that is empty, or names no product at all, is. */
export function isBot(userAgent: string | undefined): boolean {
  return !userAgent?.includes('/') || BOT.test(userAgent);
}
