/**
 * Creates a random UUID. `crypto.randomUUID` exists only on pages served with TLS; the address of a blob ends in one.
 */
export function createId(): string {
  return URL.createObjectURL(new Blob()).slice(-36);
}
