import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** One command of git: reads and writes of a repository on a slow disk. */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 65_536;
const MAX_NAME_LENGTH = 80;

/**
 * What a repository may set and a save must not run or wait for: hooks, programs that watch the folder or sign, and the
 * network, which a partial clone would be read from.
 */
const OVERRIDES = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** Commits follow each other: two at once would find the index of the repository locked. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Commits files of the content folder with the system's git, in the repository that the folder is in, and nothing else
 * of it. Returns why it could not, as a sentence; null when it has, or when the repository has these texts already. Never
 * rejects. `operator` becomes the author.
 */
export function commitContent(
  root: string,
  files: readonly string[],
  { operator, message }: { readonly operator: string; readonly message: string },
): Promise<string | null> {
  const commit = last.then(() => runCommit(root, files, operator, message));
  last = commit;
  return commit;
}

async function runCommit(
  root: string,
  files: readonly string[],
  operator: string,
  message: string,
): Promise<string | null> {
  const git = (...words: readonly string[]) => runGit(root, operator, words);
  try {
    const tracked = new Set((await git('ls-files', '-z', '--', ...files)).split('\0'));
    // A file that was removed and never committed is unknown to git.
    const known = files.filter((file) => tracked.has(file) || existsSync(path.join(root, file)));
    if (known.length === 0) return null;
    await git('add', '--all', '--', ...known);
    if ((await git('status', '--porcelain', '--untracked-files=no', '--', ...known)) === '') return null;
    await git(
      'commit',
      '--quiet',
      '--only',
      '--no-verify',
      '--cleanup=verbatim',
      '-m',
      message,
      '--',
      ...known,
    );
    return null;
  } catch (error) {
    return `git could not commit it: ${explain(error)}`;
  }
}

function runGit(root: string, operator: string, words: readonly string[]): Promise<string> {
  const name = buildAuthorName(operator);
  // Nothing of the environment but what finds git and its settings, such as safe.directory.
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: 'console@localhost',
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: 'console@localhost',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  };
  const options = {
    cwd: root,
    env,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...OVERRIDES, ...words], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(Object.assign(error, { stderr })),
    );
    child.stdin?.end();
  });
}

/** The name of an operator without what git does not take in a name, and without control characters. */
function buildAuthorName(operator: string): string {
  const name = operator
    .replaceAll(/[\p{C}<>]/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return /[\p{L}\p{N}]/u.test(name) ? name : 'An operator';
}

function explain(error: unknown): string {
  const { code, killed, stderr } = Object(error);
  if (code === 'ENOENT') return 'the program git, or the content folder, was not found.';
  if (killed === true) return `it took longer than ${TIMEOUT_MS / 1_000} seconds.`;
  if (String(stderr ?? '').includes('ignored by'))
    return 'the folder is ignored by the repository around it: “git init site” gives it one of its own.';
  const [line = ''] = String(stderr ?? '')
    .split('\n')
    .filter((text) => text.trim() !== '');
  return `${line.replaceAll(/\p{C}/gu, ' ').slice(0, 300) || 'it gave no reason'}.`.replace(/\.\.$/, '.');
}
