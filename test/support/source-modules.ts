import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const SOURCE = path.join(ROOT, 'src');

/** One import of a module, lazy ones and the files of `import.meta.glob` included. */
export interface SourceImport {
  /** `src/…` for a file of src (with its extension), `../…` for another file of the project, else the package. */
  readonly target: string;
  readonly isTypeOnly: boolean;
}

/** A code file of src with what it imports and exports. */
export interface SourceModule {
  /** Path below src, for example `core/paths.ts`. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
  /** Imports of the `<script>` elements of an `.astro` file: these run in the browser. */
  readonly scriptImports: readonly SourceImport[];
  readonly isBrowserEntry: boolean;
  readonly exports: readonly string[];
}

/** Reads every `.ts`, `.tsx`, `.mjs` and `.astro` file of src, tests included. */
export function readModules(): SourceModule[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs|astro)$/.test(name))
    .map(readModule);
}

function readModule(name: string): SourceModule {
  const text = readFileSync(path.join(SOURCE, name), 'utf8');
  const code = name.endsWith('.astro') ? (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') : text;
  const scripts = name.endsWith('.astro')
    ? [...text.matchAll(/<script(?![^>]*(?:is:inline|set:html))[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, script = '']) => script,
      )
    : [];
  const scriptImports = scripts.flatMap((script) => findImports(name, script));
  return {
    name,
    text,
    imports: [...findImports(name, code), ...scriptImports],
    scriptImports,
    isBrowserEntry: scriptImports.length > 0,
    exports: name.endsWith('.astro') ? [] : findExports(name, code),
  };
}

/**
 * Promises that outlive a call: fields, variables of a module, and maps, sets and caches of promises wherever they are made.
 * Returns the name of each.
 */
export function findKeptPromises(name: string, text: string): string[] {
  const found = new Set<string>();
  const file = parseCode(name, text);
  const hasPromise = (node: ts.Node | undefined): boolean => {
    if (node === undefined || ts.isFunctionLike(node) || ts.isTypeQueryNode(node)) return false;
    const word = ts.isTypeReferenceNode(node) ? node.typeName.getText(file) : '';
    if (word === 'Promise' || word === 'PromiseLike') return true;
    // Only the name of a function says whether its result is a promise: what creates and builds is none.
    if (word === 'ReturnType') return !/typeof (?:create|build)/.test(node.getText(file));
    if (word === 'Awaited' || word === 'SharedReads') return false;
    if (ts.isIdentifier(node) && node.text === 'Promise') return true;
    return ts.forEachChild(node, hasPromise) ?? false;
  };
  const visit = (node: ts.Node) => {
    const isField = ts.isPropertyDeclaration(node);
    const isTop = ts.isVariableDeclaration(node) && node.parent.parent.parent === file;
    if ((isField || isTop) && [node.type, node.initializer].some(hasPromise))
      found.add(node.name.getText(file));
    const isKeeper =
      ts.isNewExpression(node) && /^(?:Weak)?(?:Map|Set)$|Cache$/.test(node.expression.getText(file));
    if (isKeeper && node.typeArguments?.some(hasPromise) === true)
      found.add(
        ts.isVariableDeclaration(node.parent) || ts.isPropertyDeclaration(node.parent)
          ? node.parent.name.getText(file)
          : node.getText(file),
      );
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found];
}

function parseCode(name: string, code: string): ts.SourceFile {
  const kind = name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, kind);
}

function findImports(name: string, code: string): SourceImport[] {
  const found: SourceImport[] = [];
  const add = (specifier: ts.Expression | undefined, isTypeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) {
      found.push({ target: resolveTarget(name, specifier.text), isTypeOnly });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    } else if (ts.isCallExpression(node) && node.expression.getText() === 'import.meta.glob') {
      found.push(...findGlobbed(name, node.arguments[0]));
    }
    ts.forEachChild(node, visit);
  };
  visit(parseCode(name, code));
  return found;
}

/** The files that the patterns of `import.meta.glob` match; a pattern with `!` excludes. */
function findGlobbed(name: string, argument: ts.Expression | undefined): SourceImport[] {
  const elements = argument && ts.isArrayLiteralExpression(argument) ? argument.elements : [argument];
  const patterns = elements.flatMap((element) =>
    element && ts.isStringLiteralLike(element) ? [element.text] : [],
  );
  return globSync(
    patterns.filter((pattern) => !pattern.startsWith('!')),
    {
      cwd: path.join(SOURCE, path.dirname(name)),
      exclude: patterns.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : [])),
    },
  ).map((file) => ({ target: resolveTarget(name, `./${file}`), isTypeOnly: false }));
}

/** Whether nothing of the import is left after compilation. */
function isTypeOnlyImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

/** A query such as `?worker&url` is for the bundler and belongs to no path. */
function resolveTarget(name: string, specifier: string): string {
  const bare = specifier.replace(/\?.*$/, '');
  if (!bare.startsWith('.')) return bare;
  const file = path
    .relative(ROOT, path.resolve(SOURCE, path.dirname(name), bare))
    .split(path.sep)
    .join('/');
  return file.startsWith('src/') ? file : `../${file}`;
}

function findExports(name: string, code: string): string[] {
  return parseCode(name, code).statements.flatMap((statement): string[] => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      return statement.moduleSpecifier
        ? []
        : statement.exportClause.elements.map((element) => element.name.text);
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name: binding }) =>
        ts.isIdentifier(binding) ? [binding.text] : [],
      );
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}
