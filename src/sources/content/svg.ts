import { Parser } from 'htmlparser2';

/** Elements that draw, style or describe. Not among them: scripts, links, animation and foreign documents. */
const ELEMENTS = new Set(
  `svg g defs symbol use switch view title desc metadata style
  path rect circle ellipse line polyline polygon image text tspan textPath marker
  linearGradient radialGradient stop pattern clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);
const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|webp|gif|avif);base64,/;
/** What CSS can load. A backslash counts, because it spells letters: `u\72l()` is `url()`. */
const EXTERNAL_STYLE = /url\((?!\s*["']?#)[^)]*\)?|@import[^;]*|image-set\([^)]*\)?|\\[\da-f]/i;

/**
 * Checks that an SVG document only draws: opened by itself on the site's origin, it must neither run nor load
 * anything. Returns the first violation, as a predicate of the file; null when the file is valid.
 */
export function checkSvg(text: string): string | null {
  const problems: string[] = [];
  const open: string[] = [];
  let root: string | undefined;
  // Text arrives in pieces, split at entities for example.
  let style = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        root ??= name;
        open.push(name);
        const element = name.replace(/^svg:/, '');
        // Elements of drawing programs, such as sodipodi:namedview, do nothing: their prefixes are not SVG or HTML.
        if (!element.includes(':') && !ELEMENTS.has(element)) problems.push(`has a <${name}> element`);
        for (const [attribute, value] of Object.entries(attributes)) {
          const problem = checkAttribute(attribute, value);
          if (problem !== null) problems.push(problem);
        }
      },
      onclosetag() {
        open.pop();
      },
      ontext(data) {
        if (open.at(-1)?.endsWith('style')) style += data;
      },
      onprocessinginstruction(name, data) {
        const problem = checkInstruction(name.toLowerCase(), data);
        if (problem !== null) problems.push(problem);
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  const external = EXTERNAL_STYLE.exec(style)?.[0];
  if (external !== undefined) problems.push(`refers to ${external}`);
  return root === 'svg' || root === 'svg:svg' ? (problems[0] ?? null) : 'is not an SVG document in UTF-8';
}

function checkAttribute(name: string, value: string): string | null {
  const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
  if (/^on/i.test(local ?? '')) return `has the event handler ${name}`;
  if (name === 'xmlns' && value !== SVG) return `has elements of ${value}`;
  if (prefix === 'xmlns' && (value === XHTML || (value === SVG && local !== 'svg'))) {
    return `gives ${value} the prefix ${local}`;
  }
  if (name === 'xml:base') return 'changes the base of its references with xml:base';
  if (local === 'href' && !/^\s*#/.test(value) && !EMBEDDED_IMAGE.test(value)) return `refers to ${value}`;
  const external = prefix === '' ? EXTERNAL_STYLE.exec(value)?.[0] : undefined;
  return external === undefined ? null : `refers to ${external}`;
}

function checkInstruction(name: string, data: string): string | null {
  if (name === '!doctype' && data.includes('[')) return 'defines entities in its DOCTYPE';
  if (name === '?xml-stylesheet') return 'loads a style sheet';
  // Read in another encoding, the file has markup where this check saw none.
  const encoding = /encoding\s*=\s*["']([^"']*)/.exec(data)?.[1] ?? 'utf-8';
  return name === '?xml' && !/^(?:utf-8|us-ascii)$/i.test(encoding)
    ? `is in ${encoding}, not in UTF-8`
    : null;
}
