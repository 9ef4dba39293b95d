import type { ChildNode, Container, Rule } from 'postcss';

/** A rule, a group of rules such as `@media`, a custom property of the page, or text that is always in the sheet. */
type Part =
  | { readonly property: string; readonly declaration: string }
  | { readonly selectors: readonly Selector[]; readonly block: string }
  | { readonly prelude: string; readonly parts: readonly Part[] }
  | string;

interface Selector {
  readonly text: string;
  /** What an element and its ancestors need for the selector to match: classes (`.name`), elements, `[data-*]`. */
  readonly names: readonly string[];
}

/** Groups whose content is no list of rules with selectors of the page. */
const WHOLE_RULES = /^(?:font-face|property|view-transition|.*keyframes)$/;

const ROOT = /^:root(?:,:host)?$/;
const REFERENCE = /var\((--[\w-]+)/g;

/** A style sheet that can be reduced to the rules that a page uses. */
export class StyleSheet {
  readonly #parts: readonly Part[];

  constructor(root: Container) {
    this.#parts = readParts(root);
  }

  /**
   * Returns the rules whose classes (`.name`), elements (`name`) and attributes (`[data-name]`) are all `used`.
   * Custom properties (`--name`) of the root are left out unless they are used or referred to.
   */
  select(used: ReadonlySet<string>): string {
    const names = new Set(used);
    // Custom properties of the page are in the sheet when what is in it refers to them.
    for (;;) {
      const css = writeParts(this.#parts, names);
      const { size } = names;
      for (const [, property = ''] of css.matchAll(REFERENCE)) names.add(property);
      if (names.size === size) return css;
    }
  }
}

function readParts(container: Container): Part[] {
  return (container.nodes ?? []).flatMap((node) => readPart(node) ?? []);
}

function readPart(node: ChildNode): Part | null {
  if (node.type === 'comment') return null;
  if (node.type === 'rule') return readRule(node);
  if (node.type !== 'atrule' || node.nodes === undefined || WHOLE_RULES.test(node.name))
    return node.type === 'atrule' && node.nodes === undefined ? `${node};` : `${node}`;
  return { prelude: `@${node.name} ${node.params}`, parts: readParts(node) };
}

function readRule(rule: Rule): Part {
  if (ROOT.test(rule.selector))
    return { prelude: rule.selector, parts: rule.nodes.map((node) => readDeclaration(`${node};`)) };
  const selectors = rule.selectors.map((text) => ({ text, names: readNames(text) }));
  return { selectors, block: `{${rule.nodes.join(';')}}` };
}

function readDeclaration(declaration: string): Part {
  const [property] = /^--[\w-]+/.exec(declaration) ?? [];
  return property === undefined ? declaration : { property, declaration };
}

/** Names inside of `:is()`, `:not()` and their like are alternatives or exclusions, so they are not needed. */
function readNames(selector: string): string[] {
  let plain = selector.replace(
    /\\(?:([0-9a-f]{1,6}) ?|(.))/gi,
    (_, hex: string | undefined, escaped: string) =>
      `\uE000${hex === undefined ? escaped.charCodeAt(0) : Number.parseInt(hex, 16)}_`,
  );
  for (let outer = ''; outer !== plain; ) {
    outer = plain;
    plain = outer.replace(/\([^()]*\)/g, '');
  }
  const attributes = plain.match(/\[data-[a-z-]+/g) ?? [];
  const names = plain
    .replace(/\[[^\]]*\]/g, '')
    .replace(/::?[a-z-]+/g, '')
    .match(/(?:\.|(?<![\w\uE000-]))[a-z\uE000_-][\w\uE000-]*/gi);
  const decoded = (names ?? []).map((name) =>
    name.replace(/\uE000(\d+)_/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
  return [...attributes.map((attribute) => `${attribute}]`), ...decoded];
}

function writeParts(parts: readonly Part[], used: ReadonlySet<string>): string {
  let css = '';
  for (const part of parts) {
    if (typeof part === 'string') css += part;
    else if ('property' in part) css += used.has(part.property) ? part.declaration : '';
    else if ('selectors' in part) css += writeRule(part, used);
    else {
      const content = writeParts(part.parts, used);
      if (content !== '') css += `${part.prelude}{${content}}`;
    }
  }
  return css;
}

function writeRule(
  { selectors, block }: { readonly selectors: readonly Selector[]; readonly block: string },
  used: ReadonlySet<string>,
): string {
  const matching = selectors.filter(({ names }) => names.every((name) => used.has(name)));
  return matching.length === 0 ? '' : matching.map(({ text }) => text).join(',') + block;
}
