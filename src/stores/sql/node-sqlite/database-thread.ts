// Entry of the two threads of a database: runs the jobs that `node-sqlite-executor.ts` posts, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { createJobs, runJob, type ThreadReply, type ThreadRequest } from './database-jobs.ts';

const port = parentPort;
if (port) {
  const send = (reply: ThreadReply) => port.postMessage(reply);
  const jobs = createJobs(workerData, (message) => send({ report: message }));
  port.on('message', (request: ThreadRequest) => {
    send(runJob(jobs, request));
    if (request.job === 'close') port.close();
  });
}
