import {
  type DragEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react';
import {
  buildEmpty,
  buildField,
  type EditField,
  type FieldGroup,
  type FieldNames,
  type FieldPath,
  type FieldSchema,
  findFieldAt,
  findSchema,
  formatAt,
  nameOption,
  parseTyped,
  setAt,
  takeAway,
} from '../core/console/form-fields.ts';
import { listNames } from '../core/pages/claims/placeholders.ts';
import { buildConsolePath } from '../core/paths.ts';
import { changeItems, type FirstField, type FormValue, findFormKind, resolveAt } from './form-kinds.ts';

/** Something that a field can name. */
export interface NamedChoice {
  readonly value: string;
  readonly name: string;
  readonly kind: string;
  readonly picture?: string | undefined;
}

/** What the form of a file is built from. */
export interface FormModel {
  /** The key of its kind. */
  readonly kind: string;
  readonly schema: FieldSchema;
  readonly value: FormValue;
  /** What its fields can name. */
  readonly named: Readonly<Record<string, readonly NamedChoice[]>>;
  /** The figures that texts can name, as visitors see them. */
  readonly figures: readonly { readonly name: string; readonly value: string; readonly checked: string }[];
  /** What is wrong, by the name of the field. */
  readonly problems: readonly WrongField[];
  /** The address of the field that has the focus; empty: none has. */
  readonly at: string;
  /** That of the site: `2026-03-12`. */
  readonly today: string;
  /** Texts that the draft has for the writer to replace. */
  readonly drafted: readonly string[];
  /** What was opened of the form that was there to be read. */
  readonly opened?: ReadonlySet<string>;
}

export interface WrongField {
  readonly field: string;
  readonly reason: string;
}

/** What can be done in a form; null where it is read alone. */
export interface FormActs {
  /** Changes what the form has by now. `focus`: the field that has the focus then; `say`: what is read out. */
  change(edit: (now: FormValue) => FormValue, focus?: FieldPath, say?: string): void;
  /** Reads a sentence out. */
  announce(text: string): void;
  /** Adds a section to a page, before that at a position. */
  addSection(at: number): void;
  choose(label: string, items: readonly NamedChoice[], take: (value: string) => void): void;
  /** Uploads a picture; resolves with its choice, or with why there is none. */
  upload(file: File): Promise<NamedChoice | string>;
  pickFile(take: (file: File) => void, accepted?: string): void;
  /** Shows the part of a picture that is seen, and the point of it that stays in view. */
  crop(picture: string, focus: string, take: (picture: NamedChoice, focus: string) => void): void;
}

interface Context {
  readonly model: FormModel;
  /** What is said of fields that stand open. */
  readonly first: ReadonlyMap<string, FirstField>;
  /** The names of fields that are written somewhere else. */
  readonly elsewhere: ReadonlySet<string>;
  readonly form: FieldGroup;
  readonly acts: FormActs | null;
}

interface Props<Field extends EditField = EditField> {
  readonly field: Field;
  readonly context: Context;
}

/** The id of a field's element. */
export const buildFieldId = (name: string) => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;

/** What is wrong with the field that has `id`. */
export const EditorFieldError = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <p className="text-danger text-small weight-600" id={`${id}-error`}>
    {text}
  </p>
);

/** The form of a file: what matters first, the rest folded. */
export function FileForm({ model, acts }: { readonly model: FormModel; readonly acts: FormActs | null }) {
  const kind = findFormKind(model.kind);
  const form = buildField(model.schema, kind?.prepare?.(model.value) ?? model.value, []);
  if (form.kind !== 'group') return null;
  const first = (kind?.first ?? []).flatMap((one) => {
    // What a picture shows is said of one that is there.
    const [around, name] = one.at.split('.');
    if (name === 'alt' && getMember(getMember(model.value, around ?? ''), 'src') === undefined) return [];
    const field = findFieldAt(form, resolveAt(one, model.value));
    const { label = field.label, help = field.help } = one;
    return formatAt(field.path) === resolveAt(one, model.value)
      ? [{ field: { ...field, label, help }, one }]
      : [];
  });
  const elsewhere = new Set((kind?.elsewhere ?? []).map((key) => JSON.stringify([key])));
  const context = {
    model,
    form,
    acts,
    elsewhere,
    first: new Map(first.map(({ field, one }) => [field.name, one])),
  };
  if (kind === undefined) return <GroupFields field={form} context={context} />;
  const folded = kind.folded.map(({ name, keys }) => ({
    name,
    fields: form.fields.filter(({ path }) => keys.includes(String(path[0]))),
  }));
  const named = folded.flatMap(({ fields }) => fields);
  const rest = form.fields.filter((field) => !named.includes(field) && !isHidden(field, context));
  return (
    <>
      {first.map(({ field, one }) => (
        <div key={field.name}>
          <ListOrField field={field} context={context} />
          {one.isLookedAt === true && acts !== null && (
            <p>
              <button
                type="button"
                className="button button-quiet"
                onClick={() => {
                  const source = field.path.slice(0, -1);
                  change(context, (now) => {
                    const { via: _, ...own } = Object(source.reduce<unknown>(getMember, now));
                    return setAt(now, source, { ...own, checked: model.today, read: 'opened' });
                  });
                }}
              >
                I looked today
              </button>
            </p>
          )}
        </div>
      ))}
      {folded.map(({ name, fields }) => (
        <Folded key={name} name={name} fields={fields} context={context} />
      ))}
      <Folded name={`More: ${nameFields(rest)}`} fields={rest} context={context} isWhole />
    </>
  );
}

const getMember = (value: unknown, key: string | number): unknown => Reflect.get(Object(value), key);

/** Changes what a form has by now, with what the change brings along. */
function change(
  { model, acts }: Context,
  edit: (now: FormValue) => unknown,
  focus?: FieldPath,
  say?: string,
): void {
  const complete = findFormKind(model.kind)?.complete;
  acts?.change(
    (now) => {
      const next: FormValue = Object(edit(now));
      return complete?.(next, model.named) ?? next;
    },
    focus,
    say,
  );
}

/** Writes the text of a field. */
function write(field: EditField, context: Context, text: string): void {
  const value = parseTyped(field, text);
  change(context, (now) =>
    value === undefined ? takeAway(now, field.path, context.form) : setAt(now, field.path, value),
  );
}

/** Whether a field stands elsewhere, or all of those in it. */
function isHidden(field: EditField, context: Context): boolean {
  if (context.first.has(field.name) || context.elsewhere.has(field.name)) return true;
  const inner = field.kind === 'group' && !field.takesKeys ? field.fields : [];
  return inner.length > 0 && inner.every((one) => isHidden(one, context));
}

/** The fields of a mapping: those that the file has, then the others. */
function GroupFields({ field, context }: Props<FieldGroup>) {
  const fields = field.fields.filter((one) => !isHidden(one, context));
  const shown = fields.filter((one) => one.isPresent || one.isRequired || one.isMain);
  const others = fields.filter((one) => !shown.includes(one));
  return (
    <>
      {shown.map((one) =>
        field.takesKeys && one.kind === 'group' ? (
          <Item key={one.name} field={one} context={context} isEntry />
        ) : (
          <ListOrField key={one.name} field={one} context={context} />
        ),
      )}
      <Folded name={`More fields: ${nameFields(others)}`} fields={others} context={context} />
      {field.takesKeys && context.acts !== null && <AddEntry field={field} context={context} />}
    </>
  );
}

const MAX_NAMED = 5;

function nameFields(fields: readonly EditField[]): string {
  const names = fields.map(({ label }) => label.toLowerCase());
  const rest = names.length > MAX_NAMED + 1 ? names.splice(MAX_NAMED).length : 0;
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

/** Fields that are shown when they are asked for. `isWhole`: those that the file lacks are folded once more. */
function Folded(props: {
  readonly name: string;
  readonly fields: readonly EditField[];
  readonly context: Context;
  readonly isWhole?: boolean;
}) {
  const { name, fields, context, isWhole = false } = props;
  if (fields.length === 0) return null;
  return (
    <details
      className="editor-more"
      data-fold={name}
      open={fields.some((one) => isWanted(one, context)) || context.model.opened?.has(name) || undefined}
    >
      <summary>{name}</summary>
      {isWhole ? (
        <GroupFields field={{ ...context.form, fields, takesKeys: false }} context={context} />
      ) : (
        fields.map((one) => <ListOrField key={one.name} field={one} context={context} />)
      )}
    </details>
  );
}

/** A key that can be given to a new entry: a name, or host and path of a link. */
const NEW_KEY = /^[A-Za-z0-9][\w./:-]{0,199}(?<!:)$/;

/** Adds an entry with a name of its own, such as a claim. */
function AddEntry({ field, context }: Props<FieldGroup>) {
  const [[key, problem], setKey] = useState(['', '']);
  const id = `${buildFieldId(field.name)}-key`;
  const text = field.path.length === 0 ? 'Add' : `Add to ${field.label.toLowerCase()}`;
  const add = () => {
    const name = key.trim();
    const isTaken = field.fields.some(({ path }) => path.at(-1) === name);
    if (isTaken || !NEW_KEY.test(name))
      return setKey([
        key,
        isTaken ? 'There is one of this name.' : 'Letters, digits and hyphens, without spaces.',
      ]);
    const path = [...field.path, name];
    const items = findSchema(context.model.schema, context.model.value, field.path)?.schema;
    change(context, (now) => setAt(now, path, buildEmpty(items?.additionalProperties ?? {}) ?? {}), path);
    return setKey(['', '']);
  };
  return (
    <div className="form-row">
      <label htmlFor={id}>Short name of a new one</label>
      <input
        type="text"
        id={id}
        value={key}
        maxLength={60}
        autoComplete="off"
        aria-describedby={problem === '' ? undefined : `${id}-error`}
        aria-invalid={problem === '' ? undefined : true}
        onChange={({ target }) => setKey([target.value, ''])}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <TextButton onClick={add}>{text}</TextButton>
      {problem !== '' && <EditorFieldError id={id} text={problem} />}
    </div>
  );
}

const TextButton = (props: {
  readonly onClick: () => void;
  readonly isDangerous?: boolean;
  readonly id?: string;
  /** What it is done with, for those who hear the button alone. */
  readonly of?: string;
  readonly children: ReactNode;
}) => (
  <button
    type="button"
    id={props.id}
    className={props.isDangerous === true ? 'text-button danger-button' : 'text-button'}
    onClick={props.onClick}
  >
    {props.children}
    {props.of !== undefined && <span className="hidden-text"> {props.of}</span>}
  </button>
);

/** Whether a field has the focus or a problem, or one in it. */
function isWanted({ path, name }: EditField, { model }: Context): boolean {
  const inner = `${name.slice(0, -1)},`;
  const isAt = `${model.at}.`.startsWith(`${formatAt(path)}.`);
  return isAt || model.problems.some(({ field }) => field === name || field.startsWith(inner));
}

/** What fields are drawn from that is neither in them nor around them. */
const listShared = ({ model: { value, problems, at, named } }: Context) => [
  problems,
  at,
  named,
  ...['cta', 'sources', 'facts'].map((key) => value[key]),
];

/** What was not changed is not drawn again. */
const ListOrField = memo(DrawnField, (before, after) => {
  const shared = listShared(after.context);
  return before.field === after.field && listShared(before.context).every((one, at) => one === shared[at]);
});

/** A field, or a list or group with its head; the button that adds it when the file does not have it. */
function DrawnField({ field, context }: Props) {
  const { label, help, isPresent, isRequired, path } = field;
  const { model, acts } = context;
  if (field.kind !== 'group' && field.kind !== 'list') return <Field field={field} context={context} />;
  if (!isPresent && !isRequired) {
    const add = () => {
      const schema = findSchema(model.schema, model.value, path)?.schema ?? {};
      change(context, (now) => setAt(now, path, buildEmpty(schema) ?? {}), path);
    };
    return acts === null || (field.kind === 'list' && field.types.length > 0) ? null : (
      <p className="form-row">
        <TextButton onClick={add}>Add {label.toLowerCase()}</TextButton>
      </p>
    );
  }
  return (
    <fieldset className="editor-group" id={buildFieldId(field.name)} tabIndex={-1}>
      <legend>{label}</legend>
      {help !== '' && <p className="editor-help">{help}</p>}
      <FieldFaults field={field} context={context} />
      {field.kind === 'group' ? (
        <GroupFields field={field} context={context} />
      ) : (
        <ListItems field={field} context={context} />
      )}
      {!isRequired && acts !== null && (
        <p>
          <TextButton
            of={label}
            isDangerous
            onClick={() =>
              change(context, (now) =>
                field.takesNull ? setAt(now, path, null) : takeAway(now, path, context.form),
              )
            }
          >
            Remove
          </TextButton>
        </p>
      )}
    </fieldset>
  );
}

/** What is wrong with a field; undefined when nothing is. */
const findError = ({ field, context }: Props) =>
  context.model.problems
    .filter((one) => one.field === field.name)
    .map(({ reason }) => reason)
    .join('; ') || undefined;

function FieldFaults(props: Props) {
  const error = findError(props);
  return error === undefined ? null : <EditorFieldError id={buildFieldId(props.field.name)} text={error} />;
}

interface Own {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

function Field({ field, context }: Props) {
  const { name, label, help, isPresent, isRequired, path } = field;
  const id = buildFieldId(name);
  if (field.kind === 'group' || field.kind === 'list') return null;
  if (field.kind === 'other')
    return (
      <p className="editor-help" id={id} tabIndex={-1}>
        {label}: it is under Text.
      </p>
    );
  // The type of a section: there is nothing to choose.
  if (field.kind === 'choice' && isPresent && field.options.join() === field.value) return null;
  const { choices } = context.first.get(name) ?? {};
  const isChosen = 'names' in field && (field.names !== null || field.options.length > 0);
  const helps = [
    help,
    field.kind === 'lines' && !isChosen ? 'One on each line.' : '',
    'maxLength' in field && field.maxLength !== null ? `At most ${field.maxLength} characters.` : '',
  ].filter((text) => text !== '');
  const error = findError({ field, context });
  const described = [helps.length > 0 && `${id}-help`, error !== undefined && `${id}-error`];
  const own: Own = {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': error !== undefined || undefined,
  };
  return (
    <div className="editor-field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <small> optional</small>}
      </label>
      {helps.length > 0 && (
        <p className="editor-help" id={`${id}-help`}>
          {helps.join(' ')}
        </p>
      )}
      {error !== undefined && <EditorFieldError id={id} text={error} />}
      {field.kind === 'choice' ? (
        <select {...own} value={field.value} onChange={({ target }) => write(field, context, target.value)}>
          {(!isRequired || !isPresent) && <option value="">–</option>}
          {[...new Set([...(isPresent ? [field.value] : []), ...field.options])].map((option) => (
            <option key={option} value={option}>
              {nameOption(path.at(-1), option)}
            </option>
          ))}
        </select>
      ) : isChosen ? (
        <NamedField field={field} context={context} own={own} />
      ) : choices !== undefined ? (
        <OfferedField field={field} context={context} own={own} choices={choices} />
      ) : (
        <TextField field={field} context={context} own={own} />
      )}
      <FieldFigures text={field.value} figures={context.model.figures} />
    </div>
  );
}

type TextKind = Extract<EditField, { isLong: unknown }>;

interface OwnProps {
  readonly field: TextKind;
  readonly context: Context;
  readonly own: Own;
}

/** The text of a field as it was typed, and how it is changed: `1.` is no number yet, and an empty line no line. */
function useTyped({ field, context }: Props<TextKind>): [text: string, take: (text: string) => void] {
  const [typed, setTyped] = useState(field.value);
  const isSame = String(parseTyped(field, typed) ?? '') === String(parseTyped(field, field.value) ?? '');
  const take = (text: string) => {
    setTyped(text);
    write(field, context, text);
  };
  return [isSame ? typed : field.value, take];
}

function TextField({ field, context, own }: OwnProps) {
  // One that turned into several lines while it is written in would lose the cursor.
  const [isLong] = useState(field.kind === 'lines' || field.isLong);
  const [value, take] = useTyped({ field, context });
  const select = ({ currentTarget }: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (context.model.drafted.includes(currentTarget.value.trim())) currentTarget.select();
  };
  const selected = { onFocus: select, onClick: select };
  return isLong || value.includes('\n') ? (
    <textarea
      {...own}
      {...selected}
      dir="auto"
      rows={Math.min(14, Math.max(2, Math.ceil(value.length / 80) + value.split('\n').length - 1))}
      value={value}
      onChange={({ target }) => take(target.value)}
    />
  ) : (
    <input
      {...own}
      {...selected}
      dir="auto"
      type={field.kind === 'day' ? 'date' : 'text'}
      value={value}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      onChange={({ target }) => take(target.value)}
    />
  );
}

/** What a typeface can be read from. */
const FONTS = '.woff2,.ttf,.otf';

/** A choice of some, or a file of one's own. */
function OfferedField({ choices, ...props }: OwnProps & { readonly choices: readonly NamedChoice[] }) {
  const { field, context, own } = props;
  const isOffered = field.value === '' || choices.some(({ value }) => value === field.value);
  const [isOwn, setOwn] = useState(!isOffered);
  const { acts } = context;
  const chooser = (
    <div className="chooser">
      <select
        {...own}
        value={isOwn || !isOffered ? 'own' : field.value}
        onChange={({ target }) => {
          setOwn(target.value === 'own');
          write(field, context, target.value === 'own' ? '' : target.value);
        }}
      >
        <option value="">As shipped</option>
        {choices.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        <option value="own">A file of your own</option>
      </select>
      {(isOwn || !isOffered) && (
        <input
          type="text"
          aria-label={`${field.label}: your file`}
          aria-describedby={own['aria-describedby']}
          value={field.value}
          placeholder="../fonts/your-font.woff2"
          autoComplete="off"
          onChange={({ target }) => write(field, context, target.value)}
        />
      )}
    </div>
  );
  return acts !== null && (isOwn || !isOffered) ? (
    <FileDrop
      acts={acts}
      label={field.label}
      accepted={FONTS}
      take={(value) => write(field, context, value)}
      crop={null}
    >
      {chooser}
    </FileDrop>
  ) : (
    chooser
  );
}

/** Fields in which something new may be written: what there is, is offered. */
const OPEN_NAMES: readonly FieldNames[] = ['page', 'category'];
const NEW_PIECES: Partial<Readonly<Record<FieldNames, string>>> = {
  partner: 'partner',
  product: 'product',
  author: 'author',
};
/** Fewer are seen at once in the list of the browser. */
const MIN_SEARCHED = 8;

/** A choice of what there is; several of them have a field each, and one that is empty. */
function NamedField({ field, context, own }: OwnProps) {
  const { names, options } = field;
  const isList = field.kind === 'lines';
  const [text, takeText] = useTyped({ field, context });
  const values = field.value.split('\n').filter(Boolean);
  if (names === null)
    return (
      <fieldset aria-label={field.label} {...own}>
        {[...new Set([...values, ...options])].map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={values.includes(option)}
              onChange={({ target }) =>
                write(
                  field,
                  context,
                  [...values, option].filter((one) => one !== option || target.checked).join('\n'),
                )
              }
            />
            {nameOption(field.path.at(-1), option)}
          </label>
        ))}
      </fieldset>
    );
  if (names === 'color') return <ColorField field={field} context={context} own={own} />;
  const choices = listChoicesOf(field, names, context);
  const kind = NEW_PIECES[names];
  const lines = isList ? text.split('\n') : [text];
  if (isList && lines.at(-1) !== '') lines.push('');
  return (
    <>
      {lines.map((value, index) => {
        const take = (next: string) =>
          takeText(lines.map((one, at) => (at === index ? next : one)).join('\n'));
        const attributes = isList
          ? {
              ...own,
              id: index === 0 ? own.id : `${own.id}-${index}`,
              'aria-label': `${field.label} ${index + 1}`,
            }
          : own;
        return (
          <Chooser
            // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its place
            key={index}
            {...{ attributes, choices, value, take, names, context }}
            path={field.path}
            label={field.label}
            mayBeEmpty={isList || !field.isRequired}
          />
        );
      })}
      {kind !== undefined && context.acts !== null && (
        <a
          className="text-button"
          target="_blank"
          href={`${buildConsolePath('content', 'new')}?kind=${kind}`}
          rel="noopener"
        >
          New {kind}
          <span className="hidden-text"> (opens in a new tab)</span>
        </a>
      )}
    </>
  );
}

function Chooser(props: {
  readonly attributes: Own;
  readonly choices: readonly NamedChoice[];
  readonly value: string;
  readonly take: (value: string) => void;
  readonly names: FieldNames;
  readonly context: Context;
  readonly path: FieldPath;
  readonly label: string;
  readonly mayBeEmpty: boolean;
}) {
  const { attributes, choices, value, take, names, context, path, label, mayBeEmpty } = props;
  const { acts } = context;
  const picture = choices.find((one) => one.value === value)?.picture;
  if (OPEN_NAMES.includes(names))
    return (
      <div className="chooser">
        <input
          {...attributes}
          type="text"
          value={value}
          autoComplete="off"
          list={`named-${attributes.id}`}
          onChange={({ target }) => take(target.value)}
        />
        <datalist id={`named-${attributes.id}`}>
          {choices.map((one) => (
            <option key={one.value} value={one.value}>
              {one.name}
            </option>
          ))}
        </datalist>
      </div>
    );
  const point = [...path.slice(0, -1), 'focus'];
  const hasPoint = findFieldAt(context.form, formatAt(point)).name === JSON.stringify(point);
  const crop = () =>
    acts?.crop(value, String(point.reduce<unknown>(getMember, context.model.value) ?? ''), (next, focus) =>
      change(context, (now) => {
        const moved = setAt(now, path, next.value);
        return focus === '' ? moved : setAt(moved, point, focus);
      }),
    );
  const isKnown = value === '' || choices.some((one) => one.value === value);
  const chooser = (
    <div className="chooser">
      {picture !== undefined && <img className="image-thumb" alt="" src={picture} />}
      <select {...attributes} value={value} onChange={({ target }) => take(target.value)}>
        {(mayBeEmpty || value === '') && <option value="">–</option>}
        {!isKnown && <option value={value}>{value} (not found)</option>}
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
      {acts !== null && choices.length >= MIN_SEARCHED && (
        <TextButton of={label} onClick={() => acts.choose(label, choices, take)}>
          Search
        </TextButton>
      )}
    </div>
  );
  const alt = [...path.slice(0, -1), 'alt'];
  // What a new picture shows is written next.
  const takeUploaded = (next: string) => {
    take(next);
    const isDescribed = Boolean(alt.reduce<unknown>(getMember, context.model.value));
    if (!isDescribed) acts?.change((now) => now, alt);
  };
  return names === 'image' && acts !== null ? (
    <FileDrop acts={acts} label={label} take={takeUploaded} crop={hasPoint && value !== '' ? crop : null}>
      {chooser}
    </FileDrop>
  ) : (
    chooser
  );
}

/** A picture or a font is chosen, uploaded, or dropped here. */
function FileDrop(props: {
  readonly acts: FormActs;
  readonly label: string;
  readonly take: (value: string) => void;
  /** The file endings of what is no picture. */
  readonly accepted?: string;
  /** Null: nothing can be cropped. */
  readonly crop: (() => void) | null;
  readonly children: ReactNode;
}) {
  const { acts, label, take, accepted, crop, children } = props;
  const [said, say] = useState('');
  const last = useRef(Promise.resolve());
  // One after the other: what is said and taken is that of the last one.
  const upload = (file: File | undefined) => {
    if (file === undefined) return;
    last.current = last.current.then(async () => {
      say(`Uploading ${file.name} …`);
      const added = await acts.upload(file);
      say(typeof added === 'string' ? added : '');
      if (typeof added !== 'string') take(added.value);
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    upload(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it uploads by key
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
      <p className="form-row">
        <TextButton of={label} onClick={() => acts.pickFile(upload, accepted)}>
          Upload
        </TextButton>
        {crop !== null && (
          <TextButton of={label} onClick={crop}>
            Crop
          </TextButton>
        )}
        <span className="editor-help">or drop a file here</span>
      </p>
      <p className="editor-help" role="status">
        {said}
      </p>
    </div>
  );
}

function ColorField({ field, context, own }: OwnProps) {
  const { shipped = '#808080' } = context.first.get(field.name) ?? {};
  const isColor = /^#[0-9a-f]{6}$/i.test(field.value);
  return (
    <div className="chooser">
      <input
        type="color"
        aria-label={`Pick: ${field.label}`}
        value={isColor ? field.value.toLowerCase() : shipped}
        onChange={({ target }) => write(field, context, target.value)}
      />
      <input
        {...own}
        type="text"
        value={field.value}
        autoComplete="off"
        placeholder={`${shipped}, as shipped`}
        onChange={({ target }) => write(field, context, target.value)}
      />
    </div>
  );
}

/** What a field can name. A destination is one of its partner, an offer one of its product. */
function listChoicesOf(
  field: EditField,
  names: FieldNames,
  { model: { named }, form }: Context,
): readonly NamedChoice[] {
  const around = findFieldAt(form, formatAt(field.path.slice(0, -1)));
  const readBeside = (wanted: FieldNames) => {
    const fields = around.kind === 'group' ? around.fields : [];
    const found = fields.find((one) => 'names' in one && one.names === wanted);
    return found !== undefined && 'value' in found ? found.value : '';
  };
  if (names === 'offer') return named[`offer ${readBeside('product')}`] ?? [];
  if (names === 'destination') {
    // Links without a partner lead to that of the page, and without one to the promoted partner.
    const page = findFieldAt(form, 'cta.partner');
    const partner = readBeside('partner') || ('value' in page && page.value);
    return named[`destination ${partner}`] ?? named['destination'] ?? [];
  }
  const own =
    names === 'source' || names === 'fact'
      ? form.fields.find(({ path }) => path[0] === `${names}s`)
      : undefined;
  if (own?.kind !== 'group') return named[names] ?? [];
  return own.fields.map(({ path, label }) => {
    const title = findFieldAt(form, formatAt([...path, names === 'source' ? 'title' : 'label']));
    return { value: String(path.at(-1)), name: ('value' in title && title.value) || label, kind: '' };
  });
}

/** The figures that a text names, as visitors see them. */
function FieldFigures({ text, figures }: { readonly text: string; readonly figures: FormModel['figures'] }) {
  const names = new Set(figures.length === 0 ? [] : listNames(text));
  const named = figures.filter(({ name }) => names.has(name));
  if (named.length === 0) return null;
  return (
    <ul className="editor-help">
      {named.map(({ name, value, checked }) => (
        <li key={name}>
          <code>{`{${name}}`}</code> is {value}
          {checked !== '' && `, checked ${checked}`}
        </li>
      ))}
    </ul>
  );
}

type FieldList = Extract<EditField, { kind: 'list' }>;

const ITEM_ACTS = [
  ['up', 'Move up'],
  ['down', 'Move down'],
  ['copy', 'Duplicate'],
  ['remove', 'Remove'],
] as const;

function ListItems({ field, context }: Props<FieldList>) {
  const { length } = field.items;
  const { acts, model } = context;
  // What stands at another place is drawn anew: a field of one line may have a text of several now.
  const [version, setVersion] = useState(0);
  const items = [...Object(field.path.reduce<unknown>(getMember, model.value) ?? [])];
  const put = (next: readonly unknown[], focus: number | null, say: string) => {
    setVersion(version + 1);
    const path = focus === null ? field.path : [...field.path, focus];
    change(context, (now) => setAt(now, field.path, next), path, say);
  };
  const add = () => {
    if (field.types.length > 0) return acts?.addSection(length);
    const schema = findSchema(model.schema, model.value, field.path)?.schema.items ?? {};
    return put([...items, buildEmpty(schema) ?? ''], length, 'Added.');
  };
  const act = (kind: string, from: number) => {
    const { items: next, index, said } = changeItems(items, kind, from, { label: field.items[from]?.label });
    if (next === items) acts?.announce(said);
    else put(next, kind === 'remove' ? null : index, said);
  };
  const press = (event: KeyboardEvent, index: number) => {
    const [, kind, way] = /^(Arrow|Page)(Up|Down)$/.exec(event.key) ?? [];
    // The arrows open a choice.
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || way === undefined) return;
    if (acts === null || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    event.stopPropagation();
    const to = index + (way === 'Up' ? -1 : 1);
    if (kind === 'Arrow' || to < 0 || to >= length) act(way.toLowerCase(), index);
    else acts.change((now) => now, [...field.path, to]);
  };
  return (
    <>
      <ol className="editor-list" data-sections={field.types.length > 0 || undefined}>
        {field.items.map((item, index) => (
          <li
            key={`${version} ${item.name}`}
            data-section={field.types.length > 0 ? index : undefined}
            onKeyDown={(event) => press(event, index)}
          >
            <Item field={item} context={context} isOpenFirst={length <= 3 && field.types.length === 0} />
            {acts !== null && (
              <div className="form-row">
                {ITEM_ACTS.filter(
                  ([kind]) => !(kind === 'up' && index === 0) && !(kind === 'down' && index === length - 1),
                ).map(([kind, name]) => (
                  <TextButton
                    key={kind}
                    of={item.label}
                    isDangerous={kind === 'remove'}
                    onClick={() => act(kind, index)}
                  >
                    {name}
                  </TextButton>
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
      {!field.isFull && acts !== null && (
        <div className="form-row">
          <TextButton onClick={add}>
            {field.types.length > 0 ? 'Add a section' : `Add to ${field.label.toLowerCase()}`}
          </TextButton>
        </div>
      )}
    </>
  );
}

/** An item of a list, or an entry of a mapping. Its fields are drawn while it is open: a page has a thousand. */
function Item(
  props: Props & {
    readonly isOpenFirst?: boolean;
    /** It has a name of its own. */
    readonly isEntry?: boolean;
  },
) {
  const { field: item, context, isOpenFirst = false, isEntry = false } = props;
  const [isOpened, setOpened] = useState(isOpenFirst || context.model.opened?.has(item.name) === true);
  const isOpen = isOpened || isWanted(item, context);
  const isGroup = item.kind === 'group' && !isEntry;
  return (
    <details
      className={isEntry ? 'editor-entry' : undefined}
      data-fold={item.name}
      open={isOpen || undefined}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary id={isGroup ? buildFieldId(item.name) : undefined}>{item.label}</summary>
      {(isOpen || context.acts === null) &&
        (isGroup ? (
          <fieldset className="editor-group">
            <legend className="hidden-text">{item.label}</legend>
            <FieldFaults field={item} context={context} />
            <GroupFields field={item} context={context} />
          </fieldset>
        ) : (
          <ListOrField field={item} context={context} />
        ))}
    </details>
  );
}
