import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { nameCommand } from '../core/text/name-command.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { COPIED_NAMES, isCopiedFile } from './copied-data.ts';
import { createPrivateFolder, discard, storeWhole } from './disk.ts';

/**
 * The port that stores a copy. Every adapter passes the contract suite `test/contract/copy-target.ts`. Names are
 * `COPY/SEQUENCE.segment`. A rejection means that the place cannot be read or written right now.
 */
export interface CopyTarget {
  /** Resolves once an object is stored. Equal bytes of that name change nothing; others reject with `CopyConflictError`. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** null: there is no such object. */
  get(name: string): Promise<Uint8Array | null>;
  /** The names of all segments, sorted. */
  list(): Promise<readonly string[]>;
  /** Removes an object, and ignores one that is not there. */
  remove(name: string): Promise<void>;
  /** Rejects with `CopyPlaceError` when nothing can be written, or `copy` is not there; empty: none has to be. */
  probe(copy: string): Promise<void>;
}

/** The place cannot be written until a person has changed something. */
export class CopyPlaceError extends Error {
  /** Whether the place is there, without the copy: its disk may not be mounted. */
  readonly lacksCopy: boolean;
  constructor(message: string, lacksCopy = false) {
    super(message);
    this.name = 'CopyPlaceError';
    this.lacksCopy = lacksCopy;
  }
}

/** Another object has the name: another program writes to this copy. */
export class CopyConflictError extends Error {
  constructor(name: string) {
    super(`${name} is there already, with another content`);
    this.name = 'CopyConflictError';
  }
}

/** The name of a segment. */
export const buildSegmentName = (copy: string, sequence: number): string =>
  `${copy}/${String(sequence).padStart(9, '0')}.segment`;

/** Parses the name of a segment; null for another one. */
export function parseSegmentName(name: string): { readonly copy: string; readonly sequence: number } | null {
  const [, copy, sequence] = /^(\d{8}T\d{6}Z-[\da-f]{8})\/(\d{9})\.segment$/.exec(name) ?? [];
  return copy === undefined ? null : { copy, sequence: Number(sequence) };
}

/** Names a new copy: names sort by the time at which it began. */
export const buildCopyName = (now: number): string =>
  `${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;

/** Stores a copy in a folder, which has to exist: without its disk, the folder at which it is mounted is empty. */
export function createFolderCopyTarget(folder: string): CopyTarget {
  let isTidy = false;
  const refuse = (error: unknown, copy: string): never => {
    if (hasCode(error, 'EROFS') || hasCode(error, 'EACCES'))
      throw new CopyPlaceError(
        `this process may not write in ${folder}: systemd needs ReadWritePaths=${folder}, and the folder has to belong to ` +
          `the user of the site (${Reflect.get(Object(error), 'code')})`,
      );
    if (!hasCode(error, 'ENOENT')) throw error;
    if (!existsSync(folder)) throw new CopyPlaceError(`there is no folder ${folder}`);
    throw new CopyPlaceError(
      `${folder} does not have the copy ${copy}: mount its disk, move the files of the former place there, or begin a new ` +
        `copy: ${nameCommand('restore --new-copy')} ${copy}`,
      true,
    );
  };
  const target: CopyTarget = {
    async probe(copy) {
      await access(folder, constants.W_OK);
      await access(path.join(folder, copy), constants.W_OK);
    },
    async put(name, content) {
      const file = path.join(folder, name);
      const own = path.dirname(file);
      // Only the first segment creates the folder of a copy: later ones would begin it anew on the wrong disk.
      if (parseSegmentName(name)?.sequence === 1) {
        await stat(folder);
        createPrivateFolder(own);
      }
      // A process that was killed has left its file.
      const left = isTidy ? [] : (await readdir(own)).filter((entry) => entry.endsWith('.partial'));
      for (const entry of left) await discard(path.join(own, entry));
      isTidy = true;
      try {
        await storeWhole(file, content, true);
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
        if (!(await readFile(file)).equals(content)) throw new CopyConflictError(name);
      }
    },
    async get(name) {
      try {
        // A disk that hangs holds the thread that restores, and none of the few that the process has for all files.
        return readFileSync(path.join(folder, name));
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async list() {
      const names = await readdir(folder, { recursive: true });
      return names
        .map((name) => name.split(path.sep).join('/'))
        .filter(parseSegmentName)
        .sort();
    },
    async remove(name) {
      await discard(path.join(folder, name));
    },
  };
  const { probe, put } = target;
  return {
    ...target,
    probe: (copy) => probe(copy).catch((error) => refuse(error, copy)),
    put: (name, content) =>
      put(name, content).catch((error) => refuse(error, parseSegmentName(name)?.copy ?? '')),
  };
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

const FORMAT = 1;
const sequenceSchema = z.int().min(0);

/** The first line of a segment, in the clear; what follows is encrypted and cannot be moved below another one. */
const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  copy: z.string(),
  /** From 1, without gaps. */
  sequence: sequenceSchema,
  /** SHA-256 of the segment before it; empty for the first. */
  previous: z.string(),
  /** The first segment that a restore needs; 0 while the copy has not everything yet. */
  base: sequenceSchema,
  /** In ms since 1970. */
  at: z.number(),
  iv: z.string(),
});
export type SegmentHead = Omit<z.output<typeof headSchema>, 'format' | 'iv'>;

/** What a column holds. */
export const valueSchema = z.union([z.string(), z.number(), z.null()]);
/** Becomes part of a statement. */
const identifierSchema = z.string().regex(/^[a-z][a-z0-9_]*$/);
const databaseSchema = z.enum(COPIED_NAMES);
const bodySchema = z.strictObject({
  /** Schema versions of the databases, and the highest numbers that their tables have given. */
  databases: z.partialRecord(
    databaseSchema,
    z.strictObject({ version: z.int(), numbers: z.record(z.string(), z.number()) }),
  ),
  /** Rows as they are now, and keys of rows that are gone, which are removed first. */
  tables: z.array(
    z.strictObject({
      database: databaseSchema,
      name: identifierSchema,
      columns: z.array(identifierSchema),
      rows: z.array(z.array(valueSchema)),
      key: z.array(identifierSchema),
      removed: z.array(z.array(valueSchema)),
    }),
  ),
  /** Whole files as base64; null for one that is gone. */
  files: z.record(z.string().refine(isCopiedFile), z.string().nullable()),
});
/** What a segment tells. */
export type SegmentBody = z.output<typeof bodySchema>;

/** The key of a copy, from the operator's secret. */
const deriveKey = (secret: string, copy: string) =>
  Buffer.from(hkdfSync('sha256', secret, copy, 'signpost copy', 32));

export const hashSegment = (bytes: Uint8Array): string => hash('sha256', bytes);

/** Builds the bytes of a segment, compressed and encrypted with AES-256-GCM. */
export function sealSegment(head: SegmentHead, body: SegmentBody, secret: string): Buffer {
  const iv = randomBytes(12);
  const line = Buffer.from(`${JSON.stringify({ format: FORMAT, ...head, iv: iv.toString('base64') })}\n`);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, head.copy), iv).setAAD(line);
  const content = gzipSync(JSON.stringify(body), { level: 1 });
  return Buffer.concat([line, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

const TAG_BYTES = 16;

/** Reads a segment. Throws when it is damaged, encrypted with another key or written by a newer version. */
export function openSegment(name: string, bytes: Uint8Array, secret: string) {
  const [start, end] = [bytes.indexOf(10) + 1, bytes.length - TAG_BYTES];
  const json = parseJson(Buffer.from(bytes.subarray(0, start)).toString());
  const head = headSchema.safeParse(json).data;
  const place = parseSegmentName(name);
  if (head === undefined || head.copy !== place?.copy || head.sequence !== place.sequence) {
    const isNewer = Number(Object(json).format) > FORMAT;
    const reason = 'is damaged: its first line cannot be read';
    throw new Error(`${name} ${isNewer ? 'was written by a newer version: restore with that one' : reason}`);
  }
  const [key, iv] = [deriveKey(secret, head.copy), Buffer.from(head.iv, 'base64')];
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  let content: Buffer;
  try {
    decipher.setAAD(bytes.subarray(0, start)).setAuthTag(bytes.subarray(end));
    content = Buffer.concat([decipher.update(bytes.subarray(start, end)), decipher.final()]);
  } catch (error) {
    const reason = 'LEDGER_COPY_KEY is not the key of this copy, or the file is damaged';
    throw new Error(`${name} cannot be decrypted: ${reason}`, { cause: error });
  }
  const body = bodySchema.safeParse(parseJson(gunzipSync(content).toString()));
  if (!body.success) throw new Error(`${name} has what this version does not know`, { cause: body.error });
  return { head, body: body.data };
}
