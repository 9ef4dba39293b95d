import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { readEvents } from '../support/events.ts';
import { findFreePort, type Site, startSite } from '../support/site.ts';
import { connect, TemporaryServers } from './temporary-servers.ts';

const REQUESTS = 800;
const INTERVAL_MS = 20;
/** Longer than a proxy waits. */
const MAX_WAIT_MS = 90_000;
/** Requests after which the site is restarted. */
const RESTARTS = [100, 450];

const readShipped = (name: string) => readFileSync(path.join(ROOT, 'deploy', name), 'utf8');

/** Throws with the command that installs a program which is missing. */
function requireProgram(name: string, packageName = name): void {
  try {
    execFileSync('which', [name]);
  } catch {
    throw new Error(`${name} is missing: apt-get install ${packageName}`);
  }
}

type StartProxy = (servers: TemporaryServers, upstream: string) => Promise<string>;

/** Starts nginx with the shipped file: another domain, ports and certificate. Resolves with its origin. */
const startNginx: StartProxy = async (servers, upstream) => {
  requireProgram('nginx');
  requireProgram('openssl');
  const port = await findFreePort();
  const { folder } = servers;
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=signpost.example', '-days', '2'];
  servers.run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ]);
  const shipped = readShipped('nginx.conf')
    .replaceAll('your.domain', 'signpost.example')
    .replace('127.0.0.1:4321', upstream)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replaceAll(/listen \[::\].*;/g, '')
    .replace('/var/log/nginx', folder)
    .replace('listen 80;', `listen 127.0.0.1:${await findFreePort()};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `);
  servers.write('signpost.conf', shipped);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  );
  const main = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events { worker_connections 4096; }
    http { ${temporary.join(' ')} include ${folder}/signpost.conf; }`;
  const file = servers.write('nginx.conf', main);
  await servers.start('nginx', ['-e', 'stderr', '-c', file], () => connect(port));
  return `https://127.0.0.1:${port}`;
};

/** Starts Caddy with the shipped file, without a certificate. Resolves with its origin. */
const startCaddy: StartProxy = async (servers, upstream) => {
  requireProgram('caddy');
  const port = await findFreePort();
  const file = servers.write(
    'Caddyfile',
    readShipped('Caddyfile').replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1'),
  );
  const env = { DOMAIN: `http://signpost.example:${port}`, UPSTREAM: upstream, HOME: servers.folder };
  await servers.start('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], () => connect(port), {
    env,
  });
  return `http://127.0.0.1:${port}`;
};

/** Sends one request on a connection of its own; resolves with its status, or why it has no response. */
function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<number | string> {
  const start = url.startsWith('https:') ? requestHttps : requestHttp;
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve) => {
    const sent = start(url, { method, headers, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.setTimeout(MAX_WAIT_MS, () => sent.destroy(new Error('no response')));
    sent.on('error', (error) => resolve(String(error)));
    sent.end(body);
  });
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** A visitor's request: by turns an event, a page, a click, another page. `id` names the event or click. */
function sendAsVisitor(origin: string, index: number, id: string): Promise<number | string> {
  const headers = { host: 'signpost.example', 'user-agent': BROWSER, 'sec-fetch-site': 'same-origin' };
  if (index % 4 === 0) {
    const event = { id, name: 'page_view', session: 's', page: '/', time: Date.now() };
    const body = JSON.stringify({ events: [event] });
    const type = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    return send(`${origin}/api/journey`, { ...headers, ...type }, body);
  }
  const navigation = { ...headers, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  const address = index % 4 === 2 ? `/go/highlevel?click=${id}` : index % 4 === 1 ? '/' : '/blog';
  return send(origin + address, navigation);
}

/** Restarts the site as its supervisor does; `isHeld`: which holds its socket. */
async function restart(site: Site, isHeld: boolean): Promise<void> {
  if (isHeld) return void process.kill(site.pid(), 'SIGUSR1');
  await site.stop();
  await sleep(1_000);
  await site.start();
}

it.each<[string, StartProxy, boolean]>([
  ['request, behind nginx and a socket that systemd holds', startNginx, true],
  ['request, behind Caddy and a socket that systemd holds', startCaddy, true],
  ['GET and no acknowledged POST, behind Caddy and a process that opens its own socket', startCaddy, false],
])('two restarts during 800 requests at 50 a second lose no %s', async (_, startProxy, isHeld) => {
  const servers = new TemporaryServers();
  onTestFinished(() => servers.stop());
  const site = await startSite({
    isSupervised: isHeld,
    env: {
      SITE_URL: 'https://signpost.example',
      TRUSTED_PROXY_HOPS: '1',
      LOG_REQUESTS: '1',
      CLICK_RATE: '0',
    },
  });
  onTestFinished(() => site.remove());
  const origin = await startProxy(servers, new URL(site.url).host);
  const ids = Array.from({ length: REQUESTS }, () => randomUUID());
  const restarts: Promise<void>[] = [];
  const sent: Promise<number | string>[] = [];
  for (const [index, id] of ids.entries()) {
    if (RESTARTS.includes(index)) restarts.push(restart(site, isHeld));
    sent.push(sendAsVisitor(origin, index, id));
    await sleep(INTERVAL_MS);
  }
  const outcomes = await Promise.all(sent);
  await Promise.all(restarts);
  const failures = outcomes.flatMap((outcome, index) =>
    outcome === 200 || outcome === 202 ? [] : [`${index}: ${outcome}`],
  );
  const refusedPosts = outcomes.filter(
    (outcome, index) => !isHeld && index % 4 === 0 && outcome === 502,
  ).length;
  expect(failures.length === refusedPosts ? [] : failures).toEqual([]);
  expect(site.output().split('is serving on')).toHaveLength(2 + RESTARTS.length);
  const stored = new Map(readEvents(site.dataDir).map((event) => [event['id'], event['name']]));
  const isAcknowledged = (index: number) => index % 2 === 0 && outcomes[index] !== 502;
  const lost = ids.filter((id, index) => isAcknowledged(index) && !stored.has(id));
  expect(lost).toEqual([]);
  // A proxy that repeats a POST doubles what has no id. A log may lose a line, so it cannot say that none is missing.
  const posts = site.output().match(/"method":"POST"[^}]*"status":20\d/g)?.length;
  expect(posts).toBeLessThanOrEqual(REQUESTS / 4);
  expect(posts).toBeGreaterThan(REQUESTS / 8);
});

it.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('%s logs that a request failed, and neither its query nor a token of it', async (_, startProxy) => {
  const servers = new TemporaryServers();
  onTestFinished(() => servers.stop());
  const port = await findFreePort();
  const site = createServer((_request, response) => response.writeHead(500).end()).listen(port, '127.0.0.1');
  const origin = await startProxy(servers, `127.0.0.1:${port}`);
  const headers = {
    host: 'signpost.example',
    cookie: 'session=secret-cookie',
    authorization: 'Bearer secret-bearer',
    referer: 'https://signpost.example/?gclid=secret-referrer',
    'user-agent': BROWSER,
  };
  // Caddy waits for the site before it gives up.
  const sendAll = () =>
    Promise.all([
      send(`${origin}/api/postbacks/kit/secret-token?gclid=secret-click`, headers, '{}'),
      send(`${origin}/secret-page?preview=secret-preview`, headers, '{}'),
    ]);
  expect(await sendAll()).toEqual([500, 500]);
  await new Promise((resolve) => site.close(resolve).closeAllConnections());
  expect(await sendAll()).toEqual([502, 502]);
  const read = () => {
    const files = readdirSync(servers.folder).filter((name) => name.endsWith('.log'));
    return (
      servers.output() + files.map((name) => readFileSync(path.join(servers.folder, name), 'utf8')).join('')
    );
  };
  await expect.poll(read).toMatch(/\b502\b/);
  expect(read()).not.toContain('secret');
});

it.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('through %s on the same machine, /readyz names no draft', async (_, startProxy) => {
  const servers = new TemporaryServers();
  onTestFinished(() => servers.stop());
  const site = await startSite({
    env: { SITE_URL: 'https://signpost.example', TRUSTED_PROXY_HOPS: '1' },
    contentEdits: { 'articles/secret-launch.md': () => '---\ntitle: Secret\nbadfield: foo\n---\nText\n' },
  });
  onTestFinished(() => site.remove());
  const origin = await startProxy(servers, new URL(site.url).host);
  expect(await (await fetch(`${site.url}/readyz`)).text()).toContain('secret-launch');
  for (const host of ['signpost.example', 'localhost', '127.0.0.1'])
    for (const forged of ['', 'x-forwarded-for, x-forwarded-proto, x-forwarded-host, via'])
      for (const query of ['', '?all']) {
        const headers = { host, 'x-forwarded-for': '127.0.0.1', ...(forged && { connection: forged }) };
        const { status, text } = await read(`${origin}/readyz${query}`, headers);
        expect.soft(text, `${host} ${forged}`).not.toContain('secret');
        if (host === 'signpost.example') expect.soft(status).toBe(query === '' ? 200 : 503);
      }
});

/** Reads a response with headers that `fetch` would not send. */
function read(url: string, headers: Readonly<Record<string, string>>) {
  const start = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = start(url, { headers, agent: false, rejectUnauthorized: false }, async (response) =>
      resolve({ status: response.statusCode, text: (await response.toArray()).join('') }),
    );
    sent.on('error', reject).end();
  });
}
