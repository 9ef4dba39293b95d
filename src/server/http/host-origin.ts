/** Builds the origin of a host and port of this machine, in which an IPv6 address has brackets. */
export function buildHostOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
