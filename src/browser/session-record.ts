/** Reads a JSON record of this tab's session storage; null when there is none, or none can be read. */
export function readRecord(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a JSON record in this tab's session storage; without storage (denied, full) it is not kept. */
export function writeRecord(key: string, record: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(record));
  } catch {
    // The page works from memory then.
  }
}

/** Removes a record. */
export function removeRecord(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There was nothing to remove.
  }
}
