// The program of the thread that makes data up for an operator who looks around. Its data says where.
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { generateDemo, writeDemo } from '../../commands/demo.ts';
import { readContent } from '../../content-files/read-content.ts';

const job = z.object({ contentDir: z.string(), dataDir: z.string(), timeZone: z.string() });
/** Enough for every view, and made within seconds. */
const SIZE = { events: 60_000, commissions: 420 };

const { contentDir, dataDir, timeZone } = job.parse(workerData);
const data = generateDemo(readContent(contentDir), contentDir, SIZE, Date.now(), 14);
await writeDemo(dataDir, data, timeZone, () => undefined);
