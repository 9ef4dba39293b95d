/**
 * The port that stores files of archived events. Every adapter passes the contract suite
 * `test/contract/event-archive.ts`. A rejection means that the archive cannot be read or written right now.
 */
export interface EventArchive {
  /** Resolves once the file is stored as a whole. A file of the same name is replaced. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** null: there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** The names of all files, sorted. */
  list(): Promise<readonly string[]>;
  /** Removes a file, and ignores one that is not there. */
  remove(name: string): Promise<void>;
}

/** Which events an archived file has, by its name. */
export interface ArchiveFile {
  readonly name: string;
  /** Server times of the first and the last event, in ms since 1970. */
  readonly oldest: number;
  readonly newest: number;
}

const NAME = /^(\d{15})-(\d{15})-[0-9a-f]{16}\.ndjson\.gz$/;

/** Builds the name of a file; names sort by the time of their first event. */
export function buildArchiveName(oldest: number, newest: number, checksum: string): string {
  const pad = (time: number) => String(Math.max(0, Math.round(time))).padStart(15, '0');
  return `${pad(oldest)}-${pad(newest)}-${checksum.slice(0, 16)}.ndjson.gz`;
}

/** Parses the name of a file; null for a name that this program does not give. */
export function parseArchiveName(name: string): ArchiveFile | null {
  const [, oldest, newest] = NAME.exec(name) ?? [];
  return oldest === undefined ? null : { name, oldest: Number(oldest), newest: Number(newest) };
}
