import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../start/pinned-node.mjs';

const LONGEST = 20;
const SHORT_LINES = 50;

interface Size {
  readonly name: string;
  readonly lines: number;
}

/** Prints the longest files and functions, the short files with one importer, and the types of options. Never fails. */
export function printSizes(): void {
  const texts = readSources();
  const files = [...texts].map(([name, text]) => ({ name, lines: text.split('\n').length - 1 }));
  const functions = [...texts]
    .filter(([name]) => /\.tsx?$/.test(name))
    .flatMap((entry) => listFunctions(...entry));
  const importers = countImporters(texts);
  const crumbs = files.filter(({ name, lines }) => lines < SHORT_LINES && importers.get(name) === 1);
  const options = [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/(?:interface|type) (\w+Options)\b/g)].map(([, type = '']) => `${type} in ${name}`),
  );
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  console.log(`${files.length} files of code with ${total} lines`);
  printSizeList('Longest files', files);
  printSizeList('Longest functions', functions);
  console.log(`\nFiles under ${SHORT_LINES} lines that one file imports: ${crumbs.length}`);
  for (const { name, lines } of crumbs) console.log(`  ${String(lines).padStart(4)}  ${name}`);
  console.log(`\nTypes of options: ${options.length}`);
  for (const option of options) console.log(`  ${option}`);
}

function printSizeList(title: string, sizes: readonly Size[]): void {
  console.log(`\n${title}:`);
  const longest = sizes.toSorted((a, b) => b.lines - a.lines).slice(0, LONGEST);
  for (const { name, lines } of longest) console.log(`  ${String(lines).padStart(4)}  ${name}`);
}

/** Text of each file of code, by its path from the root. */
function readSources(): ReadonlyMap<string, string> {
  const listed = execFileSync('git', ['ls-files', 'src', 'scripts', 'edge', 'tools'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const names = listed
    .split('\n')
    .filter((name) => /\.(tsx?|astro|mjs|css)$/.test(name) && !/\.test\.|^edge\/test\//.test(name));
  return new Map(
    names
      .map((name) => [name, path.join(ROOT, name)] as const)
      .filter(([, file]) => existsSync(file))
      .map(([name, file]) => [name, readFileSync(file, 'utf8')]),
  );
}

/** How many files of code import each file. */
function countImporters(texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name, text] of texts) {
    const found = [...text.matchAll(/from\s*['"](\.[^'"]+)['"]/g)].map(([, target = '']) =>
      path.posix.join(path.posix.dirname(name), target),
    );
    for (const target of new Set(found)) counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  return counts;
}

/** Every function with a body, with the lines from its first word to its last brace. */
function listFunctions(file: string, text: string): readonly Size[] {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: Size[] = [];
  const getLine = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      const lines = getLine(node.end) - getLine(node.getStart(source)) + 1;
      found.push({ name: `${named?.getText(source) ?? '(unnamed)'} in ${file}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
