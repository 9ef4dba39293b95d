import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const MAX_LINES = 60;

const TABLE = 'a list of columns, each with its name and how it is shown';
const COMPOSITION = 'creates the parts of the site one after the other, without a decision between them';

/** Functions that read best in one piece. */
const LONGER: Readonly<Record<string, string>> = {
  'src/sources/articles/ghost.ts createGhostSource': 'one object with the four short methods of a port',
  'src/console/overview/figures.tsx HeadlineFigures': 'a list of six figures',
  'src/console/import/connections.tsx PostbackList': TABLE,
  'src/console/import/view.tsx UploadForm': 'one form, in the order of its fields',
  'src/runtimes/cloudflare/platform.ts createPlatform': COMPOSITION,
  'src/console/console-money.ts createMoneyViews': COMPOSITION,
  'src/console/console.ts createConsole': COMPOSITION,
  'src/server/events/events.ts createEvents': COMPOSITION,
  'src/server/site.ts composeSite': COMPOSITION,
  'src/console/app.ts createConsoleApp': 'the order in which a request is admitted is the rule',
  'src/runtimes/node/http-server.ts createHttpServer': 'one table of handlers for the events of a server',
  'src/runtimes/node/start-site.ts startSite': 'the order of the steps of a start is the rule',
};

interface FunctionSize {
  readonly name: string;
  readonly lines: number;
}

/** Every function with a body, as `file name`, with the lines from its first word to its last brace. */
function listFunctions(file: string): readonly FunctionSize[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: FunctionSize[] = [];
  const getLine = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      const lines = getLine(node.end) - getLine(node.getStart(source)) + 1;
      found.push({ name: `${file} ${named?.getText(source) ?? '(unnamed)'}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const functions = ['src', 'scripts', 'tools', 'edge']
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  )
  .filter(
    (name) =>
      /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.|\.d\.ts$|node_modules|^edge\/(dist|test)\//.test(name),
  )
  .flatMap(listFunctions);

it('a function has at most 60 lines, or a reason for more', () => {
  expect(functions.length).toBeGreaterThan(5_000);
  const long = functions.filter(({ name, lines }) => lines > MAX_LINES && !(name in LONGER));
  expect(long).toEqual([]);
});

it('each function with a reason for more lines needs it', () => {
  const needed = functions.filter(({ lines }) => lines > MAX_LINES).map(({ name }) => name);
  expect(Object.keys(LONGER).filter((name) => !needed.includes(name))).toEqual([]);
});
