// The program of the thread in which one site is moved in, or previewed. Its data is the job.
import { parentPort, workerData } from 'node:worker_threads';
import { ContentJournal, createOwnerReader, JournalError } from '../content-files/journal.ts';
import { createLinkRequests } from '../sources/links/node-link.ts';
import { MoveInError } from './former-item.ts';
import { MoveIn } from './move-in.ts';
import type { MoveInJob, MoveInReply } from './move-in-thread.ts';

async function work(job: MoveInJob): Promise<MoveInReply> {
  const { contentDir, dataDir, testHosts, uploaded, decisions, names } = job;
  try {
    const journal = new ContentJournal(contentDir, createOwnerReader(dataDir));
    const moveIn = new MoveIn(contentDir, journal, createLinkRequests(testHosts));
    return decisions === null
      ? { preview: await moveIn.preview(uploaded) }
      : { counts: await moveIn.commit(uploaded, decisions, names) };
  } catch (error) {
    const kind =
      error instanceof MoveInError ? 'MoveInError' : error instanceof JournalError ? 'JournalError' : 'other';
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { kind, failure: error instanceof Error ? error.message : String(error), code };
  }
}

parentPort?.postMessage(await work(workerData));
