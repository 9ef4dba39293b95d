// The program of the thread in which one site is moved in, or previewed. Its data is the job.
import { parentPort, workerData } from 'node:worker_threads';
import { ContentJournal, createOwnerReader, JournalError } from '../content-files/journal.ts';
import { MoveInError } from './former-item.ts';
import { MoveIn } from './move-in.ts';
import type { MoveInJob, MoveInReply } from './move-in-thread.ts';

async function work({ contentDir, dataDir, uploaded, decisions }: MoveInJob): Promise<MoveInReply> {
  try {
    const moveIn = new MoveIn(contentDir, new ContentJournal(contentDir, createOwnerReader(dataDir)));
    return decisions === null
      ? { preview: await moveIn.preview(uploaded) }
      : { counts: await moveIn.commit(uploaded, decisions) };
  } catch (error) {
    const kind =
      error instanceof MoveInError ? 'MoveInError' : error instanceof JournalError ? 'JournalError' : 'other';
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { kind, failure: error instanceof Error ? error.message : String(error), code };
  }
}

parentPort?.postMessage(await work(workerData));
