import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { buildCsvLine } from './csv.ts';

const FORMULA = /^[=+\-@＝＋－＠]/;

/** Reads a line as a spreadsheet with another list separator does, which finds no quoted cells in most of the text. */
const split = (line: string, separator: string) =>
  line.split(new RegExp(`[${separator}\\r\\n]`)).map((cell) => cell.replace(/^["\s]+/, ''));

const hostile = fc
  .array(fc.constantFrom(...`=+-@;|,\t\r\n "'1a＝`), { maxLength: 12 })
  .map((parts) => parts.join(''));

it('begins no cell with a formula, whatever list separator the spreadsheet uses', () =>
  forAll(1, [fc.array(hostile, { minLength: 1, maxLength: 4 })], (cells) => {
    // A number that begins with a minus is no formula.
    const texts = cells.map((cell) => `${cell}x`);
    const line = buildCsvLine(texts);
    for (const separator of [';', '\t', '|']) {
      expect(split(line, separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
    }
    const [read = []] = parse(line, { relax_column_count: true }) as string[][];
    expect(read).toHaveLength(texts.length);
    expect(read.filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(read.map((cell) => cell.replaceAll("'", ''))).toEqual(
      texts.map((text) => text.replaceAll("'", '')),
    );
  }));

it.each([
  [-990.34, '-990.34'],
  ['-990.34', '-990.34'],
  ['-5', '-5'],
  [1e21, '1e+21'],
  [null, ''],
  ['-5+1', "'-5+1"],
  [';=1+1', '";\'=1+1"'],
  ['a\t=1', '"a\t\'=1"'],
  ['a;b', '"a;b"'],
])('writes %j as %s', (cell, written) => expect(buildCsvLine([cell])).toBe(`${written}\r\n`));
