import type { ViewProps } from '../console-page.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay, formatNumber } from '../reports/format.ts';
import { CALENDAR_FILE, CALENDAR_VIEW, type readCalendar } from './calendar.ts';
import { UndoLast } from './changes-view.tsx';
import { buildFileAddress } from './file-address.ts';

type CalendarModel = Awaited<ReturnType<typeof readCalendar>>;
type Piece = CalendarModel['scheduled'][number];

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
const nameMonth = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`));
const buildMonth = (month: string) =>
  buildConsoleAddress('content', {}, { rest: [CALENDAR_VIEW], extra: { month } });

/** What is scheduled, by month, and below it what gets old. */
export function CalendarView({ model }: ViewProps<CalendarModel>) {
  const { months, scheduled, drafts, today, previous, next, undo, readOnly } = model;
  const mayMove = useAction('move-date') && readOnly === null;
  return (
    <>
      <Block
        title="What is planned"
        id="planned"
        note={
          scheduled.length > 0
            ? `${formatNumber(scheduled.length)} scheduled.`
            : 'Nothing is planned. A draft that gets a day is.'
        }
        links={
          <>
            <a href={buildConsoleAddress('content', {}, { rest: [CALENDAR_FILE] })}>As a file (.ics)</a>{' '}
            <a href={buildMonth(previous)}>‹ Earlier</a> <a href={buildMonth(next)}>Later ›</a>
          </>
        }
      >
        <UndoLast undo={undo} />
        {mayMove && (
          <p className="form-note key-help">
            Drag, or Alt ← and → on its name, moves a piece to another day.
          </p>
        )}
        <div className="calendar" data-movable={mayMove || undefined}>
          {months.map((one) => (
            <Month key={one.month} month={one} pieces={scheduled} today={today} />
          ))}
        </div>
        {drafts.length > 0 && (
          <ul className="calendar-drafts" aria-label="Drafts">
            <li>Drafts</li>
            {drafts.map((piece) => (
              <li key={piece.file}>
                <PieceLink piece={piece} today={today} />
              </li>
            ))}
          </ul>
        )}
      </Block>
      <Aging model={model} />
    </>
  );
}

const PieceLink = ({ piece, today }: { readonly piece: Piece; readonly today: string }) => (
  <>
    <a href={buildFileAddress(piece.file)} data-piece={piece.file} data-day={piece.day || today}>
      {piece.time !== '' && <small>{piece.time} </small>}
      {piece.title}
    </a>
    <ActionForm of="move-date" className="move-date" fields={{ file: piece.file }}>
      <input
        {...{ type: 'date', name: 'day', min: today, defaultValue: piece.day }}
        aria-label={`Day of ${piece.title}`}
        required
      />
      <Submit className="text-button">Move</Submit>
    </ActionForm>
  </>
);

function Month(props: {
  readonly month: CalendarModel['months'][number];
  readonly pieces: readonly Piece[];
  readonly today: string;
}) {
  const { month, pieces, today } = props;
  const week = month.weeks[1] ?? [];
  return (
    <table className="calendar-month">
      <caption>{nameMonth(month.month)}</caption>
      <thead>
        <tr>
          {week.map((day) => (
            <th key={day} scope="col">
              {WEEKDAY.format(new Date(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {month.weeks.map((days, row) => (
          <tr key={days.find(Boolean)}>
            {days.map((day, column) => {
              const found = pieces.filter((piece) => piece.day === day && day !== '');
              return day === '' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of the grid
                <td key={`${row} ${column}`} data-empty />
              ) : (
                <td
                  key={day}
                  data-date={day}
                  data-today={day === today || undefined}
                  data-empty={found.length === 0 || undefined}
                >
                  <span>{Number(day.slice(8))}</span>
                  {found.map((piece) => (
                    <PieceLink key={piece.file} piece={piece} today={today} />
                  ))}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What gets old, by month, with what depends on it. */
function Aging({ model: { aging, currency, today } }: ViewProps<CalendarModel>) {
  return (
    <Block
      title="What gets old"
      id="old"
      note="Prices and claims that are not shown or not proven any more, and pieces not checked for a year."
    >
      {aging.length === 0 && <p className="empty-note">Nothing gets old in the next 180 days.</p>}
      {aging.map(([month, rows]) => (
        <details key={month} className="attention" open={month === '' || month === today.slice(0, 7)}>
          <summary>
            <b>{month === '' ? 'Already' : nameMonth(month)}</b> {formatNumber(rows.length)}
          </summary>
          <DataTable
            caption={month === '' ? 'Already old' : `Gets old in ${nameMonth(month)}`}
            columns={[
              {
                name: 'What',
                render: (row) => (row.href === '' ? row.title : <a href={row.href}>{row.title}</a>),
              },
              { name: 'Kind', render: ({ sort }) => sort },
              { name: 'Old on', onPhone: 'lead', render: ({ day }) => formatDay(day, today) },
              { name: 'Clicks', isNumeric: true, render: ({ clicks }) => formatNumber(clicks) },
              currency !== null && {
                name: 'Money',
                isNumeric: true,
                render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
              },
            ]}
            rows={rows}
            getKey={({ key }) => key}
          />
        </details>
      ))}
    </Block>
  );
}
