import { execFile, execFileSync, execSync, spawnSync } from 'node:child_process';
import dns, { lookup } from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';

const server = createServer((_, response) => response.end('local'));
const REASON = 'tests connect to loopback only';
const refusedName = { code: 'ENOTFOUND', syscall: 'getaddrinfo', message: expect.stringContaining(REASON) };
const refusedAddress = { code: 'ECONNREFUSED', syscall: 'connect', message: expect.stringContaining(REASON) };
let port: number;

beforeAll(async () => {
  await once(server.listen(0, '::'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Resolves with the error of a connection; null when it is there. */
async function findRefusal(socket: ReturnType<typeof connect>): Promise<unknown> {
  try {
    await once(socket, 'connect');
    return null;
  } catch (error) {
    return error;
  } finally {
    socket.destroy();
  }
}

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  'localhost',
  'LOCALHOST',
])('connects to %s', async (host) => {
  expect(await findRefusal(connect(port, host))).toBe(null);
  expect(await findRefusal(connect({ port, host }))).toBe(null);
});

it('connects to a port without a host, and to a socket of the file system', async () => {
  expect(await findRefusal(connect(port))).toBe(null);
  const file = path.join(os.tmpdir(), `loopback-only-${process.pid}.sock`);
  const local = createServer();
  await once(local.listen(file), 'listening');
  expect(await findRefusal(connect(file))).toBe(null);
  expect(await findRefusal(connect({ path: file }))).toBe(null);
  await new Promise((resolve) => local.close(resolve));
});

it.each([
  '192.0.2.1',
  '10.0.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '0.0.0.0',
  '::2',
  '::ffff:192.0.2.1',
  '2001:db8::1',
])('refuses the address %s as Node reports an error of a connection', async (host) => {
  const expected = { ...refusedAddress, address: host, port };
  expect(await findRefusal(connect(port, host))).toMatchObject(expected);
  expect(await findRefusal(connect({ port, host, autoSelectFamily: false }))).toMatchObject(expected);
  expect(await findRefusal(tls.connect({ port, host }))).toMatchObject(expected);
});

it.each(['merchant.example', 'localhost.example', 'notlocalhost'])('refuses the name %s', async (name) => {
  const expected = { ...refusedName, hostname: name };
  expect(await findRefusal(connect(port, name))).toMatchObject(expected);
  await expect(dnsPromises.lookup(name)).rejects.toMatchObject(expected);
  await expect(dnsPromises.resolve4(name)).rejects.toMatchObject(expected);
  await expect(new dnsPromises.Resolver().resolveMx(name)).rejects.toMatchObject(expected);
  await expect(promisify(lookup)(name)).rejects.toMatchObject(expected);
  await expect(promisify(dns.resolve)(name)).rejects.toMatchObject(expected);
  const resolver = new dns.Resolver();
  await expect(promisify(resolver.resolveTxt.bind(resolver))(name)).rejects.toMatchObject(expected);
});

it('looks up what is loopback, and addresses, as Node does', async () => {
  expect(await promisify(lookup)('localhost', { family: 4 })).toEqual({ address: '127.0.0.1', family: 4 });
  expect(await dnsPromises.lookup('192.0.2.1')).toEqual({ address: '192.0.2.1', family: 4 });
  expect(() => Reflect.apply(lookup, dns, ['merchant.example'])).toThrow('callback');
});

it('refuses what the lookup of a connection finds beyond loopback', async () => {
  const connectTo = (address: string) =>
    findRefusal(
      connect({
        port,
        host: 'merchant.example',
        lookup: (_, options, done) =>
          options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4),
      }),
    );
  expect(await connectTo('127.0.0.1')).toBe(null);
  expect(await connectTo('192.0.2.1')).toMatchObject({ ...refusedAddress, address: '192.0.2.1', port });
});

it('refuses a request by fetch', async () => {
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('local');
  for (const [host, cause] of Object.entries({
    '192.0.2.1': refusedAddress,
    'merchant.example': refusedName,
  }))
    await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({ cause });
});

/** A program that reports why it cannot look up a name. */
const ASK =
  "(await import('node:dns')).promises.lookup('merchant.example').catch((error) => REPORT(error.message))";

it.each([
  ['no options', {}],
  ['options of its own', { execArgv: [] }],
  ['an environment of its own', { env: { ...process.env } }],
])('refuses it in a thread with %s', async (_, options) => {
  const report = "process.getBuiltinModule('node:worker_threads').parentPort.postMessage";
  const program = new URL(`data:text/javascript,${encodeURIComponent(ASK.replace('REPORT', report))}`);
  const [message] = await once(new Worker(program, options), 'message');
  expect(message).toContain(REASON);
});

it.each([
  ['the environment of the tests', undefined],
  ['one of its own', {}],
  ['options of its own', { NODE_OPTIONS: '--no-warnings' }],
])('refuses it in a process with %s', async (_, env) => {
  const words = ['--input-type=module', '-e', ASK.replace('REPORT', 'console.log')];
  const options = { encoding: 'utf8', ...(env && { env }) } as const;
  const outputs = [
    (await promisify(execFile)(process.execPath, words, options)).stdout,
    execFileSync(process.execPath, words, options),
    spawnSync(process.execPath, words, options).stdout,
    execSync(`"${process.execPath}" --input-type=module -e "${words.at(-1)}"`, options),
  ];
  expect(outputs).toEqual(Array(4).fill(expect.stringContaining(REASON)));
});

it('is loaded once, after the options that a process has', () => {
  const words = ['-p', 'process.env.NODE_OPTIONS'];
  const options = execFileSync(process.execPath, words, {
    env: { NODE_OPTIONS: `--no-warnings ${process.env['NODE_OPTIONS']}` },
    encoding: 'utf8',
  });
  expect(options.trim()).toBe(`--no-warnings ${process.env['NODE_OPTIONS']}`);
  expect(options.match(/loopback-only/g)).toHaveLength(1);
});
