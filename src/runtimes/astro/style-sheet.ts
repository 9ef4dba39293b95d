import { parse, type Selector as Token } from 'css-what';
import type { ChildNode, Container, Rule } from 'postcss';

/** A rule, a group of rules such as `@media`, what gives a custom property its value, or text that is always in the sheet. */
type Part =
  | { readonly property: string; readonly declaration: string }
  | { readonly selectors: readonly Selector[]; readonly block: string }
  | { readonly prelude: string; readonly parts: readonly Part[] }
  | string;

/** What an element and its ancestors need to match: all names, and of each list of alternatives one. */
interface Needs {
  /** Classes (`.name`), elements, `[data-*]`. */
  readonly names: readonly string[];
  readonly alternatives: readonly (readonly Needs[])[];
}

interface Selector {
  readonly text: string;
  readonly needs: Needs;
}

/** Groups whose content is no list of rules with selectors of the page. */
const WHOLE_RULES = /^(?:font-face|view-transition|.*keyframes)$/;

/** Rules that give custom properties their values: the theme, and what Tailwind registers for older browsers. */
const PROPERTIES = /^(?::root(?:,:host)?|\*,:before,:after,::backdrop)$/;
const REFERENCE = /var\((--[\w-]+)/g;

/** A style sheet that can be reduced to the rules that a page uses. */
export class StyleSheet {
  readonly #parts: readonly Part[];

  constructor(root: Container) {
    this.#parts = readParts(root);
  }

  /**
   * Returns the rules whose classes (`.name`), elements (`name`) and attributes (`[data-name]`) are all `used`.
   * Custom properties (`--name`) are left out unless they are used or referred to.
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
  if (node.type === 'atrule' && node.name === 'property')
    return { property: node.params, declaration: `${node}` };
  if (node.type !== 'atrule' || node.nodes === undefined || WHOLE_RULES.test(node.name))
    return node.type === 'atrule' && node.nodes === undefined ? `${node};` : `${node}`;
  return { prelude: `@${node.name} ${node.params}`, parts: readParts(node) };
}

function readRule(rule: Rule): Part {
  if (PROPERTIES.test(rule.selector))
    return { prelude: rule.selector, parts: rule.nodes.map((node) => readDeclaration(`${node};`)) };
  const selectors = rule.selectors.map((text) => ({ text, needs: readNeeds(parse(text)[0] ?? []) }));
  // The steps of the build prefix a property twice.
  const declarations = new Set(rule.nodes.map((node) => `${node}`));
  return { selectors, block: `{${[...declarations].join(';')}}` };
}

function readDeclaration(declaration: string): Part {
  const [property] = /^--[\w-]+/.exec(declaration) ?? [];
  return property === undefined ? declaration : { property, declaration };
}

/** `:is()` and its like need one of the selectors in it, `:not()` and others none of them. */
const NEEDS_ONE = new Set(['is', 'where', 'has']);

function readNeeds(selector: readonly Token[]): Needs {
  const names = selector.flatMap((token) => {
    if (token.type === 'tag') return [token.name];
    if (token.type !== 'attribute') return [];
    if (token.name === 'class' && token.action === 'element') return [`.${token.value}`];
    return token.name.startsWith('data-') ? [`[${token.name}]`] : [];
  });
  const alternatives = selector.flatMap((token) =>
    token.type === 'pseudo' && NEEDS_ONE.has(token.name) && Array.isArray(token.data)
      ? [token.data.map(readNeeds)]
      : [],
  );
  return { names, alternatives };
}

const canMatch = ({ names, alternatives }: Needs, used: ReadonlySet<string>): boolean =>
  names.every((name) => used.has(name)) &&
  alternatives.every((group) => group.some((needs) => canMatch(needs, used)));

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
  const matching = selectors.filter(({ needs }) => canMatch(needs, used));
  return matching.length === 0 ? '' : matching.map(({ text }) => text).join(',') + block;
}
