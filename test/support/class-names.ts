import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * The classes that a file with markup may give to elements: those in attributes named `class` or `…className`, and in
 * constants, properties and functions whose names end in `CLASSES`, `className` or `Class`.
 */
export function listClassNames(file: string): ReadonlySet<string> {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const code = readFileSync(file, 'utf8');
  const found = file.endsWith('.astro') ? listInTemplate(code) : listInScript(code, file);
  byFile.set(file, found);
  return found;
}

const byFile = new Map<string, ReadonlySet<string>>();

/** The class selectors of a style sheet, without escapes. */
export function listClassSelectors(css: string): Set<string> {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<!\\)(["'])(?:\\.|(?!\1).)*\1/g, '""');
  const names = [
    ...rules.matchAll(/\.((?:\\[0-9a-f]{1,6} ?|\\.|[a-z_-])(?:\\[0-9a-f]{1,6} ?|\\.|[\w-])*)/gi),
  ];
  return new Set(names.map(([, name = '']) => removeEscapes(name)));
}

const CLASS_HOLDER = /(?:^class$|className$|ClassName$|CLASSES$|Class$)/;

function listInScript(code: string, file: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node, isClass: boolean): void => {
    const isHolder = isClass || CLASS_HOLDER.test(getHolderName(node));
    if (isHolder && isText(node)) for (const name of split(node.text)) found.add(name);
    ts.forEachChild(node, (child) => visit(child, isHolder && !isCondition(child)));
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return found;
}

function getHolderName(node: ts.Node): string {
  const isNamed =
    ts.isJsxAttribute(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isFunctionDeclaration(node);
  return isNamed ? (node.name?.getText() ?? '') : '';
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);
}

/** Texts that decide about a class without being one: comparisons, conditions, lookup keys, parameters and types. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  const isComparison =
    ts.isBinaryExpression(node) &&
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      node.operatorToken.kind,
    );
  return (
    isComparison ||
    ts.isTypeNode(node) ||
    ts.isParameter(node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
  );
}

function listInTemplate(code: string): Set<string> {
  const plain = [...code.matchAll(/\bclass(?:Name)?="([^"]*)"/g)];
  const calls = [...code.matchAll(/\bclass=\{\w+\('([^']*)'\)\}/g)];
  return new Set([...plain, ...calls].flatMap(([, text = '']) => split(text)));
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

function removeEscapes(name: string): string {
  return name
    .replace(/\\([0-9a-f]{1,6}) ?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, '$1');
}
