// The thread behind BodyProcessor: one body in, one prepared body out. Its data is the policy.
import { parentPort, workerData } from 'node:worker_threads';
import { type BodySource, createBodyPreparer } from './prepare-body.ts';

const prepare = createBodyPreparer(workerData);
parentPort?.on('message', (body: BodySource) => parentPort?.postMessage(prepare(body)));
