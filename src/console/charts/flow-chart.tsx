import type { JourneyPath, readJourneys } from '../journeys/read.ts';
import { formatNumber, formatRoughShare, formatShortMoney } from '../reports/format.ts';
import { describeSteps } from '../reports/names.ts';
import type { SiteNames } from '../reports/site-pages.ts';

type JourneysModel = Awaited<ReturnType<typeof readJourneys>>;

import { FLOW_BAR, type FlowNode } from './build-flow.ts';

const MAX_LABEL_LENGTH = 30;
/** Average width of a character of a label, in units of the drawing. */
const CHARACTER_WIDTH = 7.4;
/**
 * The paths as areas between bars, and as a list of bars where those have too little room for their names. The table of
 * paths has the same figures.
 */
export function FlowChart({ model, names }: { readonly model: JourneysModel; readonly names: SiteNames }) {
  const { flow, measure, currency, paths, rest } = model;
  if (flow.nodes.length === 0) {
    return (
      <p className="empty-note">
        {measure === 'money' ? 'No path has earned anything in this period.' : 'No click in this period.'}
      </p>
    );
  }
  const format = (weight: number) =>
    measure === 'money' && currency !== null ? formatShortMoney(weight, currency) : formatNumber(weight);
  const getWeight = (path: JourneyPath) => (measure === 'money' ? path.amount : path.clicks);
  const sum = paths.reduce(
    (all, path) => all + getWeight(path),
    measure === 'money' ? rest.amount : rest.clicks,
  );
  const [best] = paths;
  return (
    <figure className="flow [&_figcaption]:pb-[.6rem]">
      {best !== undefined && (
        <figcaption>
          {describeSteps(names, best.steps).slice(0, -1).join(' → ')}{' '}
          {measure === 'money' ? 'earned most' : 'led to most clicks'}: {format(getWeight(best))},{' '}
          {formatRoughShare(getWeight(best) / sum)} of what all paths{' '}
          {measure === 'money' ? 'earned' : 'led to'}.
        </figcaption>
      )}
      <FlowDrawing flow={flow} names={names} format={format} />
      <PathBars
        paths={paths.filter((path) => getWeight(path) > 0)}
        names={names}
        getWeight={getWeight}
        format={format}
      />
    </figure>
  );
}

interface FlowParts {
  readonly names: SiteNames;
  readonly format: (weight: number) => string;
}

function FlowDrawing({ flow, names, format }: FlowParts & { readonly flow: JourneysModel['flow'] }) {
  const last = flow.columns - 1;
  const getName = ({ name, column }: FlowNode) =>
    (column === last ? names.partners : names.pages).get(name) ?? name;
  const shortenLabel = (name: string, weight: string) => {
    const room = Math.floor((flow.pitch - FLOW_BAR) / CHARACTER_WIDTH) - weight.length - 1;
    return shorten(name, Math.min(MAX_LABEL_LENGTH, Math.max(8, room)));
  };
  return (
    <svg
      className="flow-drawing"
      viewBox={`0 0 ${flow.width} ${flow.height}`}
      role="img"
      aria-label="Paths; the table below has the figures"
    >
      {flow.links.map(({ path, shape }) => (
        <path key={`${path} ${shape}`} className="flow-link" d={shape} />
      ))}
      {flow.nodes.map((node) => (
        <g key={`${node.column} ${node.name}`}>
          <title>{`${getName(node)}: ${format(node.weight)}`}</title>
          <rect className="fill-ink" x={node.x} y={node.y} width={FLOW_BAR} height={node.height} />
          <NodeLabel
            node={node}
            name={shortenLabel(getName(node), format(node.weight))}
            weight={format(node.weight)}
            isLast={node.column === last}
          />
        </g>
      ))}
    </svg>
  );
}

function PathBars(
  props: FlowParts & {
    readonly paths: readonly JourneyPath[];
    readonly getWeight: (path: JourneyPath) => number;
  },
) {
  const { paths, names, getWeight, format } = props;
  const most = Math.max(1, ...paths.map(getWeight));
  return (
    <ol className="flow-bars" aria-label="Paths; the table below has the figures">
      {paths.map((path) => (
        <li key={path.key}>
          <span>{describeSteps(names, path.steps).join(' → ')}</span>
          <b>{format(getWeight(path))}</b>
          <svg className="stage-bar" viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(getWeight(path) / most) * 300} height="14" />
          </svg>
        </li>
      ))}
    </ol>
  );
}

/** The name and weight of a bar, above it or on its right. */
function NodeLabel(props: {
  readonly node: FlowNode;
  readonly name: string;
  readonly weight: string;
  readonly isLast: boolean;
}) {
  const { node, name, weight, isLast } = props;
  const x = isLast ? node.x + FLOW_BAR + 8 : node.x;
  const y = isLast ? node.y + node.height / 2 + 5 : node.y - 6;
  return (
    <text className="chart-label" x={x} y={y}>
      {name} <tspan className="fill-ink weight-600">{weight}</tspan>
    </text>
  );
}

function shorten(name: string, length: number): string {
  return name.length <= length ? name : `${name.slice(0, length - 1)}…`;
}
