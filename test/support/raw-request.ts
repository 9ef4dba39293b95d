import { connect } from 'node:net';

/** Sends bytes as they are to the site and resolves to the whole response; for requests that no client would send. */
export function sendRaw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let response = '';
    socket.setTimeout(20_000, () => socket.destroy(new Error('no response within 20 s')));
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

/** Status and headers (lower-case names) of a raw response. */
export function parseHead(response: string): { status: number; headers: Record<string, string> } {
  const [start = '', ...lines] = (response.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(start.split(' ')[1]), headers: Object.fromEntries(headers) };
}
