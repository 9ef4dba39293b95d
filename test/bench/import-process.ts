// node test/bench/import-process.ts FILE: imports an export into CONTENT_DIR and prints the peak of its memory in KiB.
import process from 'node:process';
import { command } from '../../src/commands/import.ts';
import { DataFolderSite } from '../../src/commands/site.ts';

process.exitCode = await command.run(
  ['wordpress', process.argv[2] ?? ''],
  process,
  new DataFolderSite(process.env, console.error),
);
process.stdout.write(`peak ${process.resourceUsage().maxRSS}\n`);
