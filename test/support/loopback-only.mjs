// Refuses connections and names beyond loopback: a test that asks the network gets another answer on each machine. What
// the tests start does the same, because it is loaded there with `node --import`.
import childProcess from 'node:child_process';
import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

const PRELOAD = `--import=${import.meta.url.replace(/\?.*/, '')}`;
const REASON = 'tests connect to loopback only';
const IS_LOADED = Symbol.for('signpost.loopback-only');

const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** @param {string} host */
const isLoopback = (host) =>
  net.isIP(host) === 0
    ? /^(?:.+\.)?localhost$/i.test(host)
    : LOOPBACK.check(host, net.isIPv6(host) ? 'ipv6' : 'ipv4');

/** @param {string} hostname */
const refuseName = (hostname) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}: ${REASON}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  });

const refuseAddress = (address, port) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}:${port}: ${REASON}`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address,
    port,
  });

/** Replaces a function by what `wrap` makes of it, which has its properties, such as those for `util.promisify`. */
function replace(owner, name, wrap) {
  const former = owner[name];
  owner[name] = Object.defineProperties(wrap(former), Object.getOwnPropertyDescriptors(former));
}

/** Refuses a name as each function of `dns` does it. Without a callback, one that wants it throws its own error. */
function guardNames(owner, refuse) {
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(owner)))
    if (/^(?:lookup|resolve|reverse)/.test(name))
      replace(
        owner,
        name,
        (ask) =>
          function (host, ...words) {
            const isAllowed = typeof host !== 'string' || isLoopback(host);
            // An address is no question to the network.
            const isAddress = name === 'lookup' && net.isIP(host) !== 0;
            return isAllowed || isAddress || host === ''
              ? ask.call(this, host, ...words)
              : refuse(refuseName(host), words.at(-1), () => ask.call(this, host, ...words));
          },
      );
}

/** The options of a connection, whose lookup refuses what is not loopback. */
function guardConnection(options) {
  const { host, port, path, lookup } = options;
  if (path) return options;
  // Not an address: so Node asks the lookup, and reports its error.
  if (host && net.isIP(host) !== 0 && !isLoopback(host))
    return {
      ...options,
      host: `[${host}]`,
      lookup: (_host, _options, done) => done(refuseAddress(host, port)),
    };
  if (typeof lookup !== 'function') return options;
  return {
    ...options,
    lookup: (name, wanted, done) =>
      lookup(name, wanted, (error, found, family) => {
        const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
        const outside = error ? undefined : addresses.find((address) => !isLoopback(address));
        if (outside === undefined) done(error, found, family);
        else done(refuseAddress(outside, port));
      }),
  };
}

/** @param {string | undefined} options */
const addPreload = (options = '') => (options.includes(PRELOAD) ? options : `${PRELOAD} ${options}`.trim());

function guardNetwork() {
  guardNames(dns, (error, done, ask) => (typeof done === 'function' ? process.nextTick(done, error) : ask()));
  guardNames(dns.Resolver.prototype, (error, done, ask) =>
    typeof done === 'function' ? process.nextTick(done, error) : ask(),
  );
  for (const owner of [dnsPromises, dnsPromises.Resolver.prototype])
    guardNames(owner, (error) => Promise.reject(error));
  replace(
    net.Socket.prototype,
    'connect',
    (connect) =>
      function (...words) {
        const normalized = Array.isArray(words[0]) ? words[0] : net._normalizeArgs(words);
        normalized[0] = guardConnection(normalized[0]);
        return connect.call(this, normalized);
      },
  );
}

/** Adds the option to the environment of a process that has its own. */
function guardProcesses() {
  replace(
    childProcess.ChildProcess.prototype,
    'spawn',
    (spawn) =>
      function (options) {
        const pairs = options.envPairs ?? [];
        const given = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='));
        const added = `NODE_OPTIONS=${addPreload(given?.slice('NODE_OPTIONS='.length))}`;
        return spawn.call(this, { ...options, envPairs: [...pairs.filter((pair) => pair !== given), added] });
      },
  );
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    replace(childProcess, name, (start) => (...words) => {
      const { env } = Object(words.at(-1));
      if (env) words.push({ ...words.pop(), env: { ...env, NODE_OPTIONS: addPreload(env.NODE_OPTIONS) } });
      return start(...words);
    });
}

/** A thread reads `NODE_OPTIONS` only if it is given options; else it has those with which its process was started. */
function guardThreads() {
  workerThreads.Worker = class Worker extends workerThreads.Worker {
    constructor(program, options) {
      super(program, { execArgv: process.execArgv, ...options });
    }
  };
}

// A setup file runs again for each file with tests.
if (!globalThis[IS_LOADED]) {
  globalThis[IS_LOADED] = true;
  guardNetwork();
  guardProcesses();
  // Threads of a process that was started with the option have it.
  if (!process.env.NODE_OPTIONS?.includes(PRELOAD)) guardThreads();
  process.env.NODE_OPTIONS = addPreload(process.env.NODE_OPTIONS);
  syncBuiltinESMExports();
}
