import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';
import { explainPassing, PRIVATE_FILE, writeWhole } from '../stores/disk.ts';

/** The file of the secrets that operators type into the console, in the data folder. */
export const SECRETS_FILE = 'network-secrets.json';

const MAX_BYTES = 1_000_000;
const secret = z.string().regex(/^[^\p{Cc}]{1,2000}$/u);
const stored = z.strictObject({
  value: secret,
  setAt: z.number(),
  /** The operator. */
  setBy: z.string(),
  /** The secret before, accepted until a time in ms since 1970. */
  former: z.strictObject({ value: secret, until: z.number() }).optional(),
});
/** Ends the name of a record that has one more former secret. */
const FORMER_NAME = /_FORMER_\d+$/;
const fileSchema = z.strictObject({
  format: z.literal(1),
  secrets: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), stored),
});
/** A secret that an operator has typed in, with the one before. */
export type StoredSecret = z.output<typeof stored>;

/** Whether a text can be a secret: one line of at most 2,000 characters. */
export const isSecretText = (text: string): boolean => secret.safeParse(text).success;

interface ReadSecrets {
  /** Tells versions of the file apart; empty while the file is missing. */
  readonly key: string;
  readonly secrets: Readonly<Record<string, StoredSecret>>;
  /** What is wrong with the file, as a sentence that begins with its name; null: nothing. */
  readonly problem: string | null;
  /** Whether its secrets can be used all the same. */
  readonly isUsable: boolean;
}

/**
 * The former secrets of a name, with the records that have them: all but the last are in records `NAME_FORMER_TIME`, so that an
 * earlier version reads the file.
 */
export function listFormerSecrets(secrets: Readonly<Record<string, StoredSecret | undefined>>, name: string) {
  const isOwn = (key: string) =>
    key === name || (FORMER_NAME.test(key) && key.replace(FORMER_NAME, '') === name);
  return Object.entries(secrets).flatMap(([key, one]) =>
    isOwn(key) && one?.former ? [{ key, ...one.former }] : [],
  );
}

/** A file of secrets, which only the site's user can read. Another process may write it. */
export class SecretFile {
  readonly #file: string;
  readonly #name: string;
  #read: ReadSecrets | null = null;

  constructor(file: string) {
    this.#file = file;
    this.#name = path.basename(file);
  }

  /** The file as it is now: read again once it is another one. */
  read(): ReadSecrets {
    const none = { key: '', secrets: {}, problem: null, isUsable: true };
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false });
      if (stats === undefined) return none;
      const { ino, mtimeMs, ctimeMs, size, mode } = stats;
      const key = [ino, mtimeMs, ctimeMs, size].join();
      if (this.#read?.key === key) return this.#read;
      const text = size > MAX_BYTES ? '' : readFileSync(this.#file, 'utf8');
      const parsed = fileSchema.safeParse(parseJson(text));
      const isOpen = process.getuid !== undefined && (mode & 0o077) !== 0;
      this.#read = parsed.success
        ? { key, secrets: parsed.data.secrets, isUsable: true, problem: isOpen ? this.#explain(OPEN) : null }
        : { ...none, key, problem: this.#explain(DAMAGED), isUsable: false };
      return this.#read;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const passing = explainPassing(code);
      const problem = passing === null ? UNREADABLE : `FILE cannot be read: ${passing}`;
      return { ...none, problem: this.#explain(problem), isUsable: false };
    }
  }

  /**
   * Writes the file whole, without former secrets whose time has passed. `now`: ms since 1970. Returns why it could not be
   * written, as a sentence, else null.
   */
  write(
    now: number,
    change: (secrets: Readonly<Record<string, StoredSecret>>) => Readonly<Record<string, StoredSecret>>,
  ): string | null {
    const { secrets, problem, isUsable, key } = this.read();
    if (!isUsable) return problem;
    // What is not accepted any more is not stored any longer either.
    const current = Object.entries(secrets).flatMap(([name, { former, ...own }]) => {
      const isAccepted = former !== undefined && former.until > now;
      if (FORMER_NAME.test(name) && !isAccepted) return [];
      return [[name, isAccepted ? { ...own, former } : own]];
    });
    const content = { format: 1, secrets: change(Object.fromEntries(current)) };
    try {
      return writeWhole(
        this.#file,
        `${JSON.stringify(content, null, 1)}\n`,
        key === '',
        () =>
          this.read().key === key ? null : 'Another operator has changed a secret meanwhile. Try again.',
        PRIVATE_FILE,
      );
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const advice = explainPassing(code) ?? `look at the data folder and its disk${code && ` (${code})`}.`;
      return `${this.#name} cannot be written: ${advice} Nothing was changed.`;
    } finally {
      this.#read = null;
    }
  }

  #explain = (problem: string) => problem.replaceAll('FILE', this.#name);
}

const OPEN =
  'FILE can be read by other users of the machine: run “chmod 600 FILE” in the data folder, and renew the secrets if others use the machine.';
const DAMAGED = 'FILE is damaged: restore it from a backup, or remove it and type what it had in again.';
const UNREADABLE = 'FILE cannot be read by the site: look at its owner and its mode, which is 600.';

/** Where the secrets of a data folder are. */
export const getSecretsFile = (dataDir: string) => path.join(dataDir, SECRETS_FILE);

/** Where the settings are that operators type into the console. */
export const getSettingsFile = (dataDir: string) => path.join(dataDir, 'settings.json');
