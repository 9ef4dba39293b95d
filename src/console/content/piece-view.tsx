import type { PieceState } from '../../content-files/edit/piece.ts';
import { PIECE_KINDS, type PieceKind } from '../../content-files/edit/plan-piece.ts';
import { PAGE_KINDS, type PageKind } from '../../core/pages/drafts.ts';
import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { FactRow } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, Checkbox, EditorField, Options, Submit } from '../frame/forms.tsx';
import { NetworkFacts } from '../import/connections.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { NEW_PIECE, type readNewPiece } from './pieces.ts';

type NewPieceModel = Awaited<ReturnType<typeof readNewPiece>>;

const KINDS: Readonly<
  Record<PieceKind, { readonly name: string; readonly field: string; readonly help: string }>
> = {
  article: { name: 'Article', field: 'Title', help: 'A text, at an address below /blog/.' },
  page: { name: 'Page', field: 'Title', help: 'A page of sections, at an address of its own.' },
  product: {
    name: 'Product',
    field: 'Name of the product',
    help: 'Prices and facts that pages show. Its prices have a source and a day.',
  },
  partner: {
    name: 'Partner',
    field: 'Name of the partner',
    help: 'An affiliate program: who is paid, and where its links lead.',
  },
  author: {
    name: 'Author',
    field: 'Name of the author',
    help: 'Who signs articles, with a page of their own.',
  },
};

const PATTERNS: Readonly<Record<PageKind, string>> = {
  landing: 'Landing page: a hero and text',
  roundup: 'Roundup: a ranked list of products',
  versus: 'Versus: two products side by side',
  review: 'Review: one product',
};

/** The form that creates a piece. */
export function NewPiece({ model }: ViewProps<NewPieceModel>) {
  const { piece, title, readOnly } = model;
  const path = buildConsoleAddress('content', {}, { rest: [NEW_PIECE] });
  const { name, field, help } = KINDS[piece];
  const isDraft = ['article', 'page', 'product'].includes(piece);
  return (
    <>
      <p className="back-link">
        <a href={buildConsoleAddress('content')}>All content</a>
      </p>
      <h1 className="view-title">New {name.toLowerCase()}</h1>
      <nav className="segments" aria-label="Kind of the new piece">
        {PIECE_KINDS.map((kind) => (
          <a
            key={kind}
            className="segment"
            href={buildConsoleAddress('content', {}, { rest: [NEW_PIECE], extra: { kind } })}
            aria-current={kind === piece ? 'page' : undefined}
          >
            {KINDS[kind].name}
          </a>
        ))}
      </nav>
      {readOnly === null && piece === 'partner' && <NetworkChoice model={model} />}
      {readOnly !== null ? (
        <p>{readOnly}</p>
      ) : piece === 'partner' && model.network === '' ? null : (
        <ActionForm
          of="create"
          fields={{ kind: piece, ...(piece === 'partner' && { network: model.network }) }}
          className="editor new-piece"
          encType="multipart/form-data"
          action={path}
        >
          {piece !== 'partner' && <p>{help}</p>}
          {piece === 'partner' && <NetworkFields model={model} />}
          <EditorField
            id="new-title"
            label={field}
            help={piece === 'product' ? undefined : 'Its address is built from it.'}
            name="title"
            defaultValue={title}
            required
            maxLength={70}
            autoFocus
          />
          <KindFields model={model} />
          <div className="editor-bar">
            <Submit>Create the {isDraft ? 'draft' : name.toLowerCase()}</Submit>
            <p>{isDraft ? 'Visitors see it when you publish it.' : 'Visitors can see it at once.'}</p>
          </div>
        </ActionForm>
      )}
    </>
  );
}

/** A partner begins with its network, which says how a commission finds its click. */
function NetworkChoice({ model: { networks, network } }: { readonly model: NewPieceModel }) {
  return (
    <form method="get" className="editor new-piece">
      <input type="hidden" name="kind" value="partner" />
      <EditorField
        id="new-network"
        label="Network"
        help="Fills in what is known of it: how its links carry your click id, how it reports commissions, and when it pays."
      >
        {(own) => (
          <div className="chooser" data-chooser="Network">
            <select {...own} name="network" defaultValue={network} required>
              <option value="">Choose one</option>
              <Options
                of={networks.flatMap(({ value, name }) => (value === 'generic' ? [] : [[value, name]]))}
              />
              <option value="generic">Another network, or a program of its own</option>
            </select>
          </div>
        )}
      </EditorField>
      <p>
        <Submit className={network === '' ? 'button' : 'button button-quiet'}>
          {network === '' ? 'Continue' : 'Take this network'}
        </Submit>
      </p>
    </form>
  );
}

/** What the chosen network brings, and the parameter that is asked for where it is not known. */
function NetworkFields({ model: { known, parameter } }: { readonly model: NewPieceModel }) {
  return (
    <>
      {known !== null && (
        <dl className="facts">
          <NetworkFacts file={known} />
          <FactRow name="Your id">
            It stands in the link that the program gave you: paste that link below, and it is read from it.
          </FactRow>
        </dl>
      )}
      {known?.link?.parameter === undefined && (
        <EditorField
          id="new-parameter"
          label="Parameter for an id of your own"
          help="Also called sub-id, click reference or tracking id. Reports give it back; without it, commissions find no clicks."
          name="parameter"
          defaultValue={parameter}
          maxLength={40}
          spellCheck={false}
        />
      )}
    </>
  );
}

/** The fields that one kind of piece has. */
function KindFields({ model: { piece, pattern, link, shop, role } }: { readonly model: NewPieceModel }) {
  if (piece === 'page')
    return (
      <EditorField id="new-pattern" label="Pattern">
        {(own) => (
          <select {...own} name="pattern" defaultValue={pattern}>
            <Options of={PAGE_KINDS.map((kind) => [kind, PATTERNS[kind]])} />
          </select>
        )}
      </EditorField>
    );
  if (piece === 'partner')
    return (
      <>
        <EditorField
          id="new-link"
          label="The link that the program gave you, with your code"
          help="Such as https://www.example.com/pricing?ref=your-code. Check in the form that opens whether your code was found."
          name="link"
          inputMode="url"
          defaultValue={link}
          required
          maxLength={500}
        />
        <EditorField
          id="new-shop"
          label="The merchant’s own site"
          isOptional
          help="If the link leads through a network. Addresses of this site that you paste into a text become links of the partner."
          name="shop"
          inputMode="url"
          defaultValue={shop}
          maxLength={500}
        />
      </>
    );
  if (piece !== 'author') return null;
  return (
    <>
      <EditorField id="new-role" label="Role" name="role" defaultValue={role} required maxLength={120} />
      <EditorField id="new-bio" label="Who the author is, in Markdown">
        {(own) => <textarea {...own} name="bio" rows={5} required maxLength={5_000} />}
      </EditorField>
    </>
  );
}

/**
 * What visitors see of a piece, and the buttons that change it. The buttons belong to the form of the file, so that they
 * save what is in it.
 */
export function PieceStatePanel({
  piece,
  address,
  hasName,
}: {
  readonly piece: PieceState;
  /** Whether there can be others of its kind. */
  readonly hasName: boolean;
  /** Where its address is changed, and where it is asked what a piece that is taken down leads to; null without one. */
  readonly address: string | null;
}) {
  const { state, time, hasTime } = piece;
  return (
    <fieldset className="piece-state">
      <legend>
        {state === 'draft' ? 'Draft' : state === 'scheduled' ? 'Scheduled' : 'Published'}
        {state === 'scheduled' && time !== null && (
          <>
            {' for '}
            <TimeText time={time} />
          </>
        )}
      </legend>
      <div className="form-row">
        {state !== 'published' && (
          <ActionButton of="publish" form="editor" className="button">
            {hasTime ? 'Save and publish now' : 'Save and publish'}
          </ActionButton>
        )}
        {state !== 'draft' && (address === null || state === 'scheduled') && (
          <ActionButton of="take-down" form="editor" className="button button-quiet">
            Take down
          </ActionButton>
        )}
        {hasName && (
          <ActionButton of="duplicate" form="editor" className="button button-quiet">
            Duplicate
          </ActionButton>
        )}
        {address !== null && (
          <a href={address}>{state === 'published' ? 'Rename, take down or remove' : 'Rename or remove'}</a>
        )}
      </div>
      <KeepDate piece={piece} form="editor" />
      {hasTime && state !== 'published' && <PublicationTime piece={piece} />}
    </fieldset>
  );
}

/** The time at which a piece is to appear. */
export const PublicationTime = ({ piece }: { readonly piece: PieceState }) => (
  <div className="form-row">
    <label htmlFor="publish-at">Time of publication ({piece.timeZone})</label>
    <input
      type="datetime-local"
      id="publish-at"
      name="publish-at"
      form="editor"
      defaultValue={piece.proposed}
    />
    <ActionButton of="schedule" form="editor" className="button button-quiet">
      Save and schedule
    </ActionButton>
  </div>
);

/** Publishes a draft under the date that it has already. `form`: the id of the form that it stands outside of. */
export function KeepDate({ piece, form }: { readonly piece: PieceState; readonly form?: string }) {
  const { state, hasTime, time } = piece;
  if (state !== 'draft' || !hasTime || time === null) return null;
  return (
    <Checkbox
      className="check-line"
      form={form}
      name="keep-date"
      value="yes"
      label={
        <>
          {' '}
          Keep its date, <TimeText time={time} />
        </>
      }
    />
  );
}
