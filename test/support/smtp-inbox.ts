import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message as a mail server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came over the connection. */
  readonly raw: string;
}

/** A mail server on loopback. */
export interface SmtpInbox {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Cuts every connection without a word. */
  disconnect(): void;
  close(): Promise<void>;
}

/** Starts a real mail server that takes everything; options change what it refuses. */
export async function startSmtpInbox(options: SMTPServerOptions = {}): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 500,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
    ...options,
  });
  // A client that disconnects is what some tests are about.
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  listener.on('connection', (socket: Socket) => sockets.add(socket));
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    mails,
    disconnect() {
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The name of a time zone in which it is about noon, so that the digest of the day is due. */
export function findZoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
