import type { JournalHold } from '../../content-files/journal.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { ListTable, Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { ChangesView, UndoLast } from './changes-view.tsx';
import { FileEditor } from './edit-view.tsx';
import { buildFileAddress, buildPlaceAddress } from './file-address.ts';
import { ImagesView } from './images-view.tsx';
import { LinksView, UnconfirmedPayees } from './links-view.tsx';
import { LIVE_PAGES_VIEW } from './live-pages.ts';
import { LivePagesView } from './live-pages-view.tsx';
import { NewPiece } from './piece-view.tsx';
import { NEW_PIECE } from './pieces.ts';
import { PricesView } from './prices-view.tsx';
import { type ContentFileRow, PIECE_COLUMNS, type readContentView } from './read.ts';

type ListModel = Extract<Awaited<ReturnType<typeof readContentView>>, { kind: 'list' }>;
type ContentProps = ViewProps<ListModel>;

/** The content of the site with what needs the operator, or one file. */
export function ContentView({ model }: ViewProps<NonNullable<Awaited<ReturnType<typeof readContentView>>>>) {
  if (model.kind === 'images') return <ImagesView model={model} />;
  if (model.kind === 'file') return <FileEditor model={model} />;
  if (model.kind === 'new') return <NewPiece model={model} />;
  if (model.kind === 'changes') return <ChangesView model={model} />;
  if (model.kind === 'prices') return <PricesView model={model} />;
  if (model.kind === 'live-pages') return <LivePagesView model={model} />;
  if (model.kind === 'links') return <LinksView model={model} />;
  return <ContentOverview model={model} />;
}

/** Every file, below what keeps edits from being shown. */
function ContentOverview({ model }: ContentProps) {
  return (
    <>
      <PiecesHead list={model.list} />
      {model.warnings.length > 0 && (
        <Block
          title="What is wrong with files"
          note="A file that is wrong is shown as it was last valid, or left out; all other edits are shown."
        >
          <ul>
            {model.warnings.map((warning) => (
              <li key={warning}>
                <WarningText warning={warning} opens={model.list.opens} />
              </li>
            ))}
          </ul>
        </Block>
      )}
      {model.hold !== null && model.hold.kind !== 'busy' && <HeldEdits hold={model.hold} />}
      {model.held !== null && <HeldDeletions held={model.held} />}
      <UnconfirmedPayees payees={model.payees} />
      <FileList model={model} />
    </>
  );
}

const FILE_STATES: Readonly<Record<ContentFileRow['state'], string>> = {
  published: 'Published',
  draft: 'Draft',
  scheduled: 'Scheduled',
  'has problems': 'Has problems',
};

/** Why an edit is not shown, with a link to the place in its file. */
function WarningText({ warning, opens }: { readonly warning: string; readonly opens: ReadonlySet<string> }) {
  const [named, file = '', line] = /content\/([\w/-]+\.(?:yaml|md))(?:, line (\d+))?/.exec(warning) ?? [];
  if (named === undefined || !opens.has(file)) return warning;
  const [before, after] = [warning.slice(0, warning.indexOf(named)), warning.slice(warning.indexOf(named))];
  return (
    <>
      {before}
      <a href={buildFileAddress(file, line === undefined ? {} : { line })}>{named}</a>
      {after.slice(named.length)}
    </>
  );
}

/** Every file that can be edited. */
function FileList({ model }: ContentProps) {
  const { list, undo } = model;
  const { viewer } = useFrame();
  const mayChange = useAction('take-changes') && list.readOnly === null;
  const keys = PIECE_COLUMNS.map(({ key }) => key).filter(
    (key) => key !== 'earned' || isAllowed(viewer, 'money'),
  );
  return (
    <>
      <ListTable
        title="Pieces"
        id="files"
        name="pieces"
        list={list}
        columns={showColumns(PIECE_COLUMNS, buildPieceCells(mayChange), keys)}
        getKey={({ file }) => file}
        empty="No piece has these words and this state."
        around={(table) => (
          <form
            action={buildConsoleAddress('content', {}, { rest: ['many'] })}
            data-choose="Change the chosen"
          >
            {table}
            {mayChange && list.rows.length > 0 && (
              <p className="form-row">
                <Submit className="button button-quiet">Change the chosen</Submit>
              </p>
            )}
          </form>
        )}
      />
      {list.others.length > 0 && (
        <Block title="In no one piece">
          <ul className="plain-list">
            {list.others.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </Block>
      )}
      <UndoLast undo={undo} />
    </>
  );
}

/** The first lines of the view: what is to do, and what is done about it. */
function PiecesHead({ list }: Pick<ContentProps['model'], 'list'>) {
  const { all, toDo, readOnly } = list;
  const seen =
    all === 0 ? 'Nothing written yet.' : `${formatCount(all, 'piece')}, ${formatNumber(toDo)} to do.`;
  const build = (rest: string) => buildConsoleAddress('content', {}, { rest: [rest] });
  return (
    <Statement
      lead={readOnly}
      actions={
        readOnly === null && (
          <>
            <a className="button" href={build(NEW_PIECE)}>
              New piece
            </a>
            <a href={build('replace')}>Replace a word</a>
            <a href={build(LIVE_PAGES_VIEW)}>Compare pages that you cite</a>
          </>
        )
      }
    >
      {seen}
    </Statement>
  );
}

const buildPieceCells = (isChosen: boolean) => ({
  title: (row: ContentFileRow) => (
    <>
      {isChosen && (
        <input type="checkbox" className="choose-file" name="file" value={row.file} aria-label={row.title} />
      )}
      <a className="inline-block min-h-6" href={buildFileAddress(row.file)} title={row.address ?? row.kind}>
        {row.title}
      </a>
      {row.address === null && <small>{row.kind}</small>}
      <PieceTasks row={row} />
    </>
  ),
  state: {
    onPhone: 'lead-unnamed' as const,
    render: ({ file, state, publishAt }: ContentFileRow) => (
      <>
        {FILE_STATES[state]}{' '}
        {publishAt !== null && (
          <a href={buildFileAddress(file, { view: 'publish' })}>
            <TimeText time={publishAt} />
          </a>
        )}
      </>
    ),
  },
  earned: ({ figures }: ContentFileRow) => (
    <MoneyAmount amount={figures?.earned ?? null} currency={figures?.currency ?? null} />
  ),
  clicks: ({ figures }: ContentFileRow) =>
    figures?.clicks == null ? <span className="no-figure">{NO_FIGURE}</span> : formatNumber(figures.clicks),
  changed: {
    onPhone: 'hidden' as const,
    render: ({ changedAt, changedBy }: ContentFileRow) =>
      changedAt === null ? (
        <span className="no-figure">{NO_FIGURE}</span>
      ) : (
        <>
          <TimeText time={changedAt} />
          {changedBy !== '' && <small>{changedBy}</small>}
        </>
      ),
  },
});

/** What is to do in a piece, in a fold. */
function PieceTasks({ row: { file, tasks } }: { readonly row: ContentFileRow }) {
  if (tasks.length === 0) return null;
  return (
    <details>
      <summary>{formatNumber(tasks.length)} to do</summary>
      {tasks.map((task) => (
        <small key={task.key}>
          <a href={buildPlaceAddress({ ...task, file })}>{task.text}</a>
        </small>
      ))}
    </details>
  );
}

/** More than an operator reads; the number is in the text. */
const MAX_HELD_LISTED = 50;

function HeldDeletions({ held }: { readonly held: NonNullable<ContentProps['model']['held']> }) {
  const rest = held.articles.length - MAX_HELD_LISTED;
  return (
    <Block title="Deletions held back" id="held" note={held.description}>
      <div className="table-box">
        <DataTable
          caption="Deletions held back"
          columns={[{ name: 'Article', render: ({ path, title }) => <a href={path}>{title}</a> }]}
          rows={held.articles.slice(0, MAX_HELD_LISTED)}
          getKey={({ slug }) => slug}
          empty=""
        />
      </div>
      {rest > 0 && <p>and {formatNumber(rest)} more</p>}
      <ActionForm of="accept-deletions" className="pt-[.9rem]">
        <Submit>Accept the deletions</Submit>
      </ActionForm>
    </Block>
  );
}

/** Why edits are neither shown nor saved, and what an operator can do about it. */
function HeldEdits({ hold }: { readonly hold: JournalHold }) {
  return (
    <Block title="Edits are held back" id="hold" note={hold.reason}>
      {hold.kind === 'foreign' &&
        (['finish', 'undo'] as const).map((choice) => (
          <ActionForm key={choice} of={`${choice}-writing`} className="pt-[.9rem]">
            <Submit>{choice === 'finish' ? 'Finish' : 'Undo'}</Submit>
          </ActionForm>
        ))}
    </Block>
  );
}
