import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';
import type { Check } from './checks.ts';
import { readReport, type TestCount } from './read-report.ts';

/** A check that hangs is ended after this time, so that the run ends and names it. */
const MAX_MINUTES = 22;

const running = new Set<ChildProcess>();

/** Ends every running check with all the programs that it has started. */
export function stopChecks(): void {
  for (const child of running) stop(child);
}

/** Runs one check, prints its output under its title and counts its tests. Never rejects. */
export async function runCheck(check: Check, args: readonly string[] = []): Promise<TestCount> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-report-'));
  const report = path.join(folder, 'report.json');
  const started = performance.now();
  if (check.isStreamed) printTitle(check);
  const { code, output } = await runProgram(check, report, args);
  const count = countTests(check, report, code);
  rmSync(folder, { recursive: true });
  if (!check.isStreamed) {
    printTitle(check);
    if (code !== 0) console.log(output);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  return count;
}

function printTitle({ title }: Check): void {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 70 - title.length))}\n`);
}

/** Outcome of a check that could not count its tests. */
export function buildFailure(reason: string): TestCount {
  return { passed: 0, failed: 1, failures: [reason], retried: [] };
}

function countTests(check: Check, report: string, code: number): TestCount {
  const exit = `${check.title} ended with exit code ${code}`;
  if (!check.report)
    return code === 0 ? { passed: 1, failed: 0, failures: [], retried: [] } : buildFailure(exit);
  try {
    const count = readReport(check.report, report);
    // A program can fail outside of its tests: by an unhandled error, or in its setup.
    return code === 0 || count.failed > 0 ? count : { ...count, failed: 1, failures: [exit] };
  } catch (error) {
    return buildFailure(`${check.title} wrote no report: ${error instanceof Error ? error.message : error}`);
  }
}

/** Arguments that make a tool write its JSON report beside its usual output. */
function buildReporterArgs(tool: Check['report'], report: string): readonly string[] {
  if (tool === 'vitest') return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return tool === 'playwright' ? ['--reporter=list,json'] : [];
}

function runProgram(
  check: Check,
  report: string,
  extraArgs: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const [program, ...args] = check.command;
  const output = check.isStreamed ? 'inherit' : 'pipe';
  const child = spawn(program, [...args, ...buildReporterArgs(check.report, report), ...extraArgs], {
    cwd: ROOT,
    env: { ...projectEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', output, output],
    // A process group, so that a check ends together with the servers and browsers that it has started.
    detached: true,
  });
  running.add(child);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  }
  const limit = setTimeout(() => {
    console.error(`${check.title} did not end within ${MAX_MINUTES} minutes.`);
    stop(child);
  }, MAX_MINUTES * 60_000);
  return new Promise((resolve) => {
    const end = (code: number) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output: chunks.join('') });
    };
    // A program that cannot be started need not close.
    child.once('error', (error) => {
      chunks.push(`${error.message}\n`);
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

function stop(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
