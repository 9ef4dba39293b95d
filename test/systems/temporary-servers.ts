import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 60_000;

/** A folder with servers that run in it, on loopback or sockets of their own. */
export class TemporaryServers {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-systems-'));
  readonly #children: ChildProcess[] = [];
  #output = '';

  /** The last 20,000 characters of what the servers have written. */
  output(): string {
    return this.#output;
  }

  /** Writes a file of the folder; returns its path. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** Runs a program to its end. Throws with its output when it fails. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    return execFileSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      maxBuffer: 50_000_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Starts a server in the foreground; resolves when `isReady` does not reject. Rejects with all output otherwise. */
  async start(
    program: string,
    args: readonly string[],
    isReady: () => Promise<unknown>,
    options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
  ): Promise<void> {
    const env = { ...process.env, ...options.env };
    const child = spawn(program, args, {
      cwd: options.cwd ?? this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
    }
    let error: unknown;
    child.once('error', (reason) => {
      error = reason;
    });
    const deadline = performance.now() + START_MS;
    while (performance.now() < deadline && error === undefined && child.exitCode === null) {
      if (
        await isReady().then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(200);
    }
    throw new Error(`${program} did not start: ${error ?? ''}\n${this.#output}`);
  }

  /** Ends every server that was started, the last one first, and removes the folder. */
  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves when a socket accepts connections. */
export function connect(address: string | number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket =
      typeof address === 'string' ? createConnection(address) : createConnection(address, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

/** Starts MariaDB with one empty database per name; returns its socket. There is no network port. */
export async function startMariaDb(servers: TemporaryServers, databases: readonly string[]): Promise<string> {
  const socket = path.join(servers.folder, 'db.sock');
  const data = path.join(servers.folder, 'db');
  const account = `--user=${os.userInfo().username}`;
  servers.run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    account,
  ]);
  const options = ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', account];
  await servers.start('mariadbd', [...options, '--innodb-flush-log-at-trx-commit=0'], () => connect(socket));
  const create = databases.map((name) => `CREATE DATABASE ${name} CHARACTER SET utf8mb4;`).join(' ');
  servers.run('mariadb', ['--no-defaults', `--socket=${socket}`, '-u', 'root', '-e', create]);
  return socket;
}
