import { expect, it } from 'vitest';
import { structureBody } from './structure-body.ts';

const RIGHT = ' data-align="right"';

/** A table whose first row is its head; columns after the first are aligned to the right when `isRight`. */
function buildTable(rows: readonly (readonly string[])[], isRight = false): string {
  const [head = [], ...others] = rows.map((row, at) =>
    row.map((text, column) => {
      const name = at === 0 ? 'th' : 'td';
      return `<${name}${isRight && column > 0 ? RIGHT : ''}>${text}</${name}>`;
    }),
  );
  const body = others.map((cells) => `<tr>${cells.join('')}</tr>`).join('');
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body}</tbody></table>`;
}

const structure = (html: string) => structureBody(html).content;
const RULES = [
  ['Practice', 'Google', 'Yelp', 'FTC <em>(US)</em>'],
  ['Asking', 'allowed', 'not "wanted"', 'allowed'],
];

it('marks a table with three columns of text and names the column in its cells, except the first', () => {
  const content = structure(buildTable(RULES));
  expect(content).toContain('<table aria-label="Table 1" data-stacked="">');
  expect(content).toContain(
    '<td>Asking</td><td data-column="Google">allowed</td><td data-column="Yelp">not "wanted"</td>' +
      '<td data-column="FTC (US)">allowed</td>',
  );
  expect(structure(content)).toBe(content);
});

it('names the column in the first cells when they are numbers', () => {
  const rows = RULES.map(([first = '', ...others], at) => [at === 0 ? 'Week' : `${at}`, ...others, first]);
  expect(structure(buildTable(rows))).toContain('<td data-column="Week">1</td><td data-column="Google">');
});

it('does not name the column in a first cell that is a word, such as the total', () => {
  const rows = [...RULES.map(([, ...others], at) => [at === 0 ? 'Week' : `${at}`, ...others, 'x'])];
  const content = structure(
    buildTable([...rows, ['2 and 3', 'e', 'f', 'g', 'h'], ['Total', 'a', 'b', 'c', 'd']]),
  );
  expect(content).toContain('<td data-column="Week">1</td>');
  expect(content).toContain('<td data-column="Week" data-short="">2 and 3</td>');
  expect(content).toContain('<td>Total</td>');
});

it('escapes quotes of a heading in the name of the column', () => {
  const [, row = []] = RULES;
  expect(structure(buildTable([['a', 'b', 'c', 'the "d"'], row]))).toContain(
    'data-column="the &quot;d&quot;"',
  );
});

it('keeps the cells of a first column on one line when all are short', () => {
  const rows = [
    ['Date', 'Work'],
    ['Mon Nov 9', 'Export'],
    ['Mon', 'Import'],
  ];
  expect(structure(buildTable(rows))).toContain('<td data-short="">Mon Nov 9</td><td>Export</td>');
  expect(structure(buildTable([...rows, ['On Tuesday the 10th', 'x']]))).not.toContain('data-short');
});

it.each([
  [
    'four short columns of figures',
    true,
    [
      ['After', 'Reviews', 'Average', 'Stars'],
      ['Start', '40', '4.1', '164'],
    ],
  ],
  [
    'two columns',
    false,
    [
      ['Situation that is rather long', 'Text'],
      ['x'.repeat(30), 'y'.repeat(30)],
    ],
  ],
  [
    'three columns of short words',
    false,
    [
      ['Line', 'Case A', 'Case B'],
      ['Plan', 'a b c d e f', 'b'],
    ],
  ],
])('leaves %s a table', (_, isRight, rows) => {
  expect(structure(buildTable(rows, isRight))).not.toContain('data-stacked');
});

it('marks a table whose figures need more than the width of a phone', () => {
  const days = ['Week', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Total', 'Who'];
  const content = structure(buildTable([days, days.map((_, at) => `${at},500`)], true));
  expect(content).toContain('<td data-align="right" data-column="Total">6,500</td>');
});

it('marks a table that is too wide because the short cells of its first column stay on one line', () => {
  const rows = [
    ['Months', 'Subscribers', 'Band', 'Monthly', 'Cost'],
    ['11 and 12', '5,400', '10,000', '$140', '$280'],
  ];
  expect(structure(buildTable(rows, true))).toContain('data-stacked');
});

it.each([
  ['a cell that spans columns', buildTable(RULES).replace('<td>', '<td colspan="1">')],
  [
    'a table inside',
    buildTable(RULES).replace('allowed', '<table><tbody><tr><td>x</td></tr></tbody></table>'),
  ],
  ['a row that is shorter', buildTable(RULES).replace('<td>allowed</td>', '')],
  ['no head', buildTable(RULES).replaceAll('thead', 'tbody')],
])('leaves a wide table with %s a table', (_, html) => expect(structure(html)).not.toContain('data-stacked'));
