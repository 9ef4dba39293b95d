import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** An option without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

/**
 * Parses the command line of a command. For `--help` it prints the usage text and ends the process with code 0; for an
 * unknown option or a wrong number of words it prints what is wrong and the usage text, and ends it with code 1.
 * @param usage Starts with "Usage:"; the first line after it is the shortest valid command.
 * @param args The words and options; those of the process when left out.
 */
export function parseArguments<Options extends ParseArgsOptionsConfig>(
  usage: string,
  {
    options,
    words,
  }: { readonly options: Options; readonly words: { readonly min: number; readonly max: number } },
  args: readonly string[] = process.argv.slice(2),
) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (Object.entries(values).some(([name, value]) => name === 'help' && value === true)) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    if (positionals.length > words.max) throw new Error(`Unexpected argument "${positionals[words.max]}".`);
    if (positionals.length < words.min) throw new Error('An argument is missing.');
    return { values, positionals };
  } catch (error) {
    return failWithUsage(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Prints what is wrong with a command line and the usage text, and ends the process with code 1. */
export function failWithUsage(message: string, usage: string): never {
  process.stderr.write(`${message}\n\n${usage}\n`);
  process.exit(1);
}
