import { SqlError } from '../sql-executor.ts';
import { DatabaseReader } from './database-reader.ts';
import { DatabaseWriter } from './database-writer.ts';
import { describeSqliteError, parseSqliteErrorKind } from './sqlite-error.ts';
import type { JobRunner, ThreadJobs, ThreadReply, ThreadRequest, ThreadSettings } from './thread-messages.ts';

type Job = (argument: never) => unknown;

/** Creates the jobs of one of the two threads. */
export function createJobs(
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

/** Runs a job; an error becomes a reply. */
export function runJob(
  jobs: Readonly<Record<string, Job>>,
  { id, job, argument }: ThreadRequest,
): Exclude<ThreadReply, { report: string }> {
  try {
    return { id, result: jobs[job]?.(argument as never) };
  } catch (error) {
    // The writer reports invalid statements in its outcome: what it throws concerns the database itself.
    const isInvalid = job === 'query' && parseSqliteErrorKind(error) === 'invalid';
    return { id, code: isInvalid ? 'invalid' : 'unavailable', message: describeSqliteError(error) };
  }
}

/** Runs the jobs of a database in the calling thread, which waits for the disk meanwhile. */
export class InlineJobs implements JobRunner {
  readonly #jobs: Readonly<Record<string, Job>>;
  #isClosed = false;

  constructor(settings: ThreadSettings, report: (message: string) => void) {
    this.#jobs = createJobs(settings, report);
  }

  async run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    const reply = runJob(this.#jobs, { id: 0, job, argument });
    if ('code' in reply) throw new SqlError(reply.code, reply.message);
    return reply.result as never;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.run('close', null);
    this.#isClosed = true;
  }
}
