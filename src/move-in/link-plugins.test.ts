import { expect, it } from 'vitest';
import { parsePluginLinks } from './link-plugins.ts';

const HEADING = 'source URL,target URL,regex,http code';

it('refuses a row with more cells than its heading, which would lead elsewhere', () => {
  const text = `${HEADING}\n/one,https://x.example/a,0,301,,\n/two,https://x.example/a,b,0,301\n`;
  expect(() => parsePluginLinks('links.csv', Buffer.from(text))).toThrow(
    'links.csv, line 3: the row has more cells than the heading.',
  );
});

it.each(['\n', '\r'])('reads every row of a file whose lines end with CRLF and %j', (end) => {
  const rows = ['/one,https://x.example/a,0,301', '/two,https://x.example/b,0,301'];
  const links = parsePluginLinks('links.csv', Buffer.from(`${HEADING}\r\n${rows.join(end)}${end}`));
  expect(links.map(({ path, target, place }) => [path, target, place])).toEqual([
    ['/one', 'https://x.example/a', 'links.csv, line 2'],
    ['/two', 'https://x.example/b', 'links.csv, line 3'],
  ]);
});
