import { expect, it } from 'vitest';
import { parsePluginLinks } from './link-plugins.ts';

const HEADING = 'source URL,target URL,regex,http code';

it('refuses a row with more cells than its heading, which would lead elsewhere', () => {
  const text = `${HEADING}\n/one,https://x.example/a,0,301,,\n/two,https://x.example/a,b,0,301\n`;
  expect(() => parsePluginLinks('links.csv', Buffer.from(text))).toThrow(
    'links.csv, line 3: the row has more cells than the heading.',
  );
});

it.each([
  ['Redirection', 'source,target,regex,code,type,hits,title,status', '/a?x=1,/b,0,301,url,0,,active'],
  ['Redirection, with its host', 'source,target,regex', 'https://old.example/a?x=1,/b,0'],
  ['Rank Math', 'id,source,matching,destination,type,category,status', '1,a?x=1,exact,/b,301,,active'],
  ['Yoast', 'Origin,Target,Type,Format', 'a?x=1,b,301,plain'],
])('reads a redirect of %s with its parameters', (_, heading, row) => {
  const links = parsePluginLinks('links.csv', Buffer.from(`${heading}\n${row}\n`));
  expect(links).toMatchObject([{ path: '/a?x=1', target: '/b', skipped: '' }]);
});

it.each([
  ['source,target,regex', '^/a/(.*),/b/$1,1', 'regex is 1'],
  ['source,target,regex,code,type,hits,title,status', '/a,/b,0,301,url,0,,disabled', 'status is disabled'],
  ['source,target,regex,code,type', '/a,,0,410,error', 'type is error'],
  ['id,source,matching,destination', '1,a,contains,/b', 'matching is contains'],
  ['Origin,Target,Type,Format', '^a,b,301,regex', 'format is regex'],
])('says why a row is no redirect: %s %s', (heading, row, reason) => {
  const links = parsePluginLinks('links.csv', Buffer.from(`${heading}\n${row}\n`));
  expect(links).toMatchObject([{ skipped: `is not redirected: ${reason}` }]);
});

it.each(['\n', '\r'])('reads every row of a file whose lines end with CRLF and %j', (end) => {
  const rows = ['/one,https://x.example/a,0,301', '/two,https://x.example/b,0,301'];
  const links = parsePluginLinks('links.csv', Buffer.from(`${HEADING}\r\n${rows.join(end)}${end}`));
  expect(links.map(({ path, target, place }) => [path, target, place])).toEqual([
    ['/one', 'https://x.example/a', 'links.csv, line 2'],
    ['/two', 'https://x.example/b', 'links.csv, line 3'],
  ]);
});
