// Entry of the thread that copies the data: reading, compressing and encrypting delay no visitor.
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { openCopyTarget } from '../../sources/storage/s3-bucket.ts';
import { readCopiedBytes } from '../../stores/copied-data.ts';
import { CopyPlaceError } from '../../stores/copy-segments.ts';
import { DataCopy } from '../../stores/data-copy.ts';
import { hashRestored } from '../../stores/restore-copy.ts';
import { COPY_WAIT_MS, type CopyThreadStart } from './copy-client.ts';

/** From one look at the data to the next: what is durable is in a folder within a second, in a bucket within ten. */
const INTERVAL_MS = { folder: 600, bucket: 7_000 } as const;
const WATCH_MS = 500;
const RETRY_MS = 200;
const STUCK_MS = 15_000;
const CLOSE_MS = 2_000;
/** A copy is restored and compared at this hour of the site's time zone. */
const CHECK_HOUR = 3;
const [FEWEST_HOURS, MOST_HOURS] = [20, 36];
const HOUR_MS = 3_600_000;
const MEGABYTE = 1_048_576;

/** What a thread starts with that restores the copy for a comparison, while the first one goes on copying. */
interface CheckStart extends CopyThreadStart {
  readonly check: { readonly copy: string; readonly upTo: number; readonly folder: string };
}

/** Copies what is missing again and again, at once when a network waits for it. */
class Copier {
  readonly #start: CopyThreadStart;
  readonly #reply: (reply: number) => void;
  readonly #copy: DataCopy;
  /** The requests without a reply, and when each was made. */
  #waiting: { readonly id: number; readonly since: number }[] = [];
  #wake = new AbortController();
  #isClosing = false;
  /** When the copying that is under way began; null between two. */
  #began: number | null = null;
  #isChecking = false;

  constructor(start: CopyThreadStart, reply: (reply: number) => void) {
    this.#start = start;
    this.#reply = reply;
    const { dataDir, secret } = start;
    const target = openCopyTarget(start.place, start.credentials);
    this.#copy = new DataCopy({ dataDir, target, secret, now: Date.now });
    const { checkedAt } = this.#copy.status;
    if (checkedAt === 0) this.#copy.report({ checkedAt: Date.now() });
  }

  request(id: number): void {
    this.#waiting.push({ id, since: Date.now() });
    this.#isClosing ||= id < 0;
    this.#wake.abort();
  }

  async run(): Promise<void> {
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    const interval = typeof this.#start.place === 'string' ? INTERVAL_MS.folder : INTERVAL_MS.bucket;
    for (let closing = 0; closing < 2; closing += this.#isClosing ? 1 : 0) {
      const began = performance.now();
      const isDone = await this.#copyOnce();
      void this.#checkAtNight();
      // A slow place does not make the next look later.
      const left = Math.max(RETRY_MS, interval - (performance.now() - began));
      if (isDone && !this.#isClosing) await this.#sleep(left);
    }
    clearInterval(watch);
    this.#copy.close();
  }

  /** Copies one segment; resolves with false when there is more. Never rejects. */
  async #copyOnce(): Promise<boolean> {
    const served = [...this.#waiting];
    this.#began = Date.now();
    try {
      const deadline = this.#isClosing
        ? sleep(CLOSE_MS).then(() => null)
        : new Promise<null>(() => undefined);
      const hasCopied = await Promise.race([this.#copy.flush(), deadline]);
      if (hasCopied === null) throw new Error('it does not respond');
      const { problem } = this.#copy;
      if (problem === '') this.#copy.report({ failingSince: null, reason: '' });
      else this.#fail(problem);
      if (this.#copy.isCaughtUp) {
        for (const { id } of served) this.#reply(id);
        this.#waiting = this.#waiting.filter((one) => !served.includes(one));
      }
      await this.#copy.tend();
      return !hasCopied || (this.#copy.isCaughtUp && this.#copy.position.base > 0);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error), error instanceof CopyPlaceError);
      return true;
    } finally {
      this.#began = null;
    }
  }

  #fail(reason: string, needsPerson = false): void {
    const { failingSince } = this.#copy.status;
    this.#copy.report({ failingSince: failingSince ?? Date.now(), reason, needsPerson });
  }

  /** Notices a place that does not respond, and networks that were not made to wait for it any longer. */
  #watch(): void {
    const now = Date.now();
    if (this.#began !== null && now - this.#began > STUCK_MS) this.#fail('it does not respond');
    const late = this.#waiting.filter(({ since }) => now - since > COPY_WAIT_MS);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => !late.includes(one));
    if (this.#start.wait === 'wait') this.#copy.report({ lateAt: now });
  }

  async #sleep(ms: number): Promise<void> {
    // What waits after a failure is tried again at once, but not without a pause.
    const pause = this.#waiting.length > 0 ? RETRY_MS : ms;
    await sleep(pause, null, { signal: this.#wake.signal }).catch(() => undefined);
    this.#wake = new AbortController();
  }

  async #checkAtNight(): Promise<void> {
    const { timeZone, minFreeMb, dataDir } = this.#start;
    const now = Date.now();
    const hours = (now - this.#copy.status.checkedAt) / HOUR_MS;
    const options = { timeZone, hour: 'numeric', hourCycle: 'h23' } as const;
    const isNight = Number(new Intl.DateTimeFormat('en', options).format(now)) === CHECK_HOUR;
    if (this.#isChecking || this.#isClosing || !(hours > MOST_HOURS || (isNight && hours > FEWEST_HOURS)))
      return;
    this.#isChecking = true;
    try {
      const { bavail, bsize } = await statfs(dataDir);
      const isFull = bavail * bsize < 2 * readCopiedBytes(dataDir) + minFreeMb * MEGABYTE;
      const difference = isFull
        ? 'nothing was compared, because the disk has no room for it'
        : await this.#copy.check(({ copy, upTo = 0 }, folder) => this.#hashElsewhere({ copy, upTo, folder }));
      this.#copy.report({ difference, checkedAt: now, others: [...(await this.#copy.listOthers())] });
    } catch (error) {
      this.#copy.report({ difference: `nothing was compared: ${String(error)}`, checkedAt: now });
    } finally {
      this.#isChecking = false;
    }
  }

  async #hashElsewhere(check: CheckStart['check']): Promise<ReadonlyMap<string, string>> {
    const workerData: CheckStart = { ...this.#start, check };
    const [hashes] = await once(
      new Worker(new URL(import.meta.url), { workerData, execArgv: [] }),
      'message',
    );
    return hashes;
  }
}

const port = parentPort;
const start: CopyThreadStart | CheckStart = workerData;
if (port !== null && 'check' in start) {
  // On Linux, this is the priority of the thread: visitors are served first, also by a machine with one core.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  const { secret, check } = start;
  const target = openCopyTarget(start.place, start.credentials);
  port.postMessage(await hashRestored({ target, secret, ...check }, check.folder));
} else if (port !== null) {
  const copier = new Copier(start, (reply) => port.postMessage(reply));
  port.on('message', (id: number) => copier.request(id));
  void copier.run().finally(() => {
    // The site does not wait for what cannot be copied now.
    port.postMessage(-1);
    port.close();
  });
}
