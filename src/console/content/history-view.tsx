import { useFrame } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable, ListPager } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, formatTime, NO_FIGURE } from '../reports/format.ts';
import { buildFileAddress } from './file-address.ts';
import type { DifferenceLine, DifferenceRow, readHistory, ShownVersion } from './history.ts';

type HistoryModel = Awaited<ReturnType<typeof readHistory>>;

/** The versions of a file: who changed how much, the difference of any two, and what puts one back. */
export function FileHistory(props: {
  readonly file: string;
  readonly history: HistoryModel;
  /** Hash of the file that is there; empty without one. */
  readonly opened: string;
  /** Why nothing can be put back; null when it can. */
  readonly readOnly: string | null;
}) {
  const { file, history } = props;
  const { versions, rows, compared } = history;
  const newest = versions[0]?.number;
  return (
    <>
      {compared !== null && <Compared {...props} compared={compared} />}
      <Block
        title="Versions"
        note="What the console has saved, and what it has found when the file was opened here. The newest 100 are stored."
      >
        <DataTable
          caption="Versions, the newest first"
          columns={[
            {
              name: 'Version',
              render: ({ number, savedAs }) => (
                <>
                  {number === newest ? `${number}, the newest` : String(number)}
                  {savedAs !== '' && (
                    <>
                      {', as '}
                      <code>content/{savedAs}</code>
                    </>
                  )}
                </>
              ),
            },
            { name: 'Time', onPhone: 'lead', render: ({ savedAt }) => <TimeText time={savedAt} /> },
            { name: 'Changed by', render: nameOperator },
            { name: 'Lines', render: ({ changes }) => <ChangedLines changes={changes} /> },
            {
              name: 'Actions',
              render: (version) => (
                <VersionActions {...props} number={version.number} isNewest={version.number === newest} />
              ),
            },
          ]}
          rows={rows}
          getKey={({ number }) => String(number)}
          empty="No version is stored yet."
        />
        <ListPager name="versions" list={history} path={buildFileAddress(file)} parameters={'view=history'} />
      </Block>
    </>
  );
}

const nameOperator = ({ operator }: { readonly operator: ShownVersion['operator'] }) =>
  operator || 'on the server';

function ChangedLines({ changes }: { readonly changes: ShownVersion['changes'] }) {
  if (changes === null) return <span className="no-figure">{NO_FIGURE}</span>;
  const { added, removed } = changes;
  return (
    <span className="changed-lines">
      <span data-kind="added">
        +{formatNumber(added)}
        <span className="hidden-text"> lines added,</span>
      </span>{' '}
      <span data-kind="removed">
        −{formatNumber(removed)}
        <span className="hidden-text"> lines removed</span>
      </span>
    </span>
  );
}

function VersionActions(
  props: Parameters<typeof FileHistory>[0] & { readonly number: number; readonly isNewest: boolean },
) {
  const { file, opened, readOnly, number, isNewest } = props;
  const range = { view: 'history', older: String(number - 1), newer: String(number) };
  return (
    <div className="form-row">
      <a href={`${buildFileAddress(file, range)}#compared`}>
        Changes<span className="hidden-text"> of version {number}</span>
      </a>
      {readOnly === null && !isNewest && <PutBack file={file} opened={opened} number={number} />}
    </div>
  );
}

function PutBack(props: { readonly file: string; readonly opened: string; readonly number: number }) {
  const { file, opened, number } = props;
  return (
    <ActionForm
      of="restore"
      fields={{ opened, view: 'history', version: String(number) }}
      encType="multipart/form-data"
      action={buildFileAddress(file)}
    >
      <Submit className="text-button">
        Put back<span className="hidden-text"> version {number}</span>
      </Submit>
    </ActionForm>
  );
}

/** The difference of two versions, with the choice of any two. */
function Compared(
  props: Parameters<typeof FileHistory>[0] & { readonly compared: NonNullable<HistoryModel['compared']> },
) {
  const { file, opened, history, compared } = props;
  const { timeZone } = useFrame();
  const { from, to, rows } = compared;
  const nameVersion = ({ number, savedAt, operator }: ShownVersion | HistoryModel['versions'][number]) =>
    `${number} · ${formatTime(savedAt, timeZone)} · ${nameOperator({ operator })}`;
  const buildChoice = (name: 'older' | 'newer', label: string, chosen: number) => (
    <Select
      label={label}
      name={name}
      defaultValue={String(chosen)}
      options={history.versions.map((version) => [String(version.number), nameVersion(version)])}
    />
  );
  return (
    <Block title={`From version ${from.number} to version ${to.number}`} id="compared">
      <form
        className="form-grid pb-[.7rem]"
        action={`${buildConsoleAddress('content', {}, { rest: file.split('/') })}#compared`}
      >
        <input type="hidden" name="view" value="history" />
        {buildChoice('older', 'From', from.number)}
        {buildChoice('newer', 'To', to.number)}
        <Submit className="button button-quiet">Compare</Submit>
      </form>
      <Comparison rows={rows} before={`Version ${nameVersion(from)}`} after={`Version ${nameVersion(to)}`} />
      {props.readOnly === null && from.number !== history.versions[0]?.number && (
        <p className="form-row">
          Version {from.number}, on the left: <PutBack file={file} opened={opened} number={from.number} />
        </p>
      )}
    </Block>
  );
}

/** Two texts side by side on wide screens, one below the other on narrow ones: the lines that differ, with those around. */
export function Comparison(props: {
  readonly rows: readonly (DifferenceRow | null)[];
  /** What the texts are called. */
  readonly before: string;
  readonly after: string;
}) {
  const { rows, before, after } = props;
  if (rows.length === 0) return <p className="empty-note">Both texts are the same.</p>;
  return (
    <table className="comparison">
      <caption className="hidden-text">Lines that differ</caption>
      <thead>
        <tr>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) =>
          row === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and never change
            <tr key={index} data-kind="gap">
              <td colSpan={2}>
                <span className="hidden-text">Lines that are the same</span>
                <span aria-hidden="true">⋯</span>
              </td>
            </tr>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={index} data-kind={row.isChanged ? 'changed' : 'same'}>
              <Side line={row.before} kind={row.isChanged ? 'removed' : 'same'} />
              <Side line={row.after} kind={row.isChanged ? 'added' : 'same'} />
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

const SIDES = { same: '', removed: 'removed: ', added: 'added: ' } as const;

function Side(props: { readonly line: DifferenceLine | null; readonly kind: keyof typeof SIDES }) {
  const { line, kind } = props;
  if (line === null) return <td data-kind="absent" />;
  const Mark = kind === 'removed' ? 'del' : 'ins';
  return (
    <td data-kind={kind}>
      <span className="text-muted text-right select-none">{line.number}</span>
      <span className="min-h-[1.2rem] whitespace-pre-wrap wrap-anywhere">
        {kind !== 'same' && <span className="hidden-text">{SIDES[kind]}</span>}
        {line.parts.map(({ text, isChanged }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never change
          isChanged ? <Mark key={index}>{text}</Mark> : <span key={index}>{text}</span>,
        )}
      </span>
    </td>
  );
}
