import { type StdioOptions, spawnSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { EDGE, unstable_readConfig } from '#cloudflare-tools';
import { parseSettings, type Settings } from '../../../server/settings.ts';
import type {
  SqlExecutor,
  SqlResult,
  SqlRow,
  SqlStatement,
  SqlValue,
} from '../../../stores/sql/sql-executor.ts';
import { WORKER_CONFIG } from './bindings.ts';

const WRANGLER = path.join(EDGE, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/**
 * Runs wrangler with the configuration of the worker; returns what it writes to a piped output. Throws when it fails.
 */
export function runWrangler(args: readonly string[], stdio: StdioOptions = 'inherit'): string {
  const { status, stdout } = spawnSync(process.execPath, [WRANGLER, ...args, '--config', WORKER_CONFIG], {
    stdio,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (status === 0) return stdout ?? '';
  // With --json, wrangler writes its errors to standard output as well.
  process.stderr.write(stdout ?? '');
  throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed; its message is above.`);
}

/** Settings as `vars` has them: a number or a truth value may be without quotes. */
const varsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** Reads the settings of the deployed worker that are no secrets, by name. Throws `ZodError`. */
export function readWorkerVars(): z.infer<typeof varsSchema> {
  return varsSchema.parse(unstable_readConfig({ config: WORKER_CONFIG }).vars);
}

/** Reads where the deployed worker is. Throws `SettingsError`. */
export function readWorkerAddress(): Settings {
  const { SITE_URL, CONSOLE_HOST } = readWorkerVars();
  // The other settings may need secrets, which are not in the file.
  return parseSettings({ SITE_URL, CONSOLE_HOST });
}

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
