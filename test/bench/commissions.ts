// node --expose-gc test/bench/commissions.ts [postbacks] [import] [reports]: postbacks per second, the import of a file
// of 100,000 rows, and reports over 10 million events and 20,000 commissions; all of them without a word.
// --events and --commissions change the numbers; --dir keeps the generated events for the next run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureImport } from './commissions/measure-import.ts';
import { measurePostbacks } from './commissions/measure-postbacks.ts';
import { measureReports } from './commissions/measure-reports.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '10000000' },
    commissions: { type: 'string', default: '20000' },
    rows: { type: 'string', default: '100000' },
    dir: { type: 'string' },
  },
});

const print = (text: string) => process.stdout.write(`${text}\n`);
const isWanted = (part: string) => positionals.length === 0 || positionals.includes(part);

const folder = mkdtempSync(path.join(tmpdir(), 'bench-commissions-'));
try {
  if (isWanted('postbacks')) await measurePostbacks(print);
  if (isWanted('import')) await measureImport(folder, Number(values.rows), print);
  if (isWanted('reports')) {
    const [events, commissions] = [Number(values.events), Number(values.commissions)];
    await measureReports({ dir: values.dir ?? path.join(folder, 'reports'), events, commissions }, print);
  }
} finally {
  rmSync(folder, { recursive: true });
}
