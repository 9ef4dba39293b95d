import { expect, it } from 'vitest';
import { expectNoStall } from '../../../test/support/stall.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
import { detectCsvFormat, type OpenBytes, readCsvRows } from './csv.ts';

/** Opens bytes in chunks of 7, so that characters, quotes and line ends are cut apart. */
function openBytes(bytes: Uint8Array): OpenBytes {
  return async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

async function readRows(bytes: Uint8Array): Promise<FileRow[]> {
  const open = openBytes(bytes);
  const rows: FileRow[] = [];
  for await (const row of readCsvRows(open, await detectCsvFormat(open))) rows.push(row);
  return rows;
}

const readAll = async (bytes: Uint8Array) => (await readRows(bytes)).map(({ row }) => row);

const TABLE = 'id,amount,note\r\n1,"1,50","café\r\nline ""two"""\r\n\r\n2,3,\r\n';
const ROWS = [
  { id: '1', amount: '1,50', note: 'café\nline "two"' },
  { id: '2', amount: '3', note: '' },
];

it.each([
  ['UTF-8', utf8(TABLE)],
  ['UTF-8 with a byte order mark', utf8(`\ufeff${TABLE}`)],
  ['UTF-16 little endian with a mark', utf16(`\ufeff${TABLE}`, false)],
  ['UTF-16 big endian with a mark', utf16(`\ufeff${TABLE}`, true)],
  ['UTF-16 without a mark', utf16(TABLE, false)],
  ['Windows-1252', Buffer.from(TABLE, 'latin1')],
  [
    'semicolons',
    utf8(
      TABLE.replaceAll('id,amount,note', 'id;amount;note')
        .replaceAll('1,"', '1;"')
        .replace('50","', '50";"')
        .replace('2,3,', '2;3;'),
    ),
  ],
  ['tabs', utf8('id\tamount\tnote\n1\t1,50\t"café\r\nline ""two"""\n2\t3\t\n')],
])('a table in %s is read', async (_, bytes) => expect(await readAll(bytes)).toEqual(ROWS));

it.each([
  ['one line', 'Fee-Earnings reports from 2025-11-01 to 2025-11-30\n'],
  ['a line with separators, and an empty one', 'Report, all programs\n\n'],
  ['cells of its own', 'Title,,,\nAccount,7,,\n'],
])('a title of %s before the names of the columns is left out', async (_, title) => {
  expect(await readAll(utf8(`${title}id,amount,note,day\n1,2,x,3\n`))).toEqual([
    { id: '1', amount: '2', note: 'x', day: '3' },
  ]);
});

it.each(
  Object.entries({
    xlsx: 'PK\x03\x04\x14\0',
    'xls in bytes': '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    gzip: '\x1f\x8b\x08\0',
    PDF: '%PDF-1.7\n%âã,1,2',
    'xls as a page': '<html><table><tr><th>ID<th>Commission</table>',
    'a page': '\xef\xbb\xbf\n<!DOCTYPE html><title>Sign in</title>',
    'xls as XML': '<?xml version="1.0"?><Workbook><Row><Cell><Data>ID</Data></Cell></Row></Workbook>',
  }),
)('%s is told from a file with rows', async (_, text) => {
  await expect(readAll(Buffer.from(text, 'latin1'))).rejects.toThrow('no rows that can be read');
});

it.each([
  ['no bytes', '', 'The file is empty.'],
  ['one column', 'hello\n1\n', 'Line 1: expected a header with at least two columns.'],
  ['501 columns', `${Array.from({ length: 501 }, (_, at) => `c${at}`).join(',')}\n`, 'more than 500 columns'],
  ['a million empty columns', ','.repeat(1_000_000), 'more than 500 columns'],
  ['501 columns after a quoted one', `"${'x'.repeat(70_000)}"${',a'.repeat(500)}\n`, 'more than 500 columns'],
  [
    'a word in marks and a space',
    'id,name\na1,"Best" bag\n',
    'Line 2: the row cannot be read (a quotation mark',
  ],
  ['an open quote', 'id,amount\n1,"2\n', 'cannot be read'],
  [
    'a quote that the next row closes',
    'id,name,amount\na1,"Laptop 15,5.00\na2,Bag 20",7.00\n',
    'Line 2: the quotation mark before "Laptop 15,5.00" is not closed',
  ],
  [
    'a quote that the next row opens again',
    'id,name,amount\na1,"Laptop 15,5.00\na2,"Bag"",7.00\n',
    'Line 3: the row cannot be read (a quotation mark is not closed',
  ],
])('a file with %s is refused with a reason', async (_, text, reason) => {
  await expect(readAll(utf8(text))).rejects.toThrow(reason);
});

it.each([
  ['rows', `id,amount\n${'a,1\n'.repeat(400_000)}`],
  [
    'wide rows',
    `${Array.from({ length: 500 }, (_, at) => `c${at}`).join(',')}\n${`${'1,'.repeat(499)}1\n`.repeat(2_000)}`,
  ],
  ['empty lines', `id,amount\n${'\n'.repeat(4_000_000)}`],
])(
  'megabytes of %s in one piece do not stall the event loop',
  { tags: ['rest', 'measures'] },
  async (_, text) => {
    const open: OpenBytes = async function* () {
      yield utf8(text);
    };
    await expectNoStall(async () => {
      for await (const row of readCsvRows(open, { encoding: 'utf-8', delimiter: ',', titleLines: 0 }))
        void row;
    });
  },
);

it('an error while the bytes are read is reported, not swallowed', async () => {
  const open: OpenBytes = async function* () {
    yield utf8('id,amount\n1,2\n');
    throw new Error('the disk is gone');
  };
  const read = async () => {
    for await (const row of readCsvRows(open, { encoding: 'utf-8', delimiter: ',', titleLines: 0 })) void row;
  };
  await expect(read()).rejects.toThrow('cannot be read');
});

it('rows with too few or too many cells say so, and empty cells behind the last one are none', async () =>
  expect(await readRows(utf8('a,b\n1\n\n1,2,,3\n"1\r\n2",2,,\n4,5\n'))).toEqual([
    { line: 2, row: { a: '1', b: undefined }, extra: [] },
    { line: 4, row: { a: '1', b: '2' }, extra: ['3'] },
    { line: 5, row: { a: '1\n2', b: '2' }, extra: [] },
    { line: 7, row: { a: '4', b: '5' }, extra: [] },
  ]));

const LINES = ['id,amount,note', 'a1,1,x', 'a2,2,"y\r\nz"', 'a3,3,', 'a4,4'];

it.each([
  ['CRLF', ['\r\n']],
  ['LF', ['\n']],
  ['CR', ['\r']],
  ['CRLF after the heading, then LF', ['\r\n', '\n', '\n', '\n', '\n']],
  ['LF, then CRLF', ['\n', '\n', '\r\n', '\r\n', '\r\n']],
  ['CR, LF and CRLF', ['\r', '\n', '\r\n', '\r', '\n']],
])('every row of a file whose lines end with %s is read, with its line', async (_, ends) => {
  const text = LINES.map((line, index) => `${line}${ends[index % ends.length]}`).join('');
  for (const title of ['', 'sep=,\r\n', 'Report of November\n\r\n']) {
    const first = title.split('\n').length + 1;
    expect(await readRows(utf8(`${title}${text}`))).toEqual([
      { line: first, row: { id: 'a1', amount: '1', note: 'x' }, extra: [] },
      { line: first + 1, row: { id: 'a2', amount: '2', note: 'y\nz' }, extra: [] },
      { line: first + 3, row: { id: 'a3', amount: '3', note: '' }, extra: [] },
      { line: first + 4, row: { id: 'a4', amount: '4', note: undefined }, extra: [] },
    ]);
  }
});

it.each(['\n', '\r'])(
  'the line end %j is text where it divides a cell of a row that ends with another one',
  async (end) =>
    expect(await readAll(utf8(`id,note,amount\r\na1,one${end}two,1\r\na2,three,2\r\n`))).toEqual([
      { id: 'a1', note: 'one\rtwo', amount: '1' },
      { id: 'a2', note: 'three', amount: '2' },
    ]),
);

it('lines that end alike are rows, however few cells they have', async () =>
  expect(await readAll(utf8('id,amount,note\r\na1,1\na2,2\na3,3\r\na4,4\r\n'))).toEqual([
    { id: 'a1', amount: '1', note: undefined },
    { id: 'a2', amount: '2', note: undefined },
    { id: 'a3', amount: '3', note: undefined },
    { id: 'a4', amount: '4', note: undefined },
  ]));

it.each([
  ['an inch within a cell', 'id,name,amount\na1,Sleeve 15.6" black,5\n', ['a1', 'Sleeve 15.6" black', '5']],
  ['an inch in a cell with marks', 'id;name;amount\na1;"15"" black; new";5\n', ['a1', '15" black; new', '5']],
  ['an inch between tabs', 'id\tname\tamount\na1\t15.6" x\t5\n', ['a1', '15.6" x', '5']],
  ['a mark behind a tab', 'id\tname\tamount\na1\t"Star\t5\na2\tb "c"\t6\n', ['a1', '"Star', '5']],
  ['texts of a spreadsheet', 'id,name,amount\n"=""007""",=SUM(1),\'12.50\n', ['007', '=SUM(1)', '12.50']],
  ['such a text without marks', 'id,name,amount\n="007",\'tis,5\n', ['007', "'tis", '5']],
])('%s is read as it is', async (_, text, cells) => {
  const [first] = await readRows(utf8(text));
  expect(Object.values(first?.row ?? {})).toEqual(cells);
});

it('columns of one name have names of their own', async () =>
  expect(await readAll(utf8('id,note,note,,\n1,a,b,c,d\n'))).toEqual([
    { id: '1', note: 'a', 'note (2)': 'b', 'column 4': 'c', 'column 5': 'd' },
  ]));

it('finds the heading behind lines with two cells', async () =>
  expect(
    await readAll(utf8('"Network";"DE1"\n"Balance:";"12,50"\n""\n"id";"day";"sum";"state"\n1;2;3;4\n')),
  ).toEqual([{ id: '1', day: '2', sum: '3', state: '4' }]));
