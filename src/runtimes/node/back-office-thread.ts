import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createApp } from '../../server/app.ts';
import { createPages } from '../../server/http/pages.ts';
import { createLog } from '../../server/log.ts';
import { parseConfig } from '../../server/settings.ts';
import { pageHashes, render } from '../astro/render.ts';
import {
  listMoved,
  type OfficeMessage,
  type OfficeReply,
  type SentRequest,
  type SentResponse,
} from './back-office-messages.ts';
import { openNodeBackOffice } from './node-back-office.ts';
import { RequestedBodies } from './requested-bodies.ts';
import { compressResponse } from './stored-response.ts';

/** Only the site responds to visitors, and limits them. */
const UNLIMITED = { take: () => 0 };

/** The program of the thread in which the back office runs. The site posts `OfficeMessage`s to it. */
export function runBackOffice(): void {
  const port = parentPort;
  if (port === null) throw new Error('the back office runs in a thread of the site');
  letVisitorsGoFirst();
  const config = parseConfig(process.env);
  const log = createLog((line) => process.stderr.write(line), Date.now);
  const office = openNodeBackOffice(config, log, pageHashes, workerData, {
    imageManifest: path.resolve(import.meta.dirname, '../images.json'),
    buildTime: __BUILD_TIME__,
    isBackOffice: true,
  });
  const { content, security } = office;
  const pages = createPages({
    render: (request, visitor, consolePage) =>
      render(request, { services: { content }, ...visitor, consolePage }),
    ...{ security, log },
    limiter: UNLIMITED,
    siteUrl: config.siteUrl,
    siteOrigin: null,
  });
  // Where there is no console, the site responds in place of the thread.
  const declined = new WeakSet<Request>();
  const decline = async () => new Response(null, { status: 404 });
  const app = createApp(
    {
      routes: [],
      console: {
        async respond(context, render) {
          const response = await office.respond(context, render);
          if (response === null) declined.add(context.req.raw);
          return response;
        },
      },
      content: { site: { aliases: {} } },
      pageParameters: new Map(),
      security,
      renderLimiter: UNLIMITED,
      log,
    },
    { ...pages, render: decline, submit: decline },
    { compress: compressResponse },
  );
  const bodies = new RequestedBodies((id) => reply(port, { id, needs: 'body' }));
  const respond = async (id: number, sent: SentRequest) => {
    const request = buildRequest(sent, sent.hasBody ? bodies.open(id) : null);
    if (request === null) return null;
    const response = await app.fetch(request, sent.visitor);
    return declined.has(request) ? null : packResponse(response);
  };
  port.on('message', (message: OfficeMessage) => {
    const { kind } = message;
    if (kind === 'site') office.show(message.site);
    else if (kind === 'body') bodies.receive(message.id, message.body);
    else {
      const { id } = message;
      const work = kind === 'close' ? office.close().then(() => null) : respond(id, message.request);
      void work.then((response) => reply(port, { id, response }));
    }
  });
}

/** Linux has a priority for each thread; other systems know no such file and treat all alike. */
function letVisitorsGoFirst(): void {
  try {
    const threadId = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it the console only competes more.
  }
}

/** Null for a method such as TRACE that no request may have. */
function buildRequest(
  { url, method, headers }: SentRequest,
  body: ReadableStream<Uint8Array> | null,
): Request | null {
  try {
    // Without `duplex`, which the types do not know yet, a stream is refused.
    const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' };
    return new Request(url, init);
  } catch {
    return null;
  }
}

async function packResponse(response: Response): Promise<SentResponse> {
  const { status, headers } = response;
  const hasLength = headers.has('content-length');
  return { status, headers: [...headers], body: hasLength ? await response.arrayBuffer() : response.body };
}

function reply(port: MessagePort, message: OfficeReply): void {
  port.postMessage(message, 'response' in message ? listMoved(message.response?.body ?? null) : []);
}
