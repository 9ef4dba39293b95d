/** A path through steps with the weight that decides its width. */
export interface WeightedPath {
  readonly key: string;
  readonly steps: readonly string[];
  readonly weight: number;
}

/** A step at one place of the paths, as a bar. Lengths are units of the drawing. */
export interface FlowNode {
  readonly column: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly weight: number;
}

export const FLOW_BAR = 10;
const WIDTH = 1_080;
/** Room for the names of the last column, which are on the right of their bars. */
const LAST_LABEL = 190;
const NODE_GAP = 26;
const MIN_HEIGHT = 3;
const AREA = 300;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Where the bands are, by column and path. */
type Places = Map<string, Place>;
type ReadonlyPlaces = ReadonlyMap<string, Place>;

interface Band {
  readonly path: string;
  readonly column: number;
  readonly name: string;
  readonly size: number;
}

/**
 * Builds the drawing of paths with a positive weight. All of them end in the last column, so that what earns is in one
 * place; shorter ones leave the columns before their end out. Paths of equal steps share a bar.
 */
export function buildFlow(paths: readonly WeightedPath[]) {
  const drawn = paths.filter(({ weight, steps }) => weight > 0 && steps.length > 1);
  const columns = Math.max(0, ...drawn.map(({ steps }) => steps.length));
  const total = drawn.reduce((sum, { weight }) => sum + weight, 0);
  const bands = drawn.flatMap((path) =>
    path.steps.map(
      (name, index): Band => ({
        path: path.key,
        // The last two steps, the page of the click and the partner, are always in the last two columns.
        column: index < path.steps.length - 2 ? index : columns - path.steps.length + index,
        name,
        size: Math.max(MIN_HEIGHT, (path.weight / total) * AREA),
      }),
    ),
  );
  const weights = new Map(drawn.map(({ key, weight }) => [key, weight]));
  const nodes: FlowNode[] = [];
  const places: Places = new Map();
  const pitch = (WIDTH - LAST_LABEL - FLOW_BAR) / Math.max(1, columns - 1);
  let height = 0;
  for (let column = 0; column < columns; column++) {
    const groups = orderBands(
      bands.filter((band) => band.column === column),
      (path) => findPlaceBefore(places, path, column)?.y ?? null,
    );
    const x = column * pitch;
    let y = NODE_GAP;
    for (const [name, group] of groups) {
      const start = y;
      for (const { path, size } of group) {
        places.set(`${column} ${path}`, { x, y, size });
        y += size;
      }
      const weight = group.reduce((sum, { path }) => sum + (weights.get(path) ?? 0), 0);
      nodes.push({ column, name, x, y: start, height: y - start, weight });
      y += NODE_GAP;
    }
    height = Math.max(height, y);
  }
  return { width: WIDTH, height, columns, pitch, nodes, links: buildLinks(drawn, places, columns) };
}

function findPlaceBefore(places: ReadonlyPlaces, path: string, column: number): Place | null {
  for (let before = column - 1; before >= 0; before--) {
    const place = places.get(`${before} ${path}`);
    if (place !== undefined) return place;
  }
  return null;
}

/**
 * Groups the bands of a column by their bar. Bars and the bands within them are ordered by where they come from, so
 * that few areas cross; those that begin here come last, in their own order.
 */
function orderBands(
  bands: readonly Band[],
  getOrigin: (path: string) => number | null,
): readonly (readonly [name: string, bands: readonly Band[]])[] {
  const getBandOrigin = ({ path }: Band) => getOrigin(path) ?? Number.POSITIVE_INFINITY;
  const getBarOrigin = (group: readonly Band[]) => {
    const arriving = group.filter(({ path }) => getOrigin(path) !== null);
    const size = arriving.reduce((sum, band) => sum + band.size, 0);
    const sum = arriving.reduce((all, band) => all + getBandOrigin(band) * band.size, 0);
    return size === 0 ? Number.POSITIVE_INFINITY : sum / size;
  };
  // Two that begin here are equal: Infinity - Infinity is no number.
  return [...Map.groupBy(bands, ({ name }) => name)]
    .map(
      ([name, group]) =>
        [name, group.toSorted((a, b) => compare(getBandOrigin(a), getBandOrigin(b)))] as const,
    )
    .toSorted(([, a], [, b]) => compare(getBarOrigin(a), getBarOrigin(b)));
}

const compare = (one: number, other: number) => (one === other ? 0 : one - other);

/** The parts of each path between two bars: areas, as `d` of an SVG path. */
function buildLinks(paths: readonly WeightedPath[], places: ReadonlyPlaces, columns: number) {
  return paths.flatMap(({ key }) => {
    const own = Array.from({ length: columns }, (_, column) => places.get(`${column} ${key}`)).filter(
      (place) => place !== undefined,
    );
    return own.slice(1).flatMap((end, index) => {
      const start = own[index];
      if (start === undefined) return [];
      const [left, right] = [start.x + FLOW_BAR, end.x];
      const middle = (left + right) / 2;
      const curve = (y1: number, x2: number, y2: number) =>
        `C${round(middle)} ${round(y1)} ${round(middle)} ${round(y2)} ${round(x2)} ${round(y2)}`;
      const shape = [
        `M${round(left)} ${round(start.y)}`,
        curve(start.y, right, end.y),
        `V${round(end.y + end.size)}`,
        curve(end.y + end.size, left, start.y + start.size),
        'Z',
      ].join('');
      return [{ path: key, shape }];
    });
  });
}

const round = (value: number) => Math.round(value * 10) / 10;
