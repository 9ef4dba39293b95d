import { FormFields } from '../access/form-fields.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { Block } from '../frame/block.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { TimeText } from '../frame/time-text.tsx';
import type { ViewProps } from '../view-props.ts';
import { ImportPreviewBlock } from './import-preview-block.tsx';
import { PostbackList } from './postback-list.tsx';
import { SyncList } from './sync-list.tsx';
import { UploadForm } from './upload-form.tsx';

/** Bringing commissions in: a file, the networks' messages and APIs, and taking a file back. */
export function ImportView({ model, frame }: ViewProps<'import'>) {
  const { preview, canChange } = model;
  return (
    <>
      {preview !== null && <ImportPreviewBlock preview={preview} model={model} />}
      {/* A file that cannot be read is uploaded again, with more said about it. */}
      {canChange && (preview?.problems.length ?? 1) > 0 && <UploadForm model={model} />}
      <ImportList model={model} frame={frame} />
      <PostbackList model={model} frame={frame} />
      <SyncList model={model} frame={frame} />
    </>
  );
}

function ImportList({ model, frame }: ViewProps<'import'>) {
  const { imports, partners, canChange, formToken } = model;
  const names = new Map(partners.map(({ key, name }) => [key, name]));
  return (
    <Block
      title="Imported files"
      id="imports"
      note="The newest ones. Undoing one takes all of its commissions back."
    >
      <DataTable
        caption="Imported files"
        columns={[
          { key: 'file', name: 'File', render: ({ file }) => file },
          { key: 'partner', name: 'Partner', render: ({ partner }) => names.get(partner) ?? partner },
          { key: 'rows', name: 'Rows', isNumeric: true, render: ({ rows }) => rows },
          {
            key: 'state',
            name: 'State',
            onPhone: 'lead',
            render: ({ state }) => (state === 'committed' ? 'imported' : state),
          },
          {
            key: 'changed',
            name: 'Changed',
            isNumeric: true,
            render: ({ changedAt }) => <TimeText time={changedAt} timeZone={frame.timeZone} />,
          },
          {
            key: 'undo',
            name: 'Action',
            onPhone: 'lead',
            render: ({ id, file, state }) =>
              state === 'committed' && canChange ? (
                <form method="post" action={buildConsoleAddress('import')}>
                  <FormFields token={formToken} fields={{ action: 'undo', import: id }} />
                  <button type="submit" className="text-button">
                    Undo<span className="hidden-text"> the import of {file}</span>
                  </button>
                </form>
              ) : null,
          },
        ]}
        rows={imports}
        getKey={({ id }) => id}
        empty="No file has been imported yet."
      />
    </Block>
  );
}
