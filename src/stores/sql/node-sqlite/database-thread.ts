// Entry of the two threads of a database: runs the jobs that `thread-client.ts` posts, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { createJobs, runJob } from './database-jobs.ts';
import type { ThreadReply, ThreadRequest } from './thread-client.ts';

const port = parentPort;
if (port) {
  const send = (reply: ThreadReply) => port.postMessage(reply);
  const jobs = createJobs(workerData, (message) => send({ report: message }));
  port.on('message', (request: ThreadRequest) => {
    send(runJob(jobs, request));
    if (request.job === 'close') port.close();
  });
}
