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
  const selectors = rule.selectors.map((text) => ({ text, needs: readNeeds(encodeEscapes(text)) }));
  // The steps of the build prefix a property twice.
  const declarations = new Set(rule.nodes.map((node) => `${node}`));
  return { selectors, block: `{${[...declarations].join(';')}}` };
}

function readDeclaration(declaration: string): Part {
  const [property] = /^--[\w-]+/.exec(declaration) ?? [];
  return property === undefined ? declaration : { property, declaration };
}

const encodeEscapes = (selector: string) =>
  selector.replace(
    /\\(?:([0-9a-f]{1,6}) ?|(.))/gi,
    (_, hex: string | undefined, escaped: string) =>
      `\uE000${hex === undefined ? escaped.charCodeAt(0) : Number.parseInt(hex, 16)}_`,
  );

/** One innermost function: `:is()` and its like need one of what is in it, `:not()` and others none of it. */
const FUNCTION = /(:[a-z-]+)\(([^()]*)\)/;
const NEEDS_ONE = /^:(?:is|where|has)$/;

function readNeeds(selector: string): Needs {
  const groups: (readonly Needs[])[] = [];
  let plain = selector;
  for (;;) {
    const found = FUNCTION.exec(plain);
    if (found === null) break;
    const [text, name = '', content = ''] = found;
    const isNeeded = NEEDS_ONE.test(name);
    // Refers to the group by its number, as a function may be in another.
    if (isNeeded) groups.push(content.split(',').map((one) => readPlainNeeds(one, groups)));
    plain = plain.replace(text, () => (isNeeded ? `\uE001${groups.length - 1}_` : ''));
  }
  return readPlainNeeds(plain, groups);
}

/** Reads a selector in which numbers are in the place of functions. */
function readPlainNeeds(plain: string, groups: readonly (readonly Needs[])[]): Needs {
  const alternatives = [...plain.matchAll(/\uE001(\d+)_/g)].map(([, index]) => groups[Number(index)] ?? []);
  const selector = plain.replace(/\uE001\d+_/g, ' ');
  const attributes = selector.match(/\[data-[a-z-]+/g) ?? [];
  const names = selector
    .replace(/\[[^\]]*\]/g, '')
    .replace(/::?[a-z-]+/g, '')
    .match(/(?:\.|(?<![\w\uE000-]))[a-z\uE000_-][\w\uE000-]*/gi);
  const decoded = (names ?? []).map((name) =>
    name.replace(/\uE000(\d+)_/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
  return { names: [...attributes.map((attribute) => `${attribute}]`), ...decoded], alternatives };
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
