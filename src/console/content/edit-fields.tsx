import type { ReactNode } from 'react';
import {
  type AskedOperation,
  buildChoiceName,
  type EditField,
  type FieldGroup,
  type FieldNames,
  findFieldAt,
  formatAt,
  nameKey,
  nameOption,
} from '../../content-files/edit/plan-form.ts';
import type { YamlPath } from '../../content-files/edit-yaml.ts';
import { listNames } from '../../core/pages/claims/placeholders.ts';
import { ActionButton, Checkbox, EditorField, EditorFieldError, Options } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import type { NamedFigure } from './edit-notes.ts';
import { buildImagesAddress } from './file-address.ts';
import type { Choice } from './list-choices.ts';
import type { readContentFile } from './read-file.ts';

type FileModel = NonNullable<Awaited<ReturnType<typeof readContentFile>>>;

/** HTML drops the line break with which a text area begins. */
export const protectFirstBreak = (text: string) => (text.startsWith('\n') ? `\n${text}` : text);

/** The id of a field's element. */
export const buildFieldId = (name: string) => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;

/** What the fields of a form have in common. */
export interface FieldContext {
  /** The address of the field that has the focus; empty: none has. */
  readonly at: string;
  readonly moved: NonNullable<FileModel['form']>['moved'];
  /** What is wrong, by the name of the field. */
  readonly faults: ReadonlyMap<string, FileModel['problems']>;
  readonly figures: ReadonlyMap<string, NamedFigure>;
  readonly named: FileModel['named'];
  /** All fields of the file, also those that are not shown. */
  readonly form: FieldGroup;
}

interface FieldProps<Field extends EditField = EditField> {
  readonly field: Field;
  readonly context: FieldContext;
}

/** The fields of a mapping: those that the file has, then the others. */
export function GroupFields({
  field,
  context,
  children,
}: FieldProps<FieldGroup> & { readonly children?: ReactNode }) {
  const shown = field.fields.filter((one) => one.isPresent || one.isRequired || one.isMain);
  const others = field.fields.filter((one) => !shown.includes(one));
  return (
    <>
      {shown.map((one) =>
        field.takesKeys && one.kind === 'group' ? (
          <details key={one.name} className="editor-entry" open={isWanted(one, context) || undefined}>
            <summary>{one.label}</summary>
            <ListOrField field={one} context={context} />
          </details>
        ) : (
          <ListOrField key={one.name} field={one} context={context} />
        ),
      )}
      {children}
      <FieldsInside name={`More fields: ${nameFields(others)}`} fields={others} context={context} />
      {field.takesKeys && <AddEntry field={field} />}
    </>
  );
}

const MAX_NAMED = 5;

function nameFields(fields: readonly EditField[]): string {
  const names = fields.map(({ label }) => label.toLowerCase());
  const rest = names.length > MAX_NAMED + 1 ? names.splice(MAX_NAMED).length : 0;
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

/** Fields that are shown when they are asked for. */
export function FieldsInside(props: {
  readonly name: string;
  readonly fields: readonly EditField[];
  readonly context: FieldContext;
}) {
  const { name, fields, context } = props;
  if (fields.length === 0) return null;
  return (
    <details className="editor-more" open={fields.some((one) => isWanted(one, context)) || undefined}>
      <summary>{name}</summary>
      {fields.map((one) => (
        <ListOrField key={one.name} field={one} context={context} />
      ))}
    </details>
  );
}

/** Adds an entry with a name of its own, such as a claim. */
function AddEntry({ field }: { readonly field: FieldGroup }) {
  const id = `${buildFieldId(field.name)}-key`;
  const text = field.path.length === 0 ? 'Add' : `Add to ${field.label.toLowerCase()}`;
  return (
    <div className="form-row">
      <label htmlFor={id}>Short name of a new one</label>
      <input type="text" id={id} name={`key ${field.name}`} maxLength={60} autoComplete="off" />
      <OperationButton operation={{ kind: 'add', item: formatAt(field.path) }} text={text} name="" />
    </div>
  );
}

/** Whether a field has the focus or a problem, or one in it. */
function isWanted({ path }: EditField, { at, faults }: FieldContext): boolean {
  const own = `${formatAt(path)}.`;
  return [at, ...[...faults.values()].flatMap((found) => found.map((fault) => fault.at))].some((one) =>
    `${one}.`.startsWith(own),
  );
}

/** A field, or a list or group with its head; the button that adds it when the file does not have it. */
export function ListOrField({ field, context }: FieldProps) {
  const { label, help, isPresent, isRequired, path } = field;
  if (field.kind !== 'group' && field.kind !== 'list') return <Field field={field} context={context} />;
  if (!isPresent) return <AddButton field={field} text={`Add ${label.toLowerCase()}`} />;
  return (
    <fieldset
      className="editor-group"
      id={buildFieldId(field.name)}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the address names the field
      autoFocus={formatAt(path) === context.at || undefined}
    >
      <legend>{label}</legend>
      {help !== '' && <p className="editor-help">{help}</p>}
      <FieldFaults field={field} context={context} />
      {field.kind === 'group' ? (
        <GroupFields field={field} context={context} />
      ) : (
        <ListItems field={field} context={context} />
      )}
      {!isRequired && (
        <p>
          <OperationButton
            operation={{ kind: 'remove', item: formatAt(path) }}
            text="Remove"
            name={label}
            isDangerous
          />
        </p>
      )}
    </fieldset>
  );
}

/** What is wrong with a field; undefined when nothing is. */
const findError = ({ field, context }: FieldProps) =>
  context.faults
    .get(field.name)
    ?.map(({ reason }) => reason)
    .join('; ');

function FieldFaults(props: FieldProps) {
  const error = findError(props);
  return error === undefined ? null : <EditorFieldError id={buildFieldId(props.field.name)} text={error} />;
}

function Field({ field, context }: FieldProps) {
  const { name, label, help, isPresent, isRequired, path } = field;
  const id = buildFieldId(name);
  if (field.kind === 'group' || field.kind === 'list') return null;
  if (field.kind === 'other') {
    return (
      <p className="editor-help" id={id} tabIndex={-1}>
        {label}: it is under Text.
      </p>
    );
  }
  // The type of a section: there is nothing to choose.
  if (field.kind === 'choice' && isPresent && field.options.join() === field.value) return null;
  const isChosen = 'names' in field && (field.names !== null || field.options.length > 0);
  const helps = [
    help,
    field.kind === 'lines' && !isChosen ? 'One on each line.' : '',
    'maxLength' in field && field.maxLength !== null
      ? `At most ${formatNumber(field.maxLength)} characters.`
      : '',
  ].filter((text) => text !== '');
  const common = { name, autoFocus: formatAt(path) === context.at || undefined };
  return (
    <EditorField
      id={id}
      label={label}
      isOptional={!isRequired}
      help={helps.join(' ') || undefined}
      error={findError({ field, context })}
    >
      {(own) => (
        <>
          {field.kind === 'choice' ? (
            <select {...own} {...common} defaultValue={field.value}>
              {!isRequired && <option value="">–</option>}
              {[...new Set([...(isPresent ? [field.value] : []), ...field.options])].map((option) => (
                <option key={option} value={option}>
                  {nameOption(path.at(-1), option)}
                </option>
              ))}
            </select>
          ) : isChosen ? (
            <NamedField field={field} context={context} own={own} common={common} />
          ) : field.kind === 'lines' || field.isLong ? (
            <textarea
              {...own}
              {...common}
              rows={Math.min(
                14,
                Math.max(2, Math.ceil(field.value.length / 80) + field.value.split('\n').length - 1),
              )}
              defaultValue={protectFirstBreak(field.value)}
            />
          ) : (
            <input
              {...own}
              {...common}
              type={field.kind === 'day' ? 'date' : 'text'}
              defaultValue={field.value}
              inputMode={field.kind === 'number' ? 'decimal' : undefined}
              autoComplete="off"
            />
          )}
          <FieldFigures text={field.value} figures={context.figures} />
        </>
      )}
    </EditorField>
  );
}

/** Fields in which something new may be written: what there is, is offered. */
const OPEN_NAMES: readonly FieldNames[] = ['page', 'category', 'color'];
const NEW_PIECES: Partial<Readonly<Record<FieldNames, string>>> = {
  partner: 'partner',
  product: 'product',
  author: 'author',
  image: 'image',
};

/** A choice of what there is; several of them have a field each, and one that is empty. */
function NamedField(props: {
  readonly field: Extract<EditField, { names: unknown }>;
  readonly context: FieldContext;
  readonly own: { readonly id: string; readonly 'aria-describedby': string | undefined };
  readonly common: { readonly name: string; readonly autoFocus: true | undefined };
}) {
  const { field, context, own, common } = props;
  const { names, options } = field;
  const isList = field.kind === 'lines';
  const values = isList ? [...field.value.split('\n').filter(Boolean), ''] : [field.value];
  if (names === null) {
    const ordered = [...new Set([...values.filter(Boolean), ...options])];
    return (
      <fieldset aria-label={field.label} {...own}>
        <input type="hidden" name={buildChoiceName(field.name, 0)} value="" />
        {ordered.map((option, index) => (
          <Checkbox
            key={option}
            name={buildChoiceName(field.name, index + 1)}
            value={option}
            defaultChecked={values.includes(option)}
            label={nameOption(field.path.at(-1), option)}
          />
        ))}
      </fieldset>
    );
  }
  const choices = listChoicesOf(field, names, context);
  return (
    <>
      {values.map((value, index) => {
        const attributes = isList
          ? {
              name: buildChoiceName(field.name, index),
              'aria-label': `${field.label} ${index + 1}`,
              ...(index === 0 ? own : { 'aria-describedby': own['aria-describedby'] }),
            }
          : { ...own, ...common };
        return (
          <div className="chooser" key={attributes.name} data-chooser={field.label}>
            {OPEN_NAMES.includes(names) ? (
              <input
                {...attributes}
                type="text"
                defaultValue={value}
                autoComplete="off"
                data-color={names === 'color' || undefined}
                list={names === 'color' ? undefined : `named-${names}`}
              />
            ) : (
              <NamedSelect
                {...attributes}
                choices={choices}
                value={value}
                mayBeEmpty={isList || !field.isRequired}
              />
            )}
          </div>
        );
      })}
      {NEW_PIECES[names] !== undefined && (
        <a
          className="text-button"
          target="_blank"
          href={
            names === 'image'
              ? buildImagesAddress()
              : buildConsoleAddress('content', {}, { rest: ['new'], extra: { kind: names } })
          }
          rel="noopener"
        >
          New {NEW_PIECES[names]}
          <span className="hidden-text"> (opens in a new tab)</span>
        </a>
      )}
    </>
  );
}

/** What a field can name. A destination is one of its partner, an offer one of its product. */
function listChoicesOf(
  field: EditField,
  names: FieldNames,
  { named, form }: FieldContext,
): readonly Choice[] {
  const around = findFieldAt(form, formatAt(field.path.slice(0, -1)));
  const readBeside = (wanted: FieldNames) => {
    const fields = around.kind === 'group' ? around.fields : [];
    const found = fields.find((one) => 'names' in one && one.names === wanted);
    return found !== undefined && 'value' in found ? found.value : '';
  };
  if (names === 'offer') return named?.get(`offer ${readBeside('product')}`) ?? [];
  if (names === 'destination') {
    // Links without a partner lead to that of the page, and without one to the promoted partner.
    const page = findFieldAt(form, 'cta.partner');
    const partner = readBeside('partner') || ('value' in page && page.value);
    return named?.get(`destination ${partner}`) ?? named?.get('destination') ?? [];
  }
  const own =
    names === 'source' || names === 'fact'
      ? form.fields.find(({ path }) => path[0] === `${names}s`)
      : undefined;
  if (own?.kind !== 'group') return named?.get(names) ?? [];
  return own.fields.map(({ path, label }) => {
    const title = findFieldAt(form, formatAt([...path, names === 'source' ? 'title' : 'label']));
    return { value: String(path.at(-1)), name: ('value' in title && title.value) || label, kind: '' };
  });
}

function NamedSelect(props: {
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly mayBeEmpty: boolean;
  readonly name: string;
}) {
  const { choices, value, mayBeEmpty, ...attributes } = props;
  const isKnown = value === '' || choices.some((one) => one.value === value);
  return (
    <select {...attributes} defaultValue={value}>
      {(mayBeEmpty || value === '') && <option value="">–</option>}
      {!isKnown && <option value={value}>{value} (not found)</option>}
      {choices.map((one) => (
        <option
          key={one.value}
          value={one.value}
          data-picture={one.picture}
          data-kind={one.kind || undefined}
        >
          {one.name}
        </option>
      ))}
    </select>
  );
}

/** What open fields offer, once for all of them: a browser reads a list of a thousand pages before the first key. */
export const NamedLists = (props: { readonly named: FieldContext['named']; readonly field: EditField }) =>
  OPEN_NAMES.filter((names) => hasNames(props.field, names)).map((names) => (
    <datalist key={names} id={`named-${names}`}>
      <Options of={(props.named?.get(names) ?? []).map(({ value, name }) => [value, name])} />
    </datalist>
  ));

/** Whether a field, or one in it, has such names. */
function hasNames(field: EditField, names: FieldNames): boolean {
  const inside = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  return ('names' in field && field.names === names) || inside.some((one) => hasNames(one, names));
}

/** The figures that a text names, as visitors see them. */
function FieldFigures({
  text,
  figures,
}: {
  readonly text: string;
  readonly figures: FieldContext['figures'];
}) {
  const named = [...new Set(listNames(text))].flatMap((name) => figures.get(name) ?? []);
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

function ListItems({ field, context }: FieldProps<Extract<EditField, { kind: 'list' }>>) {
  const { length } = field.items;
  return (
    <>
      <ol className="editor-list">
        {field.items.map((item, index) => {
          const isFocused = formatAt(item.path) === context.at;
          return (
            <li
              key={item.name}
              id={buildFieldId(item.name)}
              tabIndex={-1}
              // biome-ignore lint/a11y/noAutofocus: the item that was added or copied, or that the address names
              autoFocus={(isFocused && context.moved === null) || undefined}
            >
              <details open={length <= 3 || isWanted(item, context) || undefined}>
                <summary>{item.label}</summary>
                <FieldFaults field={item} context={context} />
                {item.kind === 'group' ? (
                  <GroupFields field={item} context={context} />
                ) : (
                  <ListOrField field={item} context={context} />
                )}
              </details>
              <ItemButtons
                path={item.path}
                label={item.label}
                index={index}
                length={length}
                moved={isFocused ? context.moved : null}
              />
            </li>
          );
        })}
      </ol>
      <AddButton field={field} text={`Add to ${field.label.toLowerCase()}`} />
    </>
  );
}

/** What can be done with an item of a list. The button that has moved it has the focus, so that it moves on. */
export function ItemButtons(props: {
  readonly path: YamlPath;
  readonly label: string;
  readonly index: number;
  readonly length: number;
  readonly moved: NonNullable<FileModel['form']>['moved'];
}) {
  const { path, label, index, length, moved } = props;
  const [isFirst, isLast] = [index === 0, index === length - 1];
  return (
    <div className="form-row">
      {!isFirst && (
        <OperationButton
          operation={{ kind: 'move', item: formatAt(path), to: index - 1 }}
          text="Move up"
          name={label}
          isFocused={moved === 'up' || (moved === 'down' && isLast)}
        />
      )}
      {!isLast && (
        <OperationButton
          operation={{ kind: 'move', item: formatAt(path), to: index + 1 }}
          text="Move down"
          name={label}
          isFocused={moved === 'down' || (moved === 'up' && isFirst)}
        />
      )}
      <OperationButton operation={{ kind: 'copy', item: formatAt(path) }} text="Duplicate" name={label} />
      <OperationButton
        operation={{ kind: 'remove', item: formatAt(path) }}
        text="Remove"
        name={label}
        isDangerous
      />
    </div>
  );
}

/** The button that adds a field or an item. `at`: the position of the item; left out: the last one. */
export function AddButton({
  field,
  text,
  at,
}: {
  readonly field: EditField;
  readonly text: string;
  readonly at?: number;
}) {
  const types = field.kind === 'list' ? field.types : [];
  const id = `${buildFieldId(field.name)}-type`;
  return (
    <div className="form-row">
      {types.length > 0 && (
        <>
          <label htmlFor={id}>Type</label>
          <select id={id} name={`type ${field.name}`}>
            {types.map((type) => (
              <option key={type} value={type}>
                {nameKey(type)}
              </option>
            ))}
          </select>
        </>
      )}
      <OperationButton operation={{ kind: 'add', item: formatAt(field.path), to: at }} text={text} name="" />
    </div>
  );
}

function OperationButton(props: {
  readonly operation: AskedOperation;
  readonly text: string;
  /** What it is done with, for those who hear the button alone. */
  readonly name: string;
  readonly isDangerous?: boolean;
  readonly isFocused?: boolean;
}) {
  const { operation, text, name, isDangerous = false, isFocused = false } = props;
  const { kind, item, to } = operation;
  const place = new URLSearchParams({ item, ...(to !== undefined && { to: String(to) }) });
  return (
    <ActionButton
      of={`${kind}-item`}
      formAction={`?${place}`}
      className={isDangerous ? 'text-button danger-button' : 'text-button'}
      autoFocus={isFocused || undefined}
    >
      {text}
      {name !== '' && <span className="hidden-text"> {name}</span>}
    </ActionButton>
  );
}
