/** A random UUID, also where `crypto.randomUUID` is missing (pages that are served without TLS). */
export function newId(): string {
  // The address of a blob ends in one.
  return crypto.randomUUID?.() ?? URL.createObjectURL(new Blob()).slice(-36);
}
