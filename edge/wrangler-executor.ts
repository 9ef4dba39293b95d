import { z } from 'zod';
import type {
  SqlExecutor,
  SqlResult,
  SqlRow,
  SqlStatement,
  SqlValue,
} from '../src/stores/sql/sql-executor.ts';
import { runWrangler } from './run-wrangler.ts';

const outputSchema = z.array(
  z.object({
    results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
    meta: z.object({ changes: z.number().optional() }),
  }),
);

/**
 * Runs statements with `wrangler d1 execute`, on the deployed database with `--remote`. It takes no parameters, so
 * values become literals. For commands with few statements only. Throws what `runWrangler` throws.
 */
export class WranglerExecutor implements SqlExecutor {
  readonly #args: readonly string[];

  /** @param options Where the database is: `--remote`, or `--local` with `--persist-to FOLDER`. */
  constructor(binding: string, options: readonly string[]) {
    this.#args = ['d1', 'execute', binding, ...options, '--json', '--yes'];
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const command = statements.map(writeLiterals).join(';\n');
    const output = runWrangler([...this.#args, '--command', command], ['inherit', 'pipe', 'inherit']);
    return outputSchema
      .parse(JSON.parse(output))
      .map(({ results, meta }) => ({ rows: results, changes: meta.changes ?? 0 }));
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const [result] = await this.batch([statement]);
    return result?.rows ?? [];
  }

  async close(): Promise<void> {}
}

function writeLiterals({ sql, values = [] }: SqlStatement): string {
  const parts = sql.split('?');
  if (parts.length !== values.length + 1) throw new Error(`${values.length} values for: ${sql}`);
  return parts
    .map((part, index) => part + (index < values.length ? buildLiteral(values[index]) : ''))
    .join('');
}

function buildLiteral(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return `X'${Buffer.from(value).toString('hex')}'`;
}
