/** Whether a host name, without a port, is this machine: `localhost`, `127.x.x.x`, `::1` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(hostname);
}
