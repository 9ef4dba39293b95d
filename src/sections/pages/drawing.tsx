import type { Cta } from '../../core/outbound/cta.ts';
import type { Drawing, DrawingOf } from '../../core/pages/sections/drawing.schema.ts';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A drawing whose shape comes from the figures of its page, with its caption. */
export function DrawingSection({ section, context }: SectionProps<'drawing'>) {
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <DrawingFigure drawing={section.drawing} caption={section.caption} cta={context.cta} />
    </SectionFrame>
  );
}

/** A drawing with its caption, in a section or in a hero. */
export function DrawingFigure(props: {
  readonly drawing: Drawing;
  readonly caption: string | undefined;
  readonly cta: Cta;
  readonly isWide?: boolean;
}) {
  const { drawing, caption, cta, isWide = false } = props;
  return (
    <figure>
      <DrawingView drawing={drawing} isWide={isWide} />
      <Text as="figcaption" className="mt-3 max-w-text text-sm text-muted" text={caption} cta={cta} />
    </figure>
  );
}

/** The drawing alone. Its words are large enough to read on a phone; the alternative text says all of it. */
export function DrawingView(props: {
  readonly drawing: Drawing;
  /** Whether it has the width of the page, where a drawing of weeks is drawn longer. */
  readonly isWide?: boolean;
}) {
  const { drawing } = props;
  const isWide = props.isWide === true && drawing.kind === 'weeks';
  if (drawing.kind === 'messages') return <Messages drawing={drawing} />;
  if (drawing.kind === 'crop') return <Crop drawing={drawing} />;
  return (
    <div className="art">
      <Canvas
        drawing={drawing}
        width={WIDTH}
        className={isWide ? 'min-[46rem]:hidden' : 'mx-auto max-w-[36rem]'}
      />
      {isWide && <Canvas drawing={drawing} width={WIDTH * 2} className="max-[46rem]:hidden" />}
    </div>
  );
}

function Canvas(props: { readonly drawing: SvgDrawing; readonly width: number; readonly className: string }) {
  const { drawing, width, className } = props;
  const { height, content } = draw(drawing, width);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={drawing.alt} className={className}>
      {content}
    </svg>
  );
}

/** Width of every drawing in its own units. */
const WIDTH = 640;

type SvgDrawing = Exclude<Drawing, DrawingOf<'messages' | 'crop'>>;

function draw(drawing: SvgDrawing, width: number) {
  switch (drawing.kind) {
    case 'bills':
      return drawBills(drawing);
    case 'pairs':
      return drawPairs(drawing);
    case 'stops':
      return drawStops(drawing);
    case 'weeks':
      return drawWeeks(drawing, width);
    case 'stages':
      return drawStages(drawing);
  }
}

const BILLS = { top: 84, base: 470, height: 540, gap: 36, label: 40 };

/**
 * Columns as tall as the bills. A block that is too low for its words has them in its tooltip alone, and so has the one
 * block of a column, which the name of the column describes.
 */
function drawBills({ columns }: DrawingOf<'bills'>) {
  const totals = columns.map(({ lines }) => lines.reduce((sum, { amount }) => sum + readNumber(amount), 0));
  const highest = Math.max(...totals, 1);
  const width = (WIDTH - BILLS.gap * (columns.length + 1)) / columns.length;
  const letters = Math.floor(width / 16);
  const content = columns.map((column, index) => {
    const x = BILLS.gap + index * (width + BILLS.gap);
    const tallest = totals[index] ?? 0;
    const scale = (BILLS.base - BILLS.top) / highest;
    let y = BILLS.base;
    const blocks = column.lines.map((line, place) => {
      const tall = readNumber(line.amount) * scale;
      y -= tall;
      return { line, tall, y, className: findBlockClass(column.recommended, place) };
    });
    return (
      <g key={column.label}>
        <rect
          className="art-shade"
          x={x + 10}
          y={BILLS.base - tallest * scale + 10}
          width={width}
          height={tallest * scale}
        />
        {blocks.map(({ line, tall, y, className }) => (
          <g key={line.label}>
            <title>{`${line.label}: ${line.amount}`}</title>
            <rect
              className={className}
              x={x}
              y={round(y)}
              width={width}
              height={round(Math.max(0, tall - 3))}
            />
            {column.lines.length > 1 && tall >= BILLS.label && line.label.length <= letters && (
              <text className="art-on-dark" x={x + 14} y={round(y + tall / 2 + 9)}>
                {line.label}
              </text>
            )}
          </g>
        ))}
        <text className="art-large" x={x} y={round(BILLS.base - tallest * scale - 16)}>
          {column.total}
        </text>
        <text x={x} y={BILLS.base + 44}>
          {column.label}
        </text>
      </g>
    );
  });
  return { height: BILLS.height, content };
}

function findBlockClass(isRecommended: boolean, place: number): string {
  if (isRecommended) return 'art-green';
  return place % 2 === 0 ? 'art-blue' : 'art-navy';
}

const PAIRS = { left: 32, wide: 430, row: 168, bar: 44 };

/**
 * Two bars for each case, to one scale. The first case names them: in the bar, or after a bar too short for its word. Green
 * is a lower amount, as everywhere on the site.
 */
function drawPairs({ rows, before, after }: DrawingOf<'pairs'>) {
  const highest = Math.max(...rows.flatMap(({ from, to }) => [readNumber(from), readNumber(to)]), 1);
  const content = rows.map(({ label, from, to }, index) => {
    const top = 22 + index * PAIRS.row;
    const isLower = readNumber(to) < readNumber(from);
    const bars = [
      { value: from, word: before, className: 'art-blue', y: top + 44 },
      { value: to, word: after, className: isLower ? 'art-green' : 'art-navy', y: top + 44 + PAIRS.bar + 6 },
    ];
    return (
      <g key={label}>
        <text x={PAIRS.left} y={top + 28}>
          {label}
        </text>
        {bars.map(({ value, word, className, y }) => {
          const wide = (readNumber(value) / highest) * PAIRS.wide;
          const isLong = wide > word.length * 17 + 24;
          return (
            <g key={word}>
              <rect className={className} x={PAIRS.left} y={y} width={round(wide)} height={PAIRS.bar} />
              {index === 0 && isLong && (
                <text className="art-on-dark" x={PAIRS.left + 14} y={y + 32}>
                  {word}
                </text>
              )}
              <text x={round(PAIRS.left + wide + 14)} y={y + 33}>
                {index === 0 && !isLong ? `${word} ${value}` : value}
              </text>
            </g>
          );
        })}
      </g>
    );
  });
  return { height: 30 + rows.length * PAIRS.row, content };
}

const STOPS = { few: [160, 480], many: [112, 320, 528], row: 158, top: 64, bend: 79, inside: 46 };

/** A road that turns at the end of each row, with a numbered stop for each step. A label beside a turn moves off the road. */
function drawStops({ stops }: DrawingOf<'stops'>) {
  const columns = stops.length === 4 ? STOPS.few : STOPS.many;
  const perRow = columns.length;
  const places = stops.map(({ label }, index) => {
    const row = Math.floor(index / perRow);
    const column = row % 2 === 0 ? index % perRow : perRow - 1 - (index % perRow);
    const x = columns[column] ?? 0;
    const width = (label?.length ?? 0) * 16 + 28;
    const turns = index % perRow === perRow - 1 && index < stops.length - 1;
    const shift = turns ? Math.max(0, width / 2 - STOPS.inside) * (row % 2 === 0 ? -1 : 1) : 0;
    return { label, number: index + 1, row, x, y: STOPS.top + row * STOPS.row, middle: x + shift, width };
  });
  const road = places
    .map(({ row, x, y }, index) => {
      if (index === 0) return `M${x} ${y}`;
      return index % perRow === 0 ? `A${STOPS.bend} ${STOPS.bend} 0 0 ${row % 2} ${x} ${y}` : `H${x}`;
    })
    .join('');
  const rows = Math.ceil(stops.length / perRow);
  const content = (
    <>
      <path className="art-road" d={road} />
      <path className="art-dashes" d={road} />
      {places.map(({ label, number, x, y, middle, width }) => (
        <g key={number}>
          <circle className={number === stops.length ? 'art-navy' : 'art-paper'} cx={x} cy={y} r={37} />
          <text
            className={`art-middle ${number === stops.length ? 'art-on-dark' : 'art-on-paper'}`}
            x={x}
            y={y + 11}
          >
            {number}
          </text>
          {label !== undefined && (
            <>
              <rect
                className={number === stops.length ? 'art-yellow' : 'art-paper'}
                x={middle - width / 2}
                y={y + 44}
                width={width}
                height={44}
                rx={6}
              />
              <text className="art-middle art-on-paper" x={middle} y={y + 76}>
                {label}
              </text>
            </>
          )}
        </g>
      ))}
    </>
  );
  return { height: STOPS.top + (rows - 1) * STOPS.row + 112, content };
}

const WEEKS = { left: 216, right: 28, top: 26, row: 66, bar: 42 };

/** A bar for each job on an axis of weeks. */
function drawWeeks({ rows, last, unit }: DrawingOf<'weeks'>, width: number) {
  const right = width - WEEKS.right;
  const bottom = WEEKS.top + rows.length * WEEKS.row;
  const findX = (week: number) => round(WEEKS.left + ((right - WEEKS.left) * week) / last);
  const every = last > 8 ? 4 : 2;
  const content = (
    <>
      {Array.from({ length: last + 1 }, (_, week) => (
        <g key={findX(week)}>
          <path className="art-grid" d={`M${findX(week)} ${WEEKS.top - 10}V${bottom}`} />
          {week % every === 0 && (
            <text className="art-middle" x={findX(week)} y={bottom + 38}>
              {week}
            </text>
          )}
        </g>
      ))}
      <text x={32} y={bottom + 38}>
        {unit}
      </text>
      {rows.map(({ label, from, to }, index) => (
        <g key={label}>
          <text x={32} y={WEEKS.top + index * WEEKS.row + 38}>
            {label}
          </text>
          <rect
            className="art-blue"
            x={findX(from)}
            y={WEEKS.top + index * WEEKS.row + 6}
            width={round(Math.max(10, findX(to) - findX(from)))}
            height={WEEKS.bar}
            rx={6}
          />
        </g>
      ))}
      <path className="art-line" d={`M${WEEKS.left} ${bottom}H${right}`} />
    </>
  );
  return { height: bottom + 62, content };
}

const STAGES = { left: 32, top: 30, wide: WIDTH - 64, box: 68, step: 138 };

/** Boxes one below the other. The last is where the way ends. */
function drawStages({ items }: DrawingOf<'stages'>) {
  const middle = STAGES.left + 70;
  const content = items.map(({ label, by }, index) => {
    const y = STAGES.top + index * STAGES.step;
    const isLast = index === items.length - 1;
    return (
      <g key={label}>
        {index > 0 && (
          <>
            <path
              className="art-line"
              d={`M${middle} ${y - STAGES.step + STAGES.box}V${y - 6}m-13 -15 13 14 13 -14`}
            />
            <text x={middle + 40} y={y - 25}>
              {by}
            </text>
          </>
        )}
        <rect
          className={isLast ? 'art-navy' : 'art-paper'}
          x={STAGES.left}
          y={y}
          width={STAGES.wide}
          height={STAGES.box}
          rx={6}
        />
        <text className={isLast ? 'art-on-dark' : 'art-on-paper'} x={STAGES.left + 28} y={y + 44}>
          {label}
        </text>
      </g>
    );
  });
  return { height: STAGES.top * 2 + (items.length - 1) * STAGES.step + STAGES.box, content };
}

/** Messages as on a phone, as text: they wrap with the width. */
function Messages({ drawing }: { readonly drawing: DrawingOf<'messages'> }) {
  return (
    <div role="img" aria-label={drawing.alt}>
      <MessageList items={drawing.items} className="art" />
    </div>
  );
}

function MessageList(props: { readonly items: DrawingOf<'messages'>['items']; readonly className: string }) {
  return (
    <ol className={`art-messages ${props.className}`.trim()}>
      {props.items.map(({ time, text, from }) => (
        <li key={text} data-from={from}>
          <span>{time}</span>
          {text}
        </li>
      ))}
    </ol>
  );
}

/** A detail of a screen at its real size, cut off at the right and below: columns with entries, then what happens. */
function Crop({ drawing }: { readonly drawing: DrawingOf<'crop'> }) {
  const { menu, columns, marked, items, alt } = drawing;
  return (
    <div>
      <div role="img" aria-label={alt} className="art art-crop">
        <p>{menu}</p>
        {columns.length > 0 && (
          <div className="art-columns">
            {columns.map(({ label, entries }) => (
              <ul key={label} aria-label={label}>
                <li>{label}</li>
                {entries.map((entry) => (
                  <li key={entry} data-marked={entry === marked || undefined}>
                    {entry}
                  </li>
                ))}
              </ul>
            ))}
          </div>
        )}
        <MessageList items={items} className="" />
      </div>
      <p className="w-fit border border-line-strong px-3 py-0.5 text-sm font-semibold">
        Drawing, not a screenshot
      </p>
    </div>
  );
}

/** The first number of a text; 0 for a text without one, such as `included`. */
function readNumber(text: string): number {
  const [found = '0'] = /\d[\d,]*(\.\d+)?/.exec(text) ?? [];
  return Number(found.replaceAll(',', ''));
}

const round = (value: number) => Math.round(value * 10) / 10;
