import { expect, it } from 'vitest';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { buildCsvHead, buildCsvRow } from './event-csv.ts';

const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';

it('has stable columns', () =>
  expect(buildCsvHead()).toBe(
    'id,name,server_time,client_time,session,page,label,value,flags,' +
      'utm_source,utm_medium,utm_campaign,utm_content,utm_term,gclid,gbraid,wbraid,fbclid,' +
      'msclkid,ttclid,li_fat_id,campaign_id,ad_group_id,ad_id,data,twclid,rdt_cid,ScCid,yclid,dclid,gad_source,epik\r\n',
  ));

it('writes an event as one line with every column', () => {
  const event = buildSampleEvent({
    id: ID,
    label: 'Start',
    value: -1.5,
    flags: ['bot', 'gpc'],
    campaign: { utm_source: 'newsletter', ad_id: '7' },
    data: { source: 'hero', list: ['a', 'b'] },
  });
  expect(buildCsvRow(event)).toBe(
    `${ID},page_view,2025-11-20T00:53:20.100Z,2025-11-20T00:53:20.000Z,session-1,/blog,Start,-1.5,bot gpc,` +
      'newsletter,,,,,,,,,,,,,,7,"{""source"":""hero"",""list"":[""a"",""b""]}",,,,,,,\r\n',
  );
});

it('leaves the client time empty when the event has none', () =>
  expect(buildCsvRow(buildSampleEvent({ clientTime: null }))).toContain('.100Z,,session-1'));

it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '＝1', '＋1', '－1', '＠x'])(
  'keeps %j from being a formula, in every text column',
  (text) => {
    const event = buildSampleEvent({ session: text, page: text, label: text, campaign: { utm_term: text } });
    const cells = buildCsvRow(event).trimEnd().split(',');
    expect(cells.filter((cell) => /^"?[=+\-@\t\r\n\0＝＋－＠]/.test(cell))).toEqual([]);
    expect(cells.filter((cell) => /^"?'/.test(cell))).toHaveLength(4);
  },
);

it.each([
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
  ['=a,"b"', '"\'=a,""b"""'],
  ['a=b', 'a=b'],
])('quotes %j as %s', (label, cell) => {
  expect(buildCsvRow(buildSampleEvent({ label }))).toContain(`,/blog,${cell},0,`);
});
