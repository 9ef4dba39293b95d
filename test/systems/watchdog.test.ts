import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { createFolder } from '../support/create-folder.ts';
import { startSite } from '../support/site.ts';

/** Prints what arrives at a socket of the kind that systemd listens at. */
const LISTEN = `use IO::Socket::UNIX; $| = 1;
my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM(), Local => $ARGV[0]) or die;
while (1) { $s->recv(my $m, 4096); print "$m\\n"; }`;

it('the site tells the watchdog of systemd that it works, and stops when its thread is stuck', async () => {
  const socket = path.join(createFolder(), 'notify');
  const listener = spawn('perl', ['-e', LISTEN, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void listener.kill());
  let received = '';
  listener.stdout.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const site = await startSite({ env: { WATCHDOG_USEC: '900000', NOTIFY_SOCKET: socket } });
  onTestFinished(() => site.remove());
  await expect.poll(() => received.match(/WATCHDOG=1/g)?.length ?? 0, { timeout: 20_000 }).toBeGreaterThan(3);
  process.kill(site.pid(), 'SIGSTOP');
  // What was sent before arrives within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const before = received;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  process.kill(site.pid(), 'SIGCONT');
  expect(received).toBe(before);
});

it('systemd finds nothing wrong with the shipped units', () => {
  const folder = createFolder();
  const names = readdirSync(path.join(ROOT, 'deploy')).filter((name) => /^signpost.*\.[a-z]+$/.test(name));
  expect(names.length).toBe(4);
  for (const name of names) {
    const text = readFileSync(path.join(ROOT, 'deploy', name), 'utf8');
    // The program and the user of this machine.
    const here = text
      .replaceAll('/srv/signpost/node_modules/.bin/node', PINNED_NODE)
      .replaceAll('/srv/signpost', ROOT)
      .replace('User=signpost', 'User=root');
    writeFileSync(path.join(folder, name), here);
  }
  const units = names.map((name) => path.join(folder, name));
  expect(execFileSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});
