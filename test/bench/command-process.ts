// node test/bench/command-process.ts COMMAND WORD...: runs a command of `npm run` over CONTENT_DIR and DATA_DIR, and prints
// the peak of its memory in KiB and its processor time in ms.
import process from 'node:process';
import type { defineCommand } from '../../src/commands/command.ts';
import { DataFolderSite } from '../../src/commands/site.ts';

const [name = '', ...words] = process.argv.slice(2);
const { command }: { command: ReturnType<typeof defineCommand> } = await import(
  `../../src/commands/${name}.ts`
);
process.exitCode = await command.run(words, process, new DataFolderSite(process.env, console.error));
const { user, system } = process.cpuUsage();
process.stdout.write(`peak ${process.resourceUsage().maxRSS}\ncpu ${Math.round((user + system) / 1_000)}\n`);
