import { escapeHtml } from '../../core/text/clean-text.ts';
import type { ChartLayout, ChartShape } from './chart-shapes.ts';

/** The styles of a file on white; the console has its own in both modes. */
const STYLE = `text{font:11.5px system-ui,sans-serif;fill:#555}.chart-note,.chart-number{fill:#161d2f}
.chart-approved{fill:#00612f}.chart-pending{fill:url(#hatch);stroke:#00612f}.chart-reversed{fill:none;stroke:#b3261e}
.chart-strike{stroke:#b3261e}.chart-young{fill:#f3f0e8}.chart-clicks{fill:#d6d0c4}.chart-grid{stroke:#ddd8cd}
.chart-band{fill:#d6e6dc}.chart-mean{fill:none;stroke:#00612f;stroke-width:2}.chart-point{fill:#00612f}
.chart-axis{stroke:#161d2f}.chart-flag{stroke:#161d2f;stroke-dasharray:2 3}.chart-dot{fill:#f6dd6b;stroke:#161d2f}`;

const HATCH =
  '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="6" height="6" fill="#e4f3e8"/><path d="M0 0V6" stroke="#00612f" stroke-width="2.2"/></pattern>';

/** Builds a chart as an SVG file. */
export function buildChartSvg({ width, height, shapes }: ChartLayout, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style><defs>${HATCH}</defs>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...shapes.map(buildElement),
    '</svg>\n',
  ].join('\n');
}

function buildElement(shape: ChartShape): string {
  const attribute = `class="${shape.variant}"`;
  switch (shape.kind) {
    case 'rect':
      return `<rect ${attribute} x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}"/>`;
    case 'line':
      return `<line ${attribute} x1="${shape.x1}" y1="${shape.y1}" x2="${shape.x2}" y2="${shape.y2}"/>`;
    case 'circle':
      return `<circle ${attribute} cx="${shape.x}" cy="${shape.y}" r="${shape.radius}"/>`;
    case 'path':
      return `<path ${attribute} d="${shape.d}"/>`;
    case 'text':
      return `<text ${attribute} x="${shape.x}" y="${shape.y}" text-anchor="${shape.anchor}">${escapeHtml(shape.text)}</text>`;
  }
}
