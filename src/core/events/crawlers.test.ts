import { expect, it } from 'vitest';
import { CRAWLERS, findCrawler } from './crawlers.ts';

const WEBKIT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible;';

it.each([
  [`${WEBKIT} GPTBot/1.3; +https://openai.com/gptbot)`, 'GPTBot'],
  [`${WEBKIT} ChatGPT-User/1.0; +https://openai.com/bot)`, 'ChatGPT-User'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
    'OAI-SearchBot',
  ],
  [`${WEBKIT} OAI-AdsBot/1.0; +https://openai.com/adsbot)`, 'OAI-AdsBot'],
  [`${WEBKIT} ClaudeBot/1.0; +claudebot@anthropic.com)`, 'ClaudeBot'],
  ['Claude-User (claude-code/2.0; +https://support.anthropic.com/)', 'Claude-User'],
  [`${WEBKIT} Claude-SearchBot/1.0; +https://www.anthropic.com)`, 'Claude-SearchBot'],
  [`${WEBKIT} PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`, 'PerplexityBot'],
  [`${WEBKIT} Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`, 'Perplexity-User'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
  ['Googlebot-Image/1.0', 'Googlebot'],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', 'AdsBot-Google'],
  [
    'Mozilla/5.0 (Linux; Android) (compatible; AdsBot-Google-Mobile; +http://www.google.com/x)',
    'AdsBot-Google',
  ],
  [`${WEBKIT} bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/140.0.0.0 Safari/537.36`, 'bingbot'],
  ['Mozilla/5.0 (Macintosh) Safari/600.2.5 (Applebot/0.1; +http://www.apple.com/go/applebot)', 'Applebot'],
  [
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta-externalagent',
  ],
  ['CCBot/2.0 (https://commoncrawl.org/faq/)', 'CCBot'],
  ['gptbot', 'GPTBot'],
])('finds the agent of %s', (userAgent, agent) => expect(findCrawler(userAgent)?.agent).toBe(agent));

it.each([
  '',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'NotGPTBot/1.0',
  'x-GPTBot/1.0',
  'GPTBots/1.0',
  'Google-Extended',
  'Mozilla/5.0 (compatible; PetalBot; +https://webmaster.petalsearch.com/site/petalbot)',
])('finds no agent in %j', (userAgent) => expect(findCrawler(userAgent)).toBeNull());

it('has each token once', () => {
  const tokens = CRAWLERS.map(({ agent }) => agent.toLowerCase());
  expect(new Set(tokens).size).toBe(tokens.length);
});
