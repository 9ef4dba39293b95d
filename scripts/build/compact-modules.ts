import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

/** Keeps the lines short that a stack trace shows. */
const LINE_LENGTH = 120;

/**
 * Rewrites every module of a folder without comments and indentation, and in ASCII. V8 keeps the text of a module for
 * as long as a thread runs that has loaded it, with two bytes for each character if a single one is not Latin-1.
 * Names stay as they are.
 */
export async function compactModules(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => path.join(folder, name));
  await Promise.all(
    files.map(async (file) => {
      const { code } = await transform(readFileSync(file, 'utf8'), {
        format: 'esm',
        target: 'esnext',
        charset: 'ascii',
        minifyWhitespace: true,
        lineLimit: LINE_LENGTH,
        sourcefile: path.basename(file),
      });
      writeFileSync(file, escapePatterns(code));
    }),
  );
}

/** Escapes what esbuild leaves: characters of regular expressions, which can have an escape already. */
function escapePatterns(code: string): string {
  return code.replace(/(\\*)([^\0-\x7f])/g, (_, before: string, character: string) => {
    const isEscaped = before.length % 2 === 1;
    const escaped = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return (isEscaped ? before.slice(1) : before) + escaped;
  });
}
