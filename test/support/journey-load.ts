import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly eventsPerPost: number;
  /** Called for each response with the ids that were posted. */
  readonly onAnswer: (status: number, ids: readonly string[], ms: number) => void;
  /** Called when a connection fails with a post under way; nothing is known of these ids. Then it connects again. */
  readonly onBroken?: (ids: readonly string[]) => void;
  /** Ids to post before new ones: those that a broken connection left unknown. */
  readonly again?: string[];
}

export interface Load {
  /** Lets posts under way finish and closes. */
  stop(): Promise<void>;
}

const ID_LENGTH = 36;
const RECONNECT_MS = 5;

/**
 * Posts events to `/api/journey` over keep-alive connections, one post at a time on each, as fast as responses
 * come. It writes HTTP by hand: a general client costs more than the server it measures.
 */
export function startLoad(options: LoadOptions): Load {
  const posts = createPosts(options.eventsPerPost);
  const state = { isStopping: false };
  const lanes = Array.from({ length: options.connections }, () => runLane(options, posts, state));
  return {
    async stop() {
      state.isStopping = true;
      await Promise.all(lanes);
    },
  };
}

function runLane(options: LoadOptions, posts: Posts, state: { isStopping: boolean }): Promise<void> {
  return new Promise((resolve) => {
    const open = () => {
      let ids: readonly string[] = [];
      let sentAt = 0;
      let received = '';
      const socket = connect(options.port, '127.0.0.1').setNoDelay(true);
      const next = () => {
        if (state.isStopping) {
          socket.end();
          return;
        }
        ids = posts.takeIds(options.again);
        sentAt = performance.now();
        socket.write(posts.build(ids));
      };
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const response = readAnswer(received);
        if (!response) return;
        received = received.slice(response.length);
        const posted = ids;
        ids = [];
        options.onAnswer(response.status, posted, performance.now() - sentAt);
        next();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (ids.length > 0) options.onBroken?.(ids);
        if (state.isStopping) resolve();
        else setTimeout(open, RECONNECT_MS);
      });
      lingerNever(socket);
    };
    open();
  });
}

/** A server that was stopped hard leaves a half-open connection for long, should its end never be told. */
function lingerNever(socket: Socket): void {
  socket.setTimeout(15_000, () => socket.destroy());
}

function readAnswer(text: string): { status: number; length: number } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const body = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  const length = end + 4 + body;
  return text.length < length ? null : { status: Number(text.slice(9, 12)), length };
}

interface Posts {
  takeIds(again: string[] | undefined): string[];
  build(ids: readonly string[]): Buffer;
}

/** One request of fixed length in memory; only the ids in it change. */
function createPosts(eventsPerPost: number): Posts {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  const event = JSON.stringify({
    id: '#'.repeat(ID_LENGTH),
    name: 'call_to_action',
    session: 'b0f9a523f0e4d6c9a523f0e4d6c9a52f',
    page: '/blog/crm-basics',
    time: Date.now(),
    label: 'Start Free Trial',
    value: 1,
    data: { source: 'hero', partner: 'highlevel' },
    campaign: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'autumn' },
  });
  const body = `{"events":[${Array.from({ length: eventsPerPost }, () => event).join()}]}`;
  const template = Buffer.from(
    'POST /api/journey HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
      `Sec-Fetch-Site: same-origin\r\nUser-Agent: Mozilla/5.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const places: number[] = [];
  for (let at = template.indexOf('####'); at >= 0; at = template.indexOf('####', at + ID_LENGTH))
    places.push(at);

  return {
    takeIds: (again) =>
      Array.from({ length: eventsPerPost }, () => {
        const known = again?.pop();
        return known ?? `${run}-0000-4000-8000-${(count++).toString(16).padStart(12, '0')}`;
      }),
    build(ids) {
      const request = Buffer.from(template);
      for (const [i, id] of ids.entries()) request.write(id, places[i] ?? 0, 'latin1');
      return request;
    },
  };
}
