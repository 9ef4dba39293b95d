type Shape = (attribute: (name: string) => number) => string;

const round = (value: number) => Number(value.toFixed(2));

const circle: Shape = (at) => {
  const [cx, cy, r] = [at('cx'), at('cy'), at('r')];
  return `M${round(cx - r)} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
};

const rect: Shape = (at) => {
  const [x, y, r] = [at('x'), at('y'), at('rx')];
  const [width, height] = [at('width') - 2 * r, at('height') - 2 * r];
  const corner = (dx: number, dy: number) => (r > 0 ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '');
  return `M${x + r} ${y}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}${corner(r, -r)}z`;
};

const line: Shape = (at) => `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`;

const SHAPES: Readonly<Record<string, Shape>> = { circle, rect, line };

/** Makes the first move absolute: relative, it would start at the end of the path before it. */
function openAbsolute(data: string): string {
  return data.replace(/^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?<line>[-\d.])?/, (_, x, y, rest) =>
    rest === undefined ? `M${x} ${y}` : `M${x} ${y}l${rest}`,
  );
}

/** Builds the data of one path from a complete SVG icon. Throws on an element that has no equivalent path. */
export function buildPathData(svg: string): string {
  const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1);
  return [...body.matchAll(/<(\w+)([^>]*?)\/>/g)]
    .map(([, element = '', attributes = '']) => {
      const read = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
      if (element === 'path') return openAbsolute(read('d') ?? '');
      const shape = SHAPES[element];
      if (!shape) throw new Error(`[icons] no path for <${element}>`);
      return shape((name) => Number(read(name) ?? 0));
    })
    .join('');
}
