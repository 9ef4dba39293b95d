import { expect, it } from 'vitest';
import { getMaxStallMs, measureStall } from '../../../test/support/stall.ts';
import { type CsvRow, detectCsvFormat, type OpenBytes, readCsvRows } from './csv.ts';

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

async function readAll(bytes: Uint8Array): Promise<CsvRow[]> {
  const open = openBytes(bytes);
  const rows: CsvRow[] = [];
  for await (const row of readCsvRows(open, await detectCsvFormat(open))) rows.push(row);
  return rows;
}

const TABLE = 'id,amount,note\r\n1,"1,50","café\r\nline ""two"""\r\n\r\n2,3,\r\n';
const ROWS = [
  { id: '1', amount: '1,50', note: 'café\r\nline "two"' },
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

it.each([
  ['no bytes', '', 'The file is empty.'],
  ['one column', 'hello\n1\n', 'Line 1: expected a header with at least two columns.'],
  ['two columns of one name', 'id,id\n1,2\n', 'Line 1: two columns are called "id".'],
  ['501 columns', `${Array.from({ length: 501 }, (_, at) => `c${at}`).join(',')}\n`, 'more than 500 columns'],
  ['a million empty columns', ','.repeat(1_000_000), 'more than 500 columns'],
  ['501 columns after a quoted one', `"${'x'.repeat(70_000)}"${',a'.repeat(500)}\n`, 'more than 500 columns'],
  ['an open quote', 'id,amount\n1,"2\n', 'cannot be read'],
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
])('megabytes of %s in one piece do not stall the event loop', async (_, text) => {
  const open: OpenBytes = async function* () {
    yield utf8(text);
  };
  const read = async () => {
    for await (const row of readCsvRows(open, { encoding: 'utf-8', delimiter: ',', titleLines: 0 })) void row;
  };
  expect(await measureStall(read)).toBeLessThan(getMaxStallMs());
});

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

it('rows with too few or too many cells keep the named ones', async () =>
  expect(await readAll(utf8('a,b\n1\n1,2,3\n'))).toEqual([
    { a: '1', b: '' },
    { a: '1', b: '2' },
  ]));
