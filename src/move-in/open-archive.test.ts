import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { openFileTree } from './open-archive.ts';

function write(name: string, bytes: Uint8Array): string {
  const file = path.join(createFolder(), name);
  writeFileSync(file, bytes);
  return file;
}

const WORDS = 'words '.repeat(100);
const pack = (files: Readonly<Record<string, string>>, level: 0 | 6 = 6) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
      level,
    }),
  );

/** An archive with the bytes of a field of its only file changed, in its list (`at` from its mark) and not elsewhere. */
function change(zip: Buffer, at: number, ...bytes: readonly number[]): Buffer {
  zip.set(bytes, zip.lastIndexOf(Buffer.from('PK\u0001\u0002')) + at);
  return zip;
}

const readAll = async (file: string) => {
  const { names, read } = await openFileTree(file);
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await read(name))])));
};

it.each([0, 6] as const)(
  'reads the files of a ZIP archive at level %d, and none that leads elsewhere',
  async (level) => {
    const files = {
      'posts/größe.html': WORDS,
      'a/../../b': WORDS,
      '/etc/c': WORDS,
      '__MACOSX/d': WORDS,
      'e\\f': 'x',
      'g/': '',
    };
    expect(await readAll(write('x.zip', pack(files, level)))).toEqual({
      'posts/größe.html': WORDS,
      'e/f': 'x',
    });
  },
);

it('reads a name in UTF-8 where the archive does not say so, as archives of macOS do', async () => {
  const zip = pack({ 'größe.html': WORDS });
  expect(Object.keys(await readAll(write('x.zip', change(zip, 9, 0))))).toEqual(['größe.html']);
});

it('reads the last one of two files of the same name', async () => {
  const zip = pack({ 'a.html': 'first', 'b.html': 'second' });
  const same = Buffer.from(zip.toString('latin1').replaceAll('b.html', 'a.html'), 'latin1');
  expect(await readAll(write('x.zip', same))).toEqual({ 'a.html': 'second' });
});

const damage = (zip: Buffer) => {
  const at = zip.indexOf(WORDS);
  zip[at] = 0;
  return zip;
};

it.each([
  [
    'cut off',
    pack({ a: WORDS }).subarray(0, -30),
    /^x\.zip is not a ZIP archive that can be read: .*truncated/,
  ],
  ['no archive', Buffer.from(WORDS), /^x\.zip is not a ZIP archive that can be read: /],
  ['damaged in a stored file', damage(pack({ a: WORDS }, 0)), /a is damaged/],
  ['encrypted', change(pack({ a: WORDS }), 8, 1), /a is encrypted, or compressed in another way than usual/],
  [
    'compressed in another way',
    change(pack({ a: WORDS }), 10, 12),
    /a is encrypted, or compressed in another way/,
  ],
  ['larger than it says', change(pack({ a: WORDS }), 24, 10, 0, 0, 0), /too many bytes/],
  ['smaller than it says', change(pack({ a: WORDS }), 24, 0, 16, 0, 0), /not enough bytes/],
  ['larger than a post or an image', change(pack({ a: WORDS }), 24, 0, 0, 0, 127), /a is larger than 100 MB/],
])('refuses a ZIP archive that is %s', async (_, bytes, reason) => {
  await expect(readAll(write('x.zip', bytes))).rejects.toThrow(reason);
});

it('refuses a ZIP archive of more files than a site has', async () => {
  const zip = pack({ a: WORDS });
  const at = zip.indexOf('PK\u0005\u0006');
  // The form for more than 65,535 files: a longer end, and where it is.
  const [end, place] = [Buffer.alloc(56), Buffer.alloc(20)];
  end.write('PK\u0006\u0006');
  end.writeUInt32LE(44, 4);
  for (const count of [24, 32]) end.writeUInt32LE(200_001, count);
  place.write('PK\u0006\u0007');
  place.writeUInt32LE(at, 8);
  place.writeUInt32LE(1, 16);
  const last = Buffer.from(zip.subarray(at)).fill(0xff, 8, 20);
  const bytes = Buffer.concat([zip.subarray(0, at), end, place, last]);
  await expect(readAll(write('x.zip', bytes))).rejects.toThrow('it has more than 200000 files');
});

it.each(['gnu', 'pax'])(
  'reads the files of a tar archive of the format %s, with long names',
  async (format) => {
    const name = `uploads/${'a-long-name-'.repeat(10)}.png`;
    const folder = createFolder();
    mkdirSync(path.join(folder, 'uploads'));
    writeFileSync(path.join(folder, name), WORDS);
    const tar = (file: string, ...argv: readonly string[]) => {
      execFileSync('tar', [
        ...argv,
        `--format=${format}`,
        '-cf',
        path.join(folder, file),
        '-C',
        folder,
        './uploads',
      ]);
      return path.join(folder, file);
    };
    expect(await readAll(tar('x.tar'))).toEqual({ [name]: WORDS });
    await expect(readAll(tar('x.tar.gz', '-z'))).rejects.toThrow(
      'x.tar.gz is compressed as a whole: unpack it',
    );
    const whole = readFileSync(path.join(folder, 'x.tar'));
    await expect(readAll(write('cut.tar', whole.subarray(0, 2_000)))).rejects.toThrow('it is cut off');
  },
);
