import type { ReactNode } from 'react';
import { FALLBACK_CARD_IMAGE } from '../../core/pages/images/content-image.ts';
import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, showColumns, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, EditorField, Options, Submit } from '../frame/forms.tsx';
import { ListTable, Statement } from '../frame/list.tsx';
import { formatCount, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { buildFileAddress, buildImagesAddress } from './file-address.ts';
import { IMAGE_COLUMNS, type ImageRow, type readImages } from './images.ts';

type ImagesModel = NonNullable<Awaited<ReturnType<typeof readImages>>>;
type ImagesProps = ViewProps<ImagesModel>;

const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/svg+xml';

/** The images of the site, or one of them. */
export function ImagesView({ model }: ImagesProps) {
  return model.image === null ? <ImageList model={model} /> : <OneImage model={model} image={model.image} />;
}

function ImageList({ model }: { readonly model: ImagesModel }) {
  const { list, total, unused, readOnly, titles } = model;
  return (
    <>
      <Statement lead={readOnly}>
        {total === 0
          ? 'No image yet.'
          : `${formatCount(total, 'image')}, ${formatNumber(unused)} ${unused === 1 ? 'is' : 'are'} not used.`}
      </Statement>
      {readOnly === null && <AddImage model={model} />}
      <ListTable
        title="Images"
        id="all-images"
        name="images"
        list={list}
        columns={showColumns(IMAGE_COLUMNS, {
          picture: (row) => <NameCell row={row} />,
          shows: ({ description, problem }) => (
            <>
              {problem !== '' && <strong className="text-danger">{problem} </strong>}
              {description === '' ? (
                <span className="text-danger">No description</span>
              ) : (
                shorten(description)
              )}
            </>
          ),
          size: ({ shown }) =>
            shown === null ? NO_FIGURE : `${formatNumber(shown.width)}×${formatNumber(shown.height)}`,
          used: (row) => <Uses row={row} titles={titles} />,
        })}
        getKey={({ path }) => path}
        empty={total === 0 ? 'There is no image yet.' : 'No image has these words and this state.'}
      />
    </>
  );
}

/** Of a description in the list; the page of an image has all of it. */
const MAX_SHOWN_CHARACTERS = 40;
const shorten = (text: string) =>
  text.length <= MAX_SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARACTERS).replace(/\s+\S*$/, '')} …`;

const listFiles = (uses: ImageRow['uses']) => [...new Set(uses.map(({ file }) => file))];

type Titles = ImagesModel['titles'];

/** An image is called as the piece that shows it. */
const nameImage = ({ path, uses: [first] }: ImageRow, titles: Titles) =>
  titles.get(first?.file ?? '') ?? path;

function NameCell({ row: { path, shown } }: { readonly row: ImageRow }) {
  return (
    <span className="flex gap-[.7rem] items-center wrap-anywhere">
      {shown === null ? (
        <span className="image-thumb" />
      ) : (
        <img className="image-thumb" src={shown.src} alt="" width={48} height={36} loading="lazy" />
      )}
      <a href={buildImagesAddress(path)} title={path}>
        {path.replace(/^.*\//, '')}
      </a>
    </span>
  );
}

function Uses({ row: { path, uses }, titles }: { readonly row: ImageRow; readonly titles: Titles }) {
  const [first, ...more] = listFiles(uses);
  if (first === undefined) return <span className="text-muted">Not used</span>;
  return more.length === 0 ? (
    <a href={buildFileAddress(first)}>{titles.get(first) ?? first}</a>
  ) : (
    <a href={`${buildImagesAddress(path)}#uses`}>{formatCount(more.length + 1, 'piece')}</a>
  );
}

function describeSize({ bytes, shown }: ImageRow): string {
  const size = shown === null ? '' : `${formatNumber(shown.width)} × ${formatNumber(shown.height)}`;
  return [size, bytes === null ? '' : describeBytes(bytes)].filter(Boolean).join(', ') || NO_FIGURE;
}

const describeBytes = (bytes: number) =>
  bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1_000))}\u00a0kB`
    : `${(bytes / 1_000_000).toFixed(1)}\u00a0MB`;

function AddImage({ model: { folders, given } }: { readonly model: ImagesModel }) {
  return (
    <details open={given.alt !== '' || given.name !== ''}>
      <summary className="button button-quiet">Add an image</summary>
      <p className="form-note" id="add">
        JPEG, PNG, WebP, AVIF, GIF or SVG, at most 20 MB. What a camera notes, such as the place, is removed.
      </p>
      <ImageForm of="add-image" text="Add the image">
        <FileField />
        <DescriptionField description={given.alt} />
        {folders.length > 1 && (
          <EditorField id="image-folder" label="Folder">
            {(own) => (
              <select {...own} name="folder">
                <Options of={folders.map((one) => [one, one === '' ? 'images' : `images/${one}`])} />
              </select>
            )}
          </EditorField>
        )}
        <EditorField
          id="image-name"
          label="Name"
          isOptional
          help="Without one, the name of the file. Another image of the same name is never replaced."
          name="name"
          defaultValue={given.name}
          maxLength={100}
        />
      </ImageForm>
    </details>
  );
}

/** A form with one button, which says what is done with an image. */
function ImageForm(props: {
  /** The image; left out for a new one. */
  readonly image?: ImageRow;
  readonly of: 'add-image' | 'replace-image' | 'remove-image' | 'describe-image';
  readonly text: string;
  readonly isDangerous?: boolean;
  readonly children?: ReactNode;
}) {
  const { image, of, text, isDangerous = false, children } = props;
  return (
    <ActionForm
      of={of}
      fields={image === undefined ? {} : { version: image.version }}
      encType="multipart/form-data"
      className="editor max-w-176"
      action={buildImagesAddress(image?.path)}
    >
      {children}
      <div className="form-row">
        <Submit className={isDangerous ? 'text-button danger-button' : 'button'}>{text}</Submit>
      </div>
    </ActionForm>
  );
}

const FileField = () => (
  <EditorField
    id="image-file"
    label="File"
    type="file"
    name="file"
    accept={TYPES}
    required
    autoComplete={undefined}
  />
);

const DescriptionField = ({ description }: { readonly description: string }) => (
  <EditorField
    id="image-alt"
    label="What it shows"
    help="For readers who cannot see it, in one sentence. Each place that shows the image can say it in its own words."
    name="alt"
    defaultValue={description}
    maxLength={400}
    required
  />
);

function OneImage({ model, image }: ImagesProps & { readonly image: ImageRow }) {
  const { readOnly } = model;
  const { shown, description, problem } = image;
  return (
    <>
      <p className="back-link">
        <a href={buildImagesAddress()}>All images</a>
      </p>
      <h1 className="view-title">{nameImage(image, model.titles)}</h1>
      {problem !== '' && <p className="text-danger">{problem}</p>}
      {readOnly !== null && <p className="editor-links">{readOnly}</p>}
      {shown !== null && (
        <img
          className="block max-w-full w-auto h-auto max-h-88 mt-[.7rem] hairline [background:#fff]"
          src={shown.src}
          alt={description}
          width={shown.width}
          height={shown.height}
        />
      )}
      <ImageFacts image={image} />
      <ImageUses image={image} isOpen={readOnly === null} titles={model.titles} />
      {readOnly === null && (
        <>
          <Block title="Description">
            <ImageForm image={image} of="describe-image" text="Save the description">
              <DescriptionField description={description} />
            </ImageForm>
          </Block>
          <Block
            title="Replace"
            note="The other file gets the name and the format of this one, and every place that uses it shows it."
          >
            <ImageForm image={image} of="replace-image" text="Replace the image">
              <FileField />
            </ImageForm>
          </Block>
          <RemoveImage image={image} />
        </>
      )}
    </>
  );
}

function ImageFacts({ image }: { readonly image: ImageRow }) {
  const { path, description } = image;
  return (
    <dl className="image-facts">
      <dt>Name</dt>
      <dd>{path}</dd>
      <dt>Size</dt>
      <dd>{describeSize(image)}</dd>
      {image.changedAt !== null && (
        <>
          <dt>Last change</dt>
          <dd>
            <TimeText time={image.changedAt} />
          </dd>
        </>
      )}
      <dt>In a field of a form</dt>
      <dd>
        <code>../images/{path}</code>
      </dd>
      <dt>In the text of an article</dt>
      <dd>
        <code>
          ![{(description || 'What it shows').replace(/[[\]\\]/g, '\\$&')}](../images/{encodeURI(path)})
        </code>
      </dd>
    </dl>
  );
}

function ImageUses(props: { readonly image: ImageRow; readonly isOpen: boolean; readonly titles: Titles }) {
  const { image, isOpen, titles } = props;
  const { path, uses } = image;
  return (
    <TableBlock
      title="Used by"
      id="uses"
      columns={[
        {
          name: 'Piece',
          render: ({ file }) => <UsedFile file={file} title={titles.get(file)} isOpen={isOpen} />,
        },
        {
          name: 'What it says there',
          render: ({ alt }) =>
            alt === null ? NO_FIGURE : alt === '' ? <span className="text-danger">No description</span> : alt,
        },
      ]}
      rows={uses.map((use, index) => ({ ...use, index }))}
      getKey={({ index }) => String(index)}
      empty={describeUnused(path)}
    />
  );
}

const describeUnused = (path: string) =>
  path === FALLBACK_CARD_IMAGE
    ? 'No file names this image; it is shown when a page without an image is shared.'
    : 'Nothing uses this image.';

function UsedFile(props: {
  readonly file: string;
  readonly title: string | undefined;
  readonly isOpen: boolean;
}) {
  const { file, title, isOpen } = props;
  const text = title ?? <code>content/{file}</code>;
  return isOpen && /\.(?:yaml|md)$/.test(file) ? <a href={buildFileAddress(file)}>{text}</a> : text;
}

function RemoveImage({ image }: { readonly image: ImageRow }) {
  const files = listFiles(image.uses);
  if (files.length > 0) {
    const count = files.length === 1 ? '1 file uses it' : `${formatNumber(files.length)} files use it`;
    return (
      <Block title="Remove">
        <p className="editor-links">{count}, so it cannot be removed. Show another image there first.</p>
      </Block>
    );
  }
  return (
    <Block title="Remove" note={`${describeUnused(image.path)} A removed file cannot be put back.`}>
      <ImageForm image={image} of="remove-image" text="Remove the image" isDangerous />
    </Block>
  );
}
