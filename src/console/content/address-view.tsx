import type { ReactNode } from 'react';
import type { ActionName } from '../actions.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, Checkbox, EditorField, Options } from '../frame/forms.tsx';
import { formatCount, formatNumber } from '../reports/format.ts';
import { buildFileAddress } from './file-address.ts';
import type { readNamed, readPieceAddress } from './piece-address.ts';

type AddressModel = ReturnType<typeof readPieceAddress>;

interface AddressProps {
  readonly address: AddressModel;
  /** Hash of the file that is there. */
  readonly opened: string;
  /** Why nothing can be changed; null when it can. */
  readonly readOnly: string | null;
}

/** The address of a piece: what leads to it, and the forms that change it. */
export function AddressView(props: AddressProps) {
  const { address, readOnly } = props;
  const { path, inForce, isPublic, fixed, leadsTo, former } = address;
  return (
    <>
      <Block title="Address">
        <dl className="image-facts">
          <dt>Page</dt>
          <dd>
            <code>{decodeURI(inForce)}</code>
            {inForce !== path && <> (its default address {path} leads there)</>}
            {!isPublic && <> (visitors do not see it)</>}
          </dd>
          {leadsTo !== null && (
            <>
              <dt>Redirect</dt>
              <dd>
                Visitors of this address are sent to <code>{leadsTo}</code>. Publishing the piece ends that.
              </dd>
            </>
          )}
          <dt>Former addresses</dt>
          <dd>{former.length === 0 ? 'None leads here.' : <CodeList paths={former} />}</dd>
        </dl>
      </Block>
      <LinkPlaces links={address.links} />
      {readOnly === null && fixed !== null && (
        <Block title="Rename, take down or remove">
          <p className="editor-links">{fixed}</p>
        </Block>
      )}
      {readOnly === null && fixed === null && (
        <>
          <Rename {...props} />
          <Departure {...props} />
        </>
      )}
    </>
  );
}

/** More of them are folded. */
const MAX_SHOWN = 10;

function CodeList({ paths }: { readonly paths: readonly string[] }) {
  const shown = paths.slice(0, MAX_SHOWN);
  return (
    <>
      {shown.map((path, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <code>{path}</code>
        </span>
      ))}
      {paths.length > MAX_SHOWN && ` and ${formatNumber(paths.length - MAX_SHOWN)} more`}
    </>
  );
}

/** The places of other files that link to the piece, each with its field. */
function LinkPlaces({
  links,
  title: heading = 'Links to it',
}: {
  readonly links:
    | AddressModel['links']
    | readonly (ReturnType<typeof readNamed>['places'][number] & { title: ''; kind: 'link' })[];
  readonly title?: string;
}) {
  const rows = links.map(({ file, title, place, href, kind }) => (
    <li key={`${file} ${place}`}>
      <a href={href}>
        {title === '' ? file : title}: {place}
      </a>
      {kind === 'name' && <small> by its name</small>} {title !== '' && <code>content/{file}</code>}
    </li>
  ));
  return (
    <Block title={`${heading} (${formatNumber(links.length)})`} id="links">
      {links.length === 0 ? (
        <p className="editor-links">No other file of the content names it.</p>
      ) : (
        <div className="editor-note [&_li]:wrap-anywhere">
          <ul>{rows.slice(0, MAX_SHOWN)}</ul>
          {rows.length > MAX_SHOWN && (
            <details className="editor-more">
              <summary>and {formatNumber(rows.length - MAX_SHOWN)} more</summary>
              <ul>{rows.slice(MAX_SHOWN)}</ul>
            </details>
          )}
        </div>
      )}
    </Block>
  );
}

/** What names a partner or product, and the form that removes it with another one in its place. */
export function Removal({
  file,
  opened,
  readOnly,
  removal: { kind, places, others },
}: {
  readonly file: string;
  readonly opened: string;
  readonly readOnly: string | null;
  readonly removal: ReturnType<typeof readNamed>;
}) {
  const links = places.map((place) => ({ ...place, title: '', kind: 'link' as const }));
  return (
    <>
      <LinkPlaces links={links} title="Where it is used" />
      {readOnly === null && (
        <Block
          title="Remove"
          note="All files are changed in one save. Each can be put back from its history; commissions stay."
        >
          <ActionForm
            of="remove"
            fields={{ opened }}
            encType="multipart/form-data"
            className="editor new-piece"
            action={buildFileAddress(file)}
          >
            {places.length > 0 && (
              <EditorField
                id="replacement"
                label={`What takes its place in ${formatCount(places.length, 'place')}`}
              >
                {(own) => (
                  <select {...own} name="replacement">
                    <option value="">Nothing: links, entries and fields with it are taken out</option>
                    <Options of={others} />
                  </select>
                )}
              </EditorField>
            )}
            <div className="form-row">
              <ActionButton of="remove" className="text-button danger-button">
                Remove the {kind}
              </ActionButton>
            </div>
          </ActionForm>
        </Block>
      )}
    </>
  );
}

/** A form that changes the address of the file as it was opened. */
function AddressForm({
  of,
  address,
  opened,
  children,
}: AddressProps & { readonly of: readonly ActionName[]; readonly children: ReactNode }) {
  return (
    <ActionForm
      of={of}
      fields={{ opened }}
      encType="multipart/form-data"
      className="editor new-piece"
      action={buildFileAddress(address.file)}
    >
      {children}
    </ActionForm>
  );
}

function Rename(props: AddressProps) {
  const { kind, path, inForce, prefix, given, isPublic, links } = props.address;
  const linking = links.filter(({ kind }) => kind === 'link').length;
  return (
    <Block
      title="Rename"
      note={
        isPublic
          ? 'Its history goes on. Views, clicks and money so far stay listed at the old address.'
          : 'Visitors do not see it, so no redirect is written; links to it are changed.'
      }
    >
      <AddressForm {...props} of={['rename']}>
        <EditorField
          id="address-name"
          label={inForce === path ? <>New address, behind {prefix}</> : 'New address'}
          help={
            <>
              {inForce === path && 'Only a-z, 0-9 and single hyphens. '}
              {kind.key !== 'author' && inForce === path && 'Or a whole path, such as /2022/07/my-post/. '}
              {inForce !== path && `A whole path; ${path} gives it its default address back. `}
              {isPublic && `${inForce} leads to the new address from then on.`}
            </>
          }
          name="name"
          defaultValue={given.name}
          required
          maxLength={kind.key === 'author' ? 100 : 300}
          spellCheck={false}
        />
        {linking > 0 && isPublic && (
          <Checkbox
            className="check-line"
            name="links"
            value="yes"
            defaultChecked
            label={
              <>
                Change {linking === 1 ? 'the link' : `the ${formatNumber(linking)} links`} to it in the same
                save
              </>
            }
          />
        )}
        <div className="form-row">
          <ActionButton of="rename" className="button">
            Rename
          </ActionButton>
        </div>
      </AddressForm>
    </Block>
  );
}

/** Takes the piece down or removes it, with the question where its address leads then. */
function Departure(props: AddressProps) {
  const { kind, isPublic } = props.address;
  const canTakeDown = isPublic && kind.key !== 'author';
  return (
    <Block
      title={canTakeDown ? 'Take down or remove' : 'Remove'}
      note={
        (canTakeDown ? 'Taken down, it is a draft that can be published again. ' : '') +
        'A removed file can be put back from its history.'
      }
    >
      <AddressForm {...props} of={['take-down-page', 'remove']}>
        {isPublic && <Lead {...props} />}
        <div className="form-row">
          {canTakeDown && (
            <ActionButton of="take-down-page" className="button">
              Take down
            </ActionButton>
          )}
          <ActionButton of="remove" className="text-button danger-button">
            Remove the file
          </ActionButton>
        </div>
      </AddressForm>
    </Block>
  );
}

/** Where the address leads once the piece is gone. */
function Lead({ address: { inForce, former, targets, given } }: AddressProps) {
  return (
    <fieldset className="grid gap-[.7rem] [&>legend]:pb-2 [&>legend]:weight-640 [&_.editor-field]:pl-[1.6rem]">
      <legend>Where does {inForce} lead then?</legend>
      <label className="check-line">
        <input type="radio" name="lead" value="page" defaultChecked={!given.isNone} />
        To another page of this site
      </label>
      <EditorField
        id="address-to"
        label="Address of that page"
        help="Pages are suggested by address and title. Browsers and search engines remember where an address leads."
        name="target"
        list="address-targets"
        defaultValue={given.target}
        maxLength={300}
        spellCheck={false}
      />
      <datalist id="address-targets">
        <Options of={targets.map(({ path, title }) => [path, title])} />
      </datalist>
      <label className="check-line">
        <input type="radio" name="lead" value="none" defaultChecked={given.isNone} />
        Nowhere: visitors and search engines get “not found” (404)
        {former.length > 0 && ', at its former addresses too'}
      </label>
    </fieldset>
  );
}
