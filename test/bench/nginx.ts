import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/site.ts';

/** nginx on a loopback port, with a folder of its own. */
export interface Nginx {
  readonly url: string;
  /** Version as nginx says it. */
  readonly version: string;
  stop(): Promise<void>;
}

/** One file by the path that it is served at. */
export interface ServedFile {
  readonly path: string;
  readonly body: Buffer;
  readonly type: string;
}

/** Starts nginx with the given files and two workers; null where nginx is not installed. */
export async function startNginx(files: readonly ServedFile[]): Promise<Nginx | null> {
  const asked = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  if (asked.error) return null;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-nginx-'));
  const port = await findFreePort();
  const locations = files.map((file, index) => {
    writeFileSync(path.join(folder, String(index)), file.body);
    return `location = ${file.path} { default_type "${file.type}"; alias ${folder}/${index}; }`;
  });
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(path.join(folder, name));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name.replace('client_', '')};`,
  );
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=100;
  types {} ${temporary.join(' ')}
  server { listen 127.0.0.1:${port}; ${locations.join('\n')} } }
`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url + (files[0]?.path ?? '/'));
  return {
    url,
    version: asked.stderr.trim().replace('nginx version: ', ''),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitFor(address: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isThere = await fetch(address).then(
      (response) => response.ok,
      () => false,
    );
    if (isThere) return;
    await sleep(50);
  }
  throw new Error(`nginx did not answer at ${address}`);
}
