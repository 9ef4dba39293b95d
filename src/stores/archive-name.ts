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
