import { parentPort, workerData } from 'node:worker_threads';
import { describeFailure } from './sqlite-failure.ts';
import type { Jobs, ThreadSettings } from './sqlite-jobs.ts';
import { createReader } from './sqlite-reader.ts';
import { createWriter } from './sqlite-writer.ts';

/** What the thread is asked: a job with its argument, or to close. */
interface ThreadRequest {
  readonly id: number;
  readonly job: keyof Jobs | 'close';
  readonly argument: never;
}

/** What it answers: the result, or one sentence on why there is none. A report has no id. */
type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly report: string };

type Task = (argument: never) => unknown;

function start(settings: ThreadSettings, send: (reply: ThreadReply) => void): Map<string, Task> {
  const report = (message: string) => send({ report: message });
  const tasks = settings.role === 'write' ? createWriter(settings, report) : createReader(settings);
  return new Map<string, Task>(Object.entries(tasks));
}

function answer(tasks: Map<string, Task>, { id, job, argument }: ThreadRequest): ThreadReply {
  try {
    return { id, result: tasks.get(job)?.(argument) };
  } catch (error) {
    return { id, failure: describeFailure(error) };
  }
}

const port = parentPort;
if (port) {
  const send = (reply: ThreadReply) => port.postMessage(reply);
  const tasks = start(workerData, send);
  port.on('message', (request: ThreadRequest) => {
    send(answer(tasks, request));
    if (request.job === 'close') port.close();
  });
}
