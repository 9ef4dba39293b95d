import type { JournalHold } from '../../content-files/journal.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, ListPager, type TableColumn } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit, TextField, useAction } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, NO_FIGURE } from '../reports/format.ts';
import { ChangesView, UndoLast } from './changes-view.tsx';
import { FileEditor } from './edit-view.tsx';
import { buildFileAddress } from './file-address.ts';
import { ImagesView } from './images-view.tsx';
import { AttentionList, UnconfirmedPayees, WatchedLinks } from './links-view.tsx';
import { LivePagesView } from './live-pages-view.tsx';
import { NewPiece } from './piece-view.tsx';
import { NEW_PIECE } from './pieces.ts';
import { PricesView } from './prices-view.tsx';
import type { ContentFileRow, readContentView } from './read.ts';

type ListModel = Extract<Awaited<ReturnType<typeof readContentView>>, { kind: 'list' }>;
type ContentProps = ViewProps<ListModel>;
type AttentionModel = Extract<Awaited<ReturnType<typeof readContentView>>, { kind: 'attention' }>;

/** The content of the site with what needs the operator, or one file. */
export function ContentView({ model }: ViewProps<NonNullable<Awaited<ReturnType<typeof readContentView>>>>) {
  if (model.kind === 'images') return <ImagesView model={model} />;
  if (model.kind === 'file') return <FileEditor model={model} />;
  if (model.kind === 'new') return <NewPiece model={model} />;
  if (model.kind === 'changes') return <ChangesView model={model} />;
  if (model.kind === 'prices') return <PricesView model={model} />;
  if (model.kind === 'live-pages') return <LivePagesView model={model} />;
  if (model.kind === 'links') return <WatchedLinks known={model.known} now={model.now} />;
  return model.kind === 'list' ? <ContentOverview model={model} /> : <Attention model={model} />;
}

/** What in the content needs the operator, each with the file to edit. */
function Attention({ model }: ViewProps<AttentionModel>) {
  return (
    <>
      <AttentionList model={model} />
      <Block title="What waits" note="Pieces that nobody can read yet, and pages that hardly anyone reads.">
        <details className="attention">
          <summary>
            <b>Drafts and scheduled articles</b> {formatNumber(model.unpublished.length)}
          </summary>
          <UnpublishedArticles model={model} />
        </details>
        <details className="attention">
          <summary>
            <b>Pages that hardly anyone reads</b> {formatNumber(model.unread.length)}
          </summary>
          <UnreadPages model={model} />
        </details>
      </Block>
    </>
  );
}

/** Every file, below what keeps edits from being shown. */
function ContentOverview({ model }: ContentProps) {
  return (
    <>
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
  const { list } = model;
  const { viewer } = useFrame();
  const mayChange = useAction('take-changes');
  const { rows, found, page, pages, total, readOnly } = list;
  const seesMoney = isAllowed(viewer, 'money');
  return (
    <Block
      title="All content"
      id="files"
      note={
        `${formatNumber(found)} of ${formatNumber(total)} files. ` +
        `Views${seesMoney ? ', clicks and expected money' : ' and clicks'} of the last 28 days.`
      }
    >
      {readOnly === null ? (
        <p>
          <a className="button" href={buildConsoleAddress('content', {}, { rest: [NEW_PIECE] })}>
            New piece
          </a>
        </p>
      ) : (
        <p className="problem">{readOnly}</p>
      )}
      <FileSearch list={list} />
      <UndoLast undo={model.undo} />
      <form action={buildConsoleAddress('content', {}, { rest: ['many'] })} data-choose="Change the chosen">
        <DataTable
          caption="All content"
          columns={buildFileColumns(seesMoney, readOnly === null && mayChange)}
          rows={rows}
          getKey={({ file }) => file}
          empty="No file has these words, this kind and this state."
        />
        {readOnly === null && mayChange && rows.length > 0 && (
          <p className="form-row">
            <Submit className="button button-quiet">Change the chosen</Submit>
          </p>
        )}
      </form>
      <ListPager name="files" list={{ page, pages, total: found }} path={buildConsoleAddress('content')} />
    </Block>
  );
}

function FileSearch({ list: { kinds, search, chosen, state } }: Pick<ContentProps['model'], 'list'>) {
  return (
    <search>
      <form className="form-grid" action={`${buildConsoleAddress('content')}#files`}>
        <TextField
          label="Title, text or address"
          type="search"
          name="q"
          defaultValue={search}
          maxLength={100}
          autoComplete={undefined}
        />
        <Select label="Kind" name="kind" defaultValue={chosen}>
          <option value="">All kinds</option>
          {kinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Select>
        <Select label="State" name="state" defaultValue={state} options={Object.entries(FILE_STATES)}>
          <option value="">All states</option>
        </Select>
        <Submit className="button button-quiet">Find</Submit>
      </form>
    </search>
  );
}

/** The columns of the list, that of money only for those who see amounts. */
const buildFileColumns = (
  seesMoney: boolean,
  isChosen: boolean,
): readonly (TableColumn<ContentFileRow> | false)[] => [
  {
    name: 'Title',
    render: ({ file, title, address }) => (
      <>
        {isChosen && (
          <input type="checkbox" className="choose-file" name="file" value={file} aria-label={title} />
        )}
        <a href={buildFileAddress(file)}>{title}</a>
        <small>{address ?? `content/${file}`}</small>
      </>
    ),
  },
  { name: 'Kind', render: ({ kind }) => kind },
  {
    name: 'State',
    onPhone: 'lead',
    render: ({ file, state, publishAt }) =>
      publishAt === null ? (
        FILE_STATES[state]
      ) : (
        <>
          {FILE_STATES[state]}
          <a href={buildFileAddress(file, { view: 'publish' })}>
            <TimeText time={publishAt} />
          </a>
        </>
      ),
  },
  {
    name: 'Views',
    metric: 'views',
    isNumeric: true,
    render: ({ figures }) => (figures?.views == null ? NO_FIGURE : formatNumber(figures.views)),
  },
  {
    name: 'Clicks',
    metric: 'clicks',
    isNumeric: true,
    render: ({ figures }) => (figures?.clicks == null ? NO_FIGURE : formatNumber(figures.clicks)),
  },
  seesMoney && {
    name: 'Expected',
    metric: 'expected',
    isNumeric: true,
    render: ({ figures }) => (
      <MoneyAmount amount={figures?.expected ?? null} currency={figures?.currency ?? null} kind="expected" />
    ),
  },
  {
    name: 'Last change',
    onPhone: 'hidden',
    render: ({ changedAt, changedBy }) =>
      changedAt === null ? (
        NO_FIGURE
      ) : (
        <>
          <TimeText time={changedAt} />
          <small>{changedBy || 'on the server'}</small>
        </>
      ),
  },
];

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

function UnpublishedArticles({ model: { unpublished, opens } }: ViewProps<AttentionModel>) {
  return (
    <DataTable
      caption="Drafts and scheduled articles"
      columns={[
        { name: 'Article', render: ({ title }) => title },
        {
          name: 'Published',
          onPhone: 'lead',
          render: ({ publishAt }) => (publishAt === null ? 'draft' : <TimeText time={publishAt} />),
        },
        { name: 'File', render: ({ file }) => <ContentFile file={file} opens={opens} /> },
      ]}
      rows={unpublished}
      getKey={({ file }) => file}
      empty="Every article is published."
    />
  );
}

function UnreadPages({ model: { unread, pages, opens } }: ViewProps<AttentionModel>) {
  return (
    <DataTable
      caption={`${formatNumber(unread.length)} of ${formatNumber(pages)} pages had fewer than ten views in the last 28 days.`}
      columns={[
        {
          name: 'Page',
          render: ({ path, title }) => (
            <>
              <a href={path}>{title}</a>
              <small>{path}</small>
            </>
          ),
        },
        {
          name: 'Views',
          metric: 'views',
          isNumeric: true,
          onPhone: 'lead',
          render: ({ views }) => formatNumber(views),
        },
        {
          name: 'Clicks',
          metric: 'clicks',
          isNumeric: true,
          render: ({ clicks }) => formatNumber(clicks),
        },
        { name: 'File', render: ({ file }) => <ContentFile file={file} opens={opens} /> },
      ]}
      rows={unread}
      getKey={({ path }) => path}
      empty="Every page is read."
    />
  );
}

function ContentFile({ file, opens }: { readonly file: string; readonly opens: ReadonlySet<string> }) {
  if (file === '') return <span className="no-figure">–</span>;
  if (!opens.has(file)) return <code>content/{file}</code>;
  return (
    <a href={buildFileAddress(file)}>
      <code>content/{file}</code>
    </a>
  );
}
