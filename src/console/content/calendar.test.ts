import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildViewRequest, CONSOLE_NOW, postChange } from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import type { ConsoleSite } from '../console-site.ts';
import { exportCalendar, readCalendar } from './calendar.ts';

const day = (days: number) => new Date(CONSOLE_NOW + days * 86_400_000).toISOString().slice(0, 10);
const build = (head: string, body = 'Text.') => `---
title: Planned
excerpt: A piece that comes later.
categories: [Desks]
${head}
---
${body}
`;

let root: string;
let site: ConsoleSite;
const file = (name: string) => path.join(root, `articles/${name}.md`);
const rest = ['calendar'];
const read = async (search = '') => {
  const model = await readCalendar(site, buildViewRequest({ rest, search }));
  // A new site has an article that appears on the day after it was made.
  return { ...model, scheduled: model.scheduled.filter(({ title }) => title === 'Planned') };
};
const move = (name: string, to: string) =>
  postChange(site, 'content', { action: 'move-date', file: `articles/${name}.md`, day: to }, { rest });

beforeEach(async () => {
  ({ root, site } = await createContentConsole((text) => text));
  mkdirSync(path.join(root, 'articles'), { recursive: true });
  writeFileSync(file('later'), build(`publishedAt: ${day(3)}T10:30:00+00:00 # after the sale`));
  writeFileSync(file('draft'), build('publishedAt: 2025-01-01\ndraft: true'));
  writeFileSync(file('gap'), build('publishedAt: 2025-01-01\ndraft: true', 'TK'));
  writeFileSync(file('shown'), build('publishedAt: 2025-01-01'));
  const product =
    'name: Desk\nkind: physical\nsources: { store: { title: S, href: "https://store.example/", checked: 2025-06-01 } }\n' +
    'offers: { black: { name: Black, partner: example, price: 499, billed: once, source: store } }\n';
  writeFileSync(path.join(root, 'products/desk.yaml'), product);
  await site.content.applyEdits([]);
});

it('has what is scheduled on its day, the drafts, and what gets old', async () => {
  const { scheduled, drafts, months, aging } = await read();
  expect(scheduled).toMatchObject([{ file: 'articles/later.md', day: day(3), time: '10:30' }]);
  expect(drafts.map(({ file: name }) => name)).toEqual(['articles/draft.md', 'articles/gap.md']);
  expect(months.map(({ month }) => month)).toEqual(['2025-12', '2026-01']);
  expect(months[1]?.weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
  expect(months[1]?.weeks[0]).toEqual(['', '', '', '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
  const desk = aging.flatMap(([month, rows]) => rows.map(({ key, day: due }) => [month, key, due]));
  expect(desk).toContainEqual(['', 'price desk', '2025-11-29']);
  expect((await read('month=2026-11')).months[0]?.month).toBe('2026-11');
});

it('has a file for other calendars, in lines of at most 75 bytes, without amounts', async () => {
  writeFileSync(
    file('later'),
    build(`publishedAt: ${day(3)}T10:30:00+00:00`).replace('Planned', `${'ä'.repeat(60)}; a, b`),
  );
  const response = await exportCalendar(site);
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  expect(lines).toContain(`DTSTART:${day(3).replaceAll('-', '')}T103000Z`);
  expect(lines).toContain(`SUMMARY:${'ä'.repeat(60)}\\; a\\, b`);
  const old = lines.indexOf('SUMMARY:Desk: prices too old');
  expect(lines[old - 1]).toBe('DTSTART;VALUE=DATE:20251129');
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(
    lines.filter((line) => line === 'END:VEVENT').length,
  );
  expect(text).not.toMatch(/[$€]\s?\d/);
});

it('moves what is scheduled at its time, changing its day alone, and schedules drafts', async () => {
  const before = readFileSync(file('later'), 'utf8');
  expect(await move('later', day(5))).toMatchObject({ isError: false });
  expect(readFileSync(file('later'), 'utf8')).toBe(before.replace(day(3), day(5)));
  expect(await move('draft', day(5))).toMatchObject({ isError: false });
  expect((await read()).scheduled.map(({ file: name, time }) => [name, time])).toEqual([
    ['articles/draft.md', '09:00'],
    ['articles/later.md', '10:30'],
  ]);
});

it.each([
  ['later', day(-1), 'The time has passed'],
  ['later', 'soon', 'There is no such time'],
  ['gap', day(5), '“TK”'],
  ['shown', day(5), 'do not see yet'],
  ['none', day(5), 'content/articles/none.md'],
])('does not move %s to %s', async (name, to, problem) =>
  expect(await move(name, to)).toMatchObject({ isError: true, message: expect.stringContaining(problem) }),
);
