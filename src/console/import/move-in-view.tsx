import type { ReactNode } from 'react';
import { nameCommand } from '../../core/text/name-command.ts';
import { FORMER_SYSTEMS } from '../../move-in/former-settings.ts';
import { nameDecision } from '../../move-in/merchants.ts';
import { nameProductField } from '../../move-in/product-boxes.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionForm, Checkbox, Select, Submit, TextField } from '../frame/forms.tsx';
import { DetailHead } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatNumber } from '../reports/format.ts';
import { Facts, formatMegabytes, UploadProblems } from './cost-view.tsx';
import type { readMoveInPage } from './read.ts';
import type { ImportUpload } from './uploads.ts';

type MoveInModel = NonNullable<Awaited<ReturnType<typeof readMoveInPage>>>;
type Preview = NonNullable<NonNullable<ImportUpload['site']>['preview']>;

/** Moving a site in: the upload, then its preview with the partners to confirm. */
export function MoveInBlock({ model }: { readonly model: MoveInModel }) {
  return (
    <>
      <DetailHead back={['Settings', buildConsoleAddress('settings')]}>Move a site in.</DetailHead>
      <MoveInState model={model} />
    </>
  );
}

function MoveInState({ model }: { readonly model: MoveInModel }) {
  const { moveIn, maxMb } = model;
  if (moveIn === null)
    return <p className="empty-note">A site is moved in by an operator who may manage and publish.</p>;
  const { upload } = moveIn;
  const preview = upload?.site?.preview ?? null;
  if (upload !== null && moveIn.isMoving) return <WorkingBlock upload={upload} work="imported" />;
  if (upload !== null && preview !== null)
    return (
      <MoveInPreviewBlock
        upload={upload}
        preview={preview}
        networks={moveIn.networks}
        problem={moveIn.problem}
      />
    );
  const problem = upload?.preparing?.problem ?? null;
  if (upload !== null && problem === null) return <WorkingBlock upload={upload} work="read" />;
  return (
    <Block
      title="Move a site in"
      id="move-in"
      note={
        'Posts, pages, redirects and links. You see what it would bring before anything is imported. ' +
        `For an export of more than ${maxMb.site} MB, run ${nameCommand('import')} on the server.`
      }
    >
      <UploadProblems
        title={`${upload?.name} cannot be imported:`}
        problems={problem === null ? [] : [problem]}
      />
      <MoveInForm maxFileMb={maxMb.site} />
    </Block>
  );
}

/** An export that is worked on. */
function WorkingBlock(props: { readonly upload: ImportUpload; readonly work: 'read' | 'imported' }) {
  const { upload, work } = props;
  const { name, bytes } = upload;
  const size = `${formatMegabytes(bytes)} MB are being ${work} in the background, also when you leave this page.`;
  return (
    <Block
      title={work === 'read' ? `Preview of ${name}` : `Import of ${name}`}
      id="move-in"
      note={work === 'read' ? `${size} Nothing is imported yet.` : size}
    >
      <progress aria-label={`${name} is being ${work}`} />
      <div className="form-row">
        <a className="button" href={buildConsoleAddress('settings', {}, { rest: ['move-in'] })}>
          Look again
        </a>
        {work === 'read' && (
          <ActionForm of="discard-site">
            <Submit className="button button-quiet">Discard</Submit>
          </ActionForm>
        )}
      </div>
    </Block>
  );
}

/** The form that uploads the export of another site. */
export function MoveInForm(props: { readonly maxFileMb: number; readonly children?: ReactNode }) {
  const { maxFileMb, children } = props;
  return (
    <ActionForm
      of="upload-site"
      action={buildConsoleAddress('settings', {}, { rest: ['move-in'] })}
      encType="multipart/form-data"
      className="form-grid"
    >
      <Select
        label="From"
        name="system"
        options={FORMER_SYSTEMS.map(({ key, name, file }) => [key, `${name}: ${file}`] as const)}
      />
      <TextField
        label={`Export of the site, at most ${maxFileMb} MB`}
        type="file"
        name="file"
        accept=".xml,.json,.zip,.tar"
        required
      />
      {children}
      <details className="col-span-full wrap-anywhere">
        <summary>What the export does not say</summary>
        <div className="form-grid">
          <TextField
            label="Links of a plugin (CSV or SQL), optional"
            type="file"
            name="links"
            accept=".csv,.sql,text/csv"
          />
          <TextField
            label="Former prefixes of links, such as recommends,refer"
            name="prefixes"
            maxLength={200}
          />
          <TextField label="Bases of archives, such as topics,labels,by" name="bases" maxLength={200} />
          <TextField label="Amazon, such as www.amazon.de,tag-21" name="amazon" maxLength={200} />
        </div>
      </details>
      <Submit>Preview the site</Submit>
    </ActionForm>
  );
}

function MoveInPreviewBlock({
  upload: { id, name: file, hash },
  preview,
  networks,
  problem,
}: {
  readonly upload: ImportUpload;
  readonly preview: Preview;
  readonly networks: readonly string[];
  readonly problem: string | null;
}) {
  const {
    posts,
    pages,
    drafts,
    redirects,
    imagesElsewhere,
    imagesHidden,
    changed,
    lost,
    unknown,
    sample,
    examples,
    refusals,
    groups,
    nameless,
  } = preview;
  const facts: readonly (readonly [name: string, count: number])[] = [
    ['Posts', posts],
    ['Pages', pages],
    ['Drafts among them', drafts],
    ['Redirects', redirects],
    ['Images that stay on the former host', imagesElsewhere],
    ['Images that will not be shown', imagesHidden],
    ['Changed', changed],
    ['Lost', lost],
    ['Not understood', unknown],
  ];
  return (
    <Block
      title={`Preview of ${file}`}
      id="move-in"
      note={`Nothing is imported yet. SHA-256 of the upload: ${hash}`}
    >
      <UploadProblems
        title="The site cannot be imported as it is:"
        problems={problem === null ? refusals : [problem]}
      />
      <ActionForm of="discard-site" id="discard-site" />
      <ActionForm of="commit-site" fields={{ upload: id, hash }}>
        {groups.length > 0 && (
          <p className="form-note">
            Links of a confirmed partner go through this site and are counted. The others stay as they are,
            marked as sponsored.
          </p>
        )}
        {groups.map((group) => (
          <GroupFields key={group.proposal.links} group={group} networks={networks} />
        ))}
        {nameless.length > 0 && (
          <details className="wrap-anywhere">
            <summary>{formatCount(nameless.length, 'product')} without a name</summary>
            <div className="form-grid">
              <p className="form-note col-span-full">
                Boxes of the former site name these by number alone. With a name and a confirmed partner they
                become product boxes, else links.
              </p>
              {nameless.map(({ number, name, uses }) => (
                <TextField
                  key={number}
                  label={`Name of ${number}, shown ${formatCount(uses, 'time')}`}
                  name={nameProductField(number)}
                  defaultValue={name}
                  maxLength={80}
                />
              ))}
            </div>
          </details>
        )}
        <Facts facts={facts.map(([name, count]) => ({ name, text: formatNumber(count) }))} />
        {examples.length > 0 && (
          <details className="raw-message">
            <summary>What is lost or not understood</summary>
            <ul className="plain-list">
              {examples.map((text) => (
                <li key={text} className="col-span-full wrap-anywhere">
                  {text}
                </li>
              ))}
            </ul>
            {lost + unknown > examples.length && (
              <p className="form-note">
                The first {formatNumber(examples.length)} of {formatNumber(lost + unknown)}. The file
                .import/report.txt of the content folder has all.
              </p>
            )}
          </details>
        )}
        <div className="form-grid">
          {imagesElsewhere + imagesHidden > 0 && (
            <Checkbox
              label="Copy the images of the former site into this one"
              className="form-check col-span-full wrap-anywhere"
              name="images"
              value="copy"
              defaultChecked
            />
          )}
          {sample > 0 && (
            <Checkbox
              label={`Keep the sample that this site ships with: ${formatCount(sample, 'file')} that nobody has edited`}
              className="form-check col-span-full wrap-anywhere"
              name="sample"
              value="keep"
            />
          )}
        </div>
        <div className="form-row">
          <Submit>Import the site</Submit>
          <button type="submit" form="discard-site" className="button button-quiet">
            Discard
          </button>
        </div>
      </ActionForm>
    </Block>
  );
}

function GroupFields(props: {
  readonly group: Preview['groups'][number];
  readonly networks: readonly string[];
}) {
  const { group, networks } = props;
  const { proposal, links, example } = group;
  const { key, name, network, affiliate, subId } = proposal;
  const nameField = (field: Parameters<typeof nameDecision>[0]) => nameDecision(field, proposal.links);
  return (
    <fieldset className="form-grid m-[1.2rem_0] p-[.4rem_0_0] hairline-t [&_legend]:pr-[.7rem] [&_legend]:weight-600">
      <legend>
        {name}: {formatCount(links, 'link')}
      </legend>
      <p className="form-note col-span-full wrap-anywhere">For example {example}</p>
      <Checkbox
        label="Confirm this partner"
        className="form-check col-span-full wrap-anywhere"
        name={nameField('confirm')}
        value="yes"
        defaultChecked={proposal.confirm}
      />
      <TextField label="Name" name={nameField('name')} defaultValue={name} maxLength={60} />
      <TextField label="Key, as in /go/key" name={nameField('key')} defaultValue={key} maxLength={40} />
      <Select
        label="Network"
        name={nameField('network')}
        defaultValue={network}
        options={networks.map((known) => [known, known])}
      />
      {affiliate === null ? (
        <p className="form-note">The affiliate id is in the links themselves, which stay byte for byte.</p>
      ) : (
        <>
          <TextField
            label="Affiliate parameter"
            name={nameField('parameter')}
            defaultValue={affiliate.parameter}
            maxLength={40}
          />
          <p className="form-note wrap-anywhere">Affiliate id: {affiliate.value}</p>
        </>
      )}
      <TextField
        label="Sub-id parameter, empty for none"
        name={nameField('subId')}
        defaultValue={subId ?? ''}
        maxLength={40}
      />
    </fieldset>
  );
}
