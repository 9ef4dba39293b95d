/** Prints a line to standard error, which a command's output does not mix with. */
export function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Prints the text that a command resolves to. When it rejects, prints the message and ends with code 1. */
export async function runCommand(command: () => string | Promise<string>): Promise<void> {
  // The reading program may stop before the end (`… | head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    process.stdout.write(await command());
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
