import type { JournalHold } from '../../content-files/journal.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { CLAIM_MAX_AGE_DAYS } from '../../core/pages/claims/claims.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit, TextField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, NO_FIGURE } from '../reports/format.ts';
import { FileEditor } from './edit-view.tsx';
import { buildFileAddress, buildImagesAddress } from './file-address.ts';
import { ImagesView } from './images-view.tsx';
import { FirstUpdates, UnconfirmedPayees, WatchedLinks } from './links-view.tsx';
import { NewPiece } from './piece-view.tsx';
import { NEW_PIECE } from './pieces.ts';
import type { ContentFileRow, ContentTask, readContentView } from './read.ts';

const KIND_NAMES: Readonly<Record<ContentTask['kind'], string>> = {
  unproven: 'No evidence',
  undated: 'Undated\u00a0evidence',
  old: 'Old evidence',
  contradiction: 'Contradiction',
  unused: 'Not used',
  sample: 'Sample quotation',
  prices: 'Old prices',
  stale: 'Price differs',
};

type ListModel = Extract<Awaited<ReturnType<typeof readContentView>>, { kind: 'list' }>;
type ContentProps = ViewProps<ListModel>;

/** The content of the site with what needs the operator, or one file. */
export function ContentView({ model }: ViewProps<NonNullable<Awaited<ReturnType<typeof readContentView>>>>) {
  if (model.kind === 'images') return <ImagesView model={model} />;
  if (model.kind === 'file') return <FileEditor model={model} />;
  if (model.kind === 'new') return <NewPiece model={model} />;
  return <ContentOverview model={model} />;
}

/** What in the content needs the operator, each with the file to edit, and every file. */
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
      <FirstUpdates first={model.first} />
      <FileList model={model} />
      <ClaimsToCheck model={model} />
      <UnpublishedArticles model={model} />
      <WatchedLinks known={model.known} now={model.now} />
      <UnreadPages model={model} />
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
function FileList({ model: { list } }: ContentProps) {
  const { viewer } = useFrame();
  const { rows, total, readOnly } = list;
  const seesMoney = isAllowed(viewer, 'money');
  return (
    <Block
      title="All content"
      id="files"
      note={
        `${formatNumber(rows.length)} of ${formatNumber(total)} files. ` +
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
      <p className="editor-links">
        <a href={buildImagesAddress()}>Images: what is where, and a form to add one</a>
      </p>
      <FileSearch list={list} />
      <DataTable
        caption="All content"
        columns={buildFileColumns(seesMoney)}
        rows={rows}
        getKey={({ file }) => file}
        empty="No file has these words, this kind and this state."
      />
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
const buildFileColumns = (seesMoney: boolean): readonly (TableColumn<ContentFileRow> | false)[] => [
  {
    name: 'Title',
    render: ({ file, title, address }) => (
      <>
        <a href={buildFileAddress(file)}>{title}</a>
        <small>{address ?? `content/${file}`}</small>
      </>
    ),
  },
  { name: 'Kind', render: ({ kind }) => kind },
  { name: 'State', onPhone: 'lead', render: ({ state }) => FILE_STATES[state] },
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

function ClaimsToCheck({ model: { claims, list } }: ContentProps) {
  const { exportHref } = useFrame();
  return (
    <TableBlock
      title="Claims to check"
      id="claims"
      note={`Evidence is old after ${CLAIM_MAX_AGE_DAYS} days.`}
      links={exportHref !== null && <a href={exportHref}>CSV</a>}
      isBoxed
      columns={[
        { name: 'Claim', render: ({ kind, text }) => shortenTask(kind, text) },
        { name: 'Problem', onPhone: 'lead', render: ({ kind }) => KIND_NAMES[kind] },
        { name: 'File', render: ({ file }) => <ContentFile file={file} opens={list.opens} /> },
      ]}
      rows={claims}
      getKey={({ kind, text }) => `${kind} ${text}`}
      empty="Every claim has evidence that is new enough."
    />
  );
}

function UnpublishedArticles({ model: { unpublished, list } }: ContentProps) {
  return (
    <TableBlock
      title="Drafts and scheduled articles"
      isBoxed
      columns={[
        { name: 'Article', render: ({ title }) => title },
        {
          name: 'Published',
          onPhone: 'lead',
          render: ({ publishAt }) => (publishAt === null ? 'draft' : <TimeText time={publishAt} />),
        },
        { name: 'File', render: ({ file }) => <ContentFile file={file} opens={list.opens} /> },
      ]}
      rows={unpublished}
      getKey={({ file }) => file}
      empty="Every article is published."
    />
  );
}

function UnreadPages({ model: { unread, pages, list } }: { readonly model: ContentProps['model'] }) {
  return (
    <TableBlock
      title="Pages that hardly anyone reads"
      note={`${formatNumber(unread.length)} of ${formatNumber(pages)} pages had fewer than ten views in the last 28 days.`}
      isBoxed
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
        { name: 'File', render: ({ file }) => <ContentFile file={file} opens={list.opens} /> },
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

/** The column of the problem says what the end of these texts says. */
const REPEATED: readonly string[] = ['unproven', 'undated', 'sample', 'unused'];

function shortenTask(kind: string, text: string): string {
  const shortened = REPEATED.includes(kind) ? text.slice(0, text.lastIndexOf(': ')) : text;
  // The place of a sample begins with its file, which has its own column.
  return kind === 'sample' ? shortened.slice(shortened.indexOf(', ') + 1).trim() : shortened;
}
