import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ROOT, runPinned } from '../../scripts/start/pinned-node.mjs';
import { buildTable, type Column, exported } from '../console/reports/columns.ts';
import { nameContentFiles } from '../core/paths.ts';
import { buildCsvLine } from '../core/text/csv.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { escapeControls } from '../core/text/parse-text.ts';

const EDGE = nameCommand('edge');
/** Of `signpost edge`, whose program installs the tools of Workers when it is loaded. */
export const EDGE_USAGE = `Usage:
  ${EDGE}                      builds and serves on workerd at PORT (4322), with local state in DATA_DIR/edge
  ${EDGE} deploy [--dry-run]   applies the D1 migrations and deploys with your Cloudflare login
  ${EDGE} operator [--remote]  prints the address of the console, a one-time address while it has no operator;
                            "operator --help" lists the other commands
  ${EDGE} export [OPTION]      writes the events of the local state; options as of "${nameCommand('events export')}"
  ${EDGE} dead-letters [store] [--remote]
                            lists what could not be stored; "store" stores what can be stored now

The first use installs Cloudflare's tools in edge/. edge/wrangler.jsonc has the settings of the worker.`;

/** Where commands write: their result to `stdout`, everything else to `stderr`. */
export interface CommandStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * An output of a command, which may be a terminal. Visitors and networks have written much of what commands print: every
 * text passes here, and none of it can move the cursor, change the window or turn the direction of a line.
 */
export class CommandOutput {
  readonly #stream: Writable;
  readonly #name: (text: string) => string;

  constructor(stream: Writable, name = (text: string): string => text) {
    this.#stream = stream;
    this.#name = name;
  }

  /** Writes a text with line breaks; false while the reader is slower, until `drained` resolves. */
  write(text: string): boolean {
    return this.#stream.write(escapeControls(this.#name(text)));
  }

  async drained(): Promise<void> {
    // A reader that has ended reads no more.
    await once(this.#stream, 'drain').catch(() => undefined);
  }
}

/** The outputs of a command. */
export interface CommandIo {
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
}

/** A command that works on a site. */
export interface Command<Site> {
  /**
   * Runs the command with the words after its name; resolves with the exit code. `--help` prints the usage. What is
   * wrong goes to `stderr`: a message, with the usage for a wrong command line. Closes the site.
   */
  readonly run: (argv: readonly string[], streams: CommandStreams, site: Site) => Promise<number>;
}

/** A command line that is wrong: the usage is shown with the message. */
export class UsageError extends Error {}

/** An option without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

function parseWords<Options extends ParseArgsOptionsConfig>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: argv, options: { ...options, ...HELP }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The options of a command line by name, and its other words. */
export type CommandLine<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseWords<Options>>;

/** Defines a command. Its `run` resolves with the exit code, 0 when with nothing, and may reject with `UsageError`. */
export function defineCommand<
  Options extends ParseArgsOptionsConfig,
  Site extends { close(): Promise<void> },
>(definition: {
  /** Starts with "Usage:"; the first line after it is the shortest valid command. */
  readonly usage: string;
  readonly options: Options;
  /** How few and how many words it takes besides the options. */
  readonly words: readonly [min: number, max: number];
  /** Whether the result names content files, and is no data. */
  readonly namesFiles?: true;
  readonly run: (
    line: CommandLine<Options>,
    io: CommandIo,
    site: Site,
  ) => Promise<number | undefined> | number | undefined;
}): Command<Site> {
  const { usage, options, words, namesFiles, run } = definition;
  const [min, max] = words;
  return {
    async run(argv, streams, site) {
      const name = (text: string) => nameContentFiles(text, process.env['CONTENT_DIR']);
      const stdout = new CommandOutput(streams.stdout, namesFiles && name);
      const io = { stdout, stderr: new CommandOutput(streams.stderr, name) };
      try {
        const line = parseWords(argv, options);
        if (Object.entries(line.values).some(([name, value]) => name === 'help' && value === true)) {
          io.stdout.write(`${usage}\n`);
          return 0;
        }
        const { positionals } = line;
        if (positionals.length > max) throw new UsageError(`Unexpected argument "${positionals[max]}".`);
        if (positionals.length < min) throw new UsageError('An argument is missing.');
        return (await run(line, io, site)) ?? 0;
      } catch (error) {
        io.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        if (error instanceof UsageError) io.stderr.write(`\n${usage}\n`);
        return 1;
      } finally {
        await site.close();
      }
    },
  };
}

/**
 * Finds the subcommand that the first word names. Throws `UsageError` for an unknown one, or when it takes another
 * number of words, itself included; `missing` says what is missing then.
 */
export function chooseSubcommand<Subcommand extends { readonly words: number }>(
  subcommands: Readonly<Record<string, Subcommand>>,
  words: readonly string[],
  missing = 'An argument is missing.',
): Subcommand {
  const [name = ''] = words;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) throw new UsageError(`There is no command "${name}".`);
  if (words.length < subcommand.words) throw new UsageError(missing);
  if (words.length > subcommand.words) throw new UsageError(`Unexpected argument "${words.at(-1)}".`);
  return subcommand;
}

/** The value of an option that is one of `choices`. Throws `UsageError` for another. */
export function parseChoice<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new UsageError(`--${option} is ${choices.join(', ')}, not "${text}".`);
  return choice;
}

/** The data that a command works on: of the Node server, of `signpost edge`, or of the deployed worker. */
export type Place = 'node' | 'edge' | 'remote';

/** The place that `--edge` or `--remote` names. Throws `UsageError` for both. */
export function parsePlace({ edge, remote }: { readonly edge: boolean; readonly remote: boolean }): Place {
  if (edge && remote) throw new UsageError('Choose one of --edge and --remote.');
  if (edge) return 'edge';
  return remote ? 'remote' : 'node';
}

/** Runs a command on the data of Workers. Resolves with its exit code. */
export const runEdge = (...words: readonly string[]): Promise<number> =>
  runPinned([path.join(ROOT, 'scripts/start/signpost.mjs'), 'edge', ...words], process.cwd());

/** Formats rows as a table for a terminal, under the names of exports; columns of numbers are aligned to the right. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const table = buildTable(rows, columns);
  const lines = [table.columns, ...table.rows].map((cells) =>
    cells.map((cell) => joinLine(String(cell ?? ''))),
  );
  const widths = table.columns.map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  const isNumber = table.columns.map((_, column) =>
    lines.slice(1).every((cells) => /^-?[\d.]*$/.test(cells[column] ?? '')),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return isNumber[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

/** Formats lines for a terminal, each as one line, whatever stored text it has. */
export function formatLines(lines: readonly string[]): string {
  return lines.map((line) => `${joinLine(line)}\n`).join('');
}

/** A line break of a stored text would begin a line that the command has not written. */
const joinLine = (text: string) => escapeControls(text.replace(/[\t\r\n]+/g, ' '));

/** Formats rows as CSV; a cell that a spreadsheet would take for a formula becomes text. */
export function formatCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const table = buildTable(rows, columns);
  return [table.columns, ...table.rows].map(buildCsvLine).join('');
}

/** Formats fields of records as a table, under their names. */
export function formatFields<Row extends object>(
  rows: readonly Row[],
  ...fields: readonly (keyof Row & string)[]
): string {
  const columns = fields.map((field) => exported<Row>(field, (row) => String(row[field] ?? '')));
  return formatTable(rows, columns);
}

/** Formats a value as indented JSON. */
export function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
