import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';

/** A client that neither sends nor reads anything for so long is disconnected. */
export const SILENCE_MS = 9_000;
/** How long the application may work on a response. */
const MAX_WORK_MS = 60_000;

/**
 * How long a connection stays open without a request. Visitors' browsers send a request again whose connection was
 * closed meanwhile. A proxy does not when it has a body, so the proxy has to be the one that closes: nginx does after
 * 60 s, Caddy after 120 s.
 */
const KEEP_ALIVE_MS = { visitor: 5_000, proxy: 130_000 } as const;
/** The connection stays open so much longer than its client is told. */
const BUFFER_MS = 3_000;

/** The times of connections that wait for their next request. */
export function buildKeepAlive(
  trustedProxyHops: number,
): Pick<ServerOptions, 'keepAliveTimeout' | 'keepAliveTimeoutBuffer'> {
  const keepAliveTimeout = trustedProxyHops === 0 ? KEEP_ALIVE_MS.visitor : KEEP_ALIVE_MS.proxy;
  return { keepAliveTimeout, keepAliveTimeoutBuffer: BUFFER_MS };
}

/**
 * Disconnects a client after `server.timeout` without a byte. One that has sent its request and waits for the
 * application is not silent: it gets its response, as long as that does not take a minute.
 */
export function disconnectWhenSilent(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const began = performance.now();
  response.on('timeout', (socket) => {
    const isWaiting = !response.headersSent && (request.complete || request.readableLength > 0);
    if (isWaiting && performance.now() - began < MAX_WORK_MS) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
}
