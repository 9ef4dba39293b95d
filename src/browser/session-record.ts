/** Reads a JSON record of this tab's session storage; null when there is none, or none can be read. */
export function readRecord(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Keeps a JSON record in this tab's session storage. It is not kept without storage (denied, full), nor for a
 * visitor who asks for privacy (Global Privacy Control).
 */
export function writeRecord(key: string, record: unknown): void {
  if (navigator.globalPrivacyControl) return;
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
