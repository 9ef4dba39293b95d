import { FLOW_BAR } from '../../core/console/build-flow.ts';
import { formatNumber, formatShortMoney } from '../../core/console/format-figures.ts';
import type { JourneysModel } from '../../core/console/journeys-model.ts';

const MAX_LABEL_LENGTH = 30;
/** Average width of a character of a label, in units of the drawing. */
const CHARACTER_WIDTH = 7.4;
/** What scrolls has to take the focus, or a keyboard cannot scroll it (Safari). */
const SCROLL_REGION = { role: 'region', 'aria-label': 'Drawing of the paths', tabIndex: 0 } as const;

/** The paths as areas between bars; the table of paths has the same figures. */
export function FlowChart({ model }: { readonly model: JourneysModel }) {
  const { flow, measure, currency, partners, paths } = model;
  if (flow.nodes.length === 0) {
    return (
      <p className="empty-note">
        {measure === 'money' ? 'No path has earned anything in this period.' : 'No click in this period.'}
      </p>
    );
  }
  const last = flow.columns - 1;
  const format = (weight: number) =>
    measure === 'money' && currency !== null ? formatShortMoney(weight, currency) : formatNumber(weight);
  const [best] = paths;
  const getName = (name: string, column: number) => (column === last ? (partners[name] ?? name) : name);
  const shortenLabel = (name: string, weight: string) => {
    const room = Math.floor((flow.pitch - FLOW_BAR) / CHARACTER_WIDTH) - weight.length - 1;
    return shorten(name, Math.min(MAX_LABEL_LENGTH, Math.max(8, room)));
  };
  return (
    <figure className="flow">
      {best !== undefined && (
        <figcaption>
          Most {measure === 'money' ? 'money' : 'clicks'}: {best.steps.slice(0, -1).join(' → ')} (
          {format(measure === 'money' ? best.amount : best.clicks)})
        </figcaption>
      )}
      <div {...SCROLL_REGION} className="flow-scroll">
        <svg
          viewBox={`0 0 ${flow.width} ${flow.height}`}
          role="img"
          aria-label="Paths; the table below has the figures"
        >
          {flow.links.map(({ path, shape }) => (
            <path key={`${path} ${shape}`} className="flow-link" d={shape} />
          ))}
          {flow.nodes.map(({ column, name, x, y, height, weight }) => (
            <g key={`${column} ${name}`}>
              <title>{`${getName(name, column)}: ${format(weight)}`}</title>
              <rect className="flow-bar" x={x} y={y} width={FLOW_BAR} height={height} />
              <text
                className="chart-label"
                x={column === last ? x + FLOW_BAR + 8 : x}
                y={column === last ? y + height / 2 + 5 : y - 6}
              >
                {shortenLabel(getName(name, column), format(weight))}{' '}
                <tspan className="flow-weight">{format(weight)}</tspan>
              </text>
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
}

function shorten(name: string, length: number): string {
  return name.length <= length ? name : `${name.slice(0, length - 1)}…`;
}
