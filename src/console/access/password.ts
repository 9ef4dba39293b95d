import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
// `words`: beginnings of the passwords that lists of leaked ones have in every variant, in letters alone. `passwords`: the most
// common ones of 12 characters and more in OWASP SecLists and @zxcvbn-ts/language-common 4.1, without capitals.
import commonPasswords from './common-passwords.json' with { type: 'json' };

/** What a hash costs: `128 * cost * blockSize` bytes of memory, and time in proportion to all three. */
export interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** 128 MB and about half a second: OWASP's first choice for scrypt. */
const DEFAULT_COST: ScryptCost = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Stored parameters beyond these were not written here; they would take the memory of the machine. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
/** Hashes that wait for the one that is computed; about ten seconds of work. */
const MAX_WAITING = 20;

interface StoredHash {
  readonly parameters: ScryptCost;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

type Derive = (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
) => Promise<Uint8Array>;

/** More passwords wait to be hashed than the queue takes. */
export class PasswordQueueError extends Error {
  constructor() {
    super('[console] too many passwords wait to be checked');
    this.name = 'PasswordQueueError';
  }
}

/** Hashes passwords one at a time: several at once would be an attack on the memory of the machine. */
export class PasswordHasher {
  readonly #derive: Derive;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** No password matches it. */
  readonly #decoy: StoredHash;
  readonly #parameters: ScryptCost;
  readonly #sharesWork: boolean;

  /** `sharesWork`: as in `Platform`; false: each password is hashed at once, because no request can wait for another one. */
  constructor(derive: Derive = deriveScrypt, parameters: ScryptCost = DEFAULT_COST, sharesWork = true) {
    this.#parameters = parameters;
    this.#derive = derive;
    this.#sharesWork = sharesWork;
    this.#decoy = { parameters, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  }

  /** Hashes a new password: `scrypt$N$r$p$salt$hash`, both base64url. Rejects with `PasswordQueueError`. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return formatHash(this.#parameters, salt, await this.#enqueue(password, salt, this.#parameters));
  }

  /**
   * Whether a password has a stored hash. Without a hash (`null`: there is no such operator) the same work is done and
   * the result is false. Rejects with `PasswordQueueError`.
   */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const { parameters, salt, hash } = parseHash(stored ?? '') ?? this.#decoy;
    const given = await this.#enqueue(password, salt, parameters);
    return given.byteLength === hash.byteLength && timingSafeEqual(given, hash) && stored !== null;
  }

  async #enqueue(password: string, salt: Uint8Array, parameters: ScryptCost): Promise<Uint8Array> {
    const { cost: N, blockSize: r, parallelization: p } = parameters;
    const run = () =>
      this.#derive(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES });
    if (!this.#sharesWork) return run();
    if (this.#waiting >= MAX_WAITING) throw new PasswordQueueError();
    this.#waiting += 1;
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}

const deriveScrypt: Derive = (password, salt, length, options) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

function formatHash(
  { cost, blockSize, parallelization }: ScryptCost,
  salt: Uint8Array,
  hash: Uint8Array,
): string {
  const texts = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return ['scrypt', cost, blockSize, parallelization, ...texts].join('$');
}

function parseHash(text: string): StoredHash | null {
  const match = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]{22})\$([\w-]{43})$/.exec(text);
  if (match === null) return null;
  const [, cost, blockSize, parallelization, salt = '', hash = ''] = match;
  const parameters = {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  };
  return { parameters, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

export const MIN_PASSWORD_LENGTH = 12;
/** Longer ones would only cost time. */
const MAX_PASSWORD_LENGTH = 500;

/** Why a password is refused, as a sentence; null for one that is accepted. */
export function findPasswordProblem(password: string, name: string): string | null {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH)
    return `The password has ${characters.length} characters; it needs at least ${MIN_PASSWORD_LENGTH}.`;
  if (characters.length > MAX_PASSWORD_LENGTH)
    return `The password has more than ${MAX_PASSWORD_LENGTH} characters.`;
  if (new Set(characters).size < 5)
    return 'The password repeats too few characters: programs try such ones first.';
  if (isCommon(password, name))
    return 'The password is a common one or your name with something added: programs try such ones first.';
  return null;
}

/** Whether hardly anything is left without the words that lists of passwords are made of, digits and signs. */
function isCommon(password: string, name: string): boolean {
  const small = password.normalize('NFKC').toLowerCase();
  const plain = small.replace(/[@013457$!|]/g, (sign) => WRITTEN_AS[sign] ?? sign);
  // Digits alone are telephone numbers and days, or in a row.
  if (leaked.has(small) || leaked.has(plain) || /^[\d\s./-]{1,19}$/.test(small)) return true;
  return [small, plain].some((text) => isMadeOfWords(text, password, name));
}

/** Letters that people write as signs. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '!': 'i',
  '|': 'l',
};
const leaked: ReadonlySet<string> = new Set(commonPasswords.passwords);

function isMadeOfWords(small: string, password: string, name: string): boolean {
  const letters = small.replace(/[^\p{L}]/gu, '');
  const words = [name.toLowerCase().replace(/[^\p{L}]/gu, ''), ...commonPasswords.words].filter(
    (word) => word.length > 2,
  );
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), letters);
  return rest.length < 4 && !/[^\p{L}\d\s!-/:-@[-`{-~]/u.test(password) && letters.length > rest.length;
}

/** A name as it is stored; null when it is empty, too long or has invisible characters. */
export function parseOperatorName(text: string): string | null {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return name.length > 0 && name.length <= 80 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? name : null;
}
