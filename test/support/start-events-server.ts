import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';

/** The collector alone, in a process of its own. */
export interface EventsServer {
  readonly port: number;
  /** Everything that it has written to its error output. */
  errors(): string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
}

/** Starts `events-server.ts` over a data folder. */
export async function startEventsServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<EventsServer> {
  const child = spawn(PINNED_NODE, ['test/support/events-server.ts'], {
    cwd: ROOT,
    env: { DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    end.then(() => {
      throw new Error(`the server did not start:\n${errors}`);
    }),
  ]);
  return {
    port: Number(String(line)),
    errors: () => errors,
    ended: () => end,
    async kill() {
      child.kill('SIGKILL');
      await end;
    },
  };
}
