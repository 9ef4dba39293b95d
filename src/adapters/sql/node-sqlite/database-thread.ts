// Entry of the two threads of a database: runs the jobs that `thread-client.ts` posts, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseReader } from './database-reader.ts';
import { DatabaseWriter } from './database-writer.ts';
import { describeSqliteError, parseSqliteErrorKind } from './sqlite-error.ts';
import type { ThreadReply, ThreadRequest, ThreadSettings } from './thread-messages.ts';

type Job = (argument: never) => unknown;

function createJobs(
  settings: ThreadSettings,
  report: (message: string) => void,
): Readonly<Record<string, Job>> {
  if (settings.role === 'read') {
    const reader = new DatabaseReader(settings);
    return { query: (statement) => reader.query(statement), close: () => reader.close() };
  }
  const writer = new DatabaseWriter(settings, report);
  return {
    open: () => writer.open(),
    commit: (batches) => writer.commit(batches),
    close: () => writer.close(),
  };
}

function run(jobs: Readonly<Record<string, Job>>, { id, job, argument }: ThreadRequest): ThreadReply {
  try {
    return { id, result: jobs[job]?.(argument as never) };
  } catch (error) {
    // The writer reports invalid statements in its outcome: what it throws concerns the database itself.
    const isInvalid = job === 'query' && parseSqliteErrorKind(error) === 'invalid';
    return { id, code: isInvalid ? 'invalid' : 'unavailable', message: describeSqliteError(error) };
  }
}

const port = parentPort;
if (port) {
  const send = (reply: ThreadReply) => port.postMessage(reply);
  const jobs = createJobs(workerData, (message) => send({ report: message }));
  port.on('message', (request: ThreadRequest) => {
    send(run(jobs, request));
    if (request.job === 'close') port.close();
  });
}
