// @ts-check
// node --import ./scripts/start/env-file.mjs PROGRAM: loads .env. Variables of the environment take precedence.
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const FILE = '.env';

if (existsSync(FILE)) {
  for (const [name, value] of Object.entries(parseEnv(readText()))) process.env[name] ??= value;
}

/** The text without a byte order mark, which would become a part of the first name. */
function readText() {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(FILE));
    // Editors of Windows save UTF-16, in which every second byte of a name is zero.
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) return fail(`cannot be read (${Object(error).code ?? error})`);
  }
  return fail('is not UTF-8: save it in that encoding');
}

/**
 * @param {string} reason
 * @returns {never}
 */
function fail(reason) {
  console.error(`[settings] ${FILE} ${reason}`);
  process.exit(1);
}
