import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const reportLine = z.discriminatedUnion('kind', [
  /** How many files or tests there are. */
  z.object({ kind: z.literal('start'), unit: z.string(), total: z.int() }),
  /** One of them has ended. */
  z.object({ kind: z.literal('step') }),
  z.object({
    kind: z.literal('test'),
    name: z.string(),
    passed: z.boolean(),
    /** Whether it passed on a further try. */
    retried: z.boolean(),
    ms: z.number(),
    /** All errors with their places; empty without any. */
    message: z.string(),
  }),
  /** The tool has run to its end. */
  z.object({ kind: z.literal('end') }),
]);

/** One line of the report that a tool writes while its tests run. */
export type ReportLine = z.infer<typeof reportLine>;

/** The environment variable that names the file of the report. */
export const REPORT_FILE = 'TEST_REPORT_FILE';

/** Appends to the report of the run; does nothing when a tool was started without one. */
export function writeReportLine(line: ReportLine): void {
  const file = process.env[REPORT_FILE];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Appends the outcome of a test; without one, a failure outside of the tests, such as a file that cannot load. */
export function writeTest(name: string, message: string, outcome: Partial<TestLine> = {}): void {
  writeReportLine({ kind: 'test', name, message, ...{ passed: false, retried: false, ms: 0 }, ...outcome });
}
type TestLine = Extract<ReportLine, { readonly kind: 'test' }>;

/** The lines of a report so far. */
export function readReport(file: string): readonly ReportLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => reportLine.parse(JSON.parse(line)));
}
