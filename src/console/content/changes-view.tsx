import type { ReactNode } from 'react';
import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block } from '../frame/data-table.tsx';
import { ActionForm, Checkbox, Select, Submit, TextField, useAction } from '../frame/forms.tsx';
import { DetailHead } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import { buildFileAddress } from './file-address.ts';
import { nameFields } from './history.ts';
import type { LineChange, readUndo } from './line-changes.ts';
import { MANY_FIELDS, PLANS, type readChanges } from './plan-changes.ts';
import { PRICES_VIEW } from './prices.ts';

type ChangesModel = NonNullable<Awaited<ReturnType<typeof readChanges>>>;

/** The last change of several files, with the button that takes it back. */
export function UndoLast({ undo }: { readonly undo: Awaited<ReturnType<typeof readUndo>> }): ReactNode {
  if (undo === null) return null;
  return (
    <ActionForm
      of="undo-changes"
      className="flex flex-wrap gap-[.2rem_.8rem] items-baseline pt-[.7rem] text-small text-muted"
    >
      <p>
        {undo.message} <TimeText time={undo.time} />
      </p>
      <Submit className="text-button">Undo</Submit>
    </ActionForm>
  );
}

/** Lines of several files before they are changed, each with a tick: what is ticked is saved, all of it or none. */
export function ChangesView({ model }: ViewProps<ChangesModel>) {
  const { parameters } = useFrame();
  const { name, groups, all, count, lines, note, leftOut, readOnly, undo } = model;
  const mayTake = useAction('take-changes') && readOnly === null;
  const { title, verb } = PLANS[name as keyof typeof PLANS];
  return (
    <>
      <DetailHead back={name === 'missing' ? ['Links', LINKS] : ['Pieces', buildConsoleAddress('content')]}>
        {HEADS[name]?.(all)}
      </DetailHead>
      <Block title={title} id="changes" note={NOTES[name]}>
        {readOnly !== null && <p className="problem">{readOnly}</p>}
        <UndoLast undo={undo} />
        {name === 'replace' && <ReplaceForm />}
        {name === 'many' && <ManyForms model={model} />}
        {note !== '' && (
          <p className="form-note">
            {note} <a href={buildConsoleAddress('content', {}, { rest: [PRICES_VIEW] })}>Prices</a>
          </p>
        )}
        {count === 0 && <p className="empty-note">{describeEmpty(name, parameters)}</p>}
        {count > 0 && (
          <ActionForm of="take-changes" data-lines={verb}>
            <p className="max-w-184 pt-[.4rem] text-[1.06rem]" id="lines">
              {lines} {count === 1 ? 'changes' : 'change'}.
              {count < all && ` The other ${formatNumber(all - count)} follow.`}
            </p>
            <div className="editor-bar">
              {mayTake ? (
                <Submit>{`${verb} ${formatNumber(count)}`}</Submit>
              ) : (
                <p>You may look at the lines.</p>
              )}
            </div>
            {groups.map((group) => (
              <ChangeGroup key={group.key} group={group} model={model} />
            ))}
          </ActionForm>
        )}
        {leftOut.length > 0 && (
          <details className="attention" open={count === 0}>
            <summary>
              <b>{name === 'missing' ? 'Without a link to them' : 'Left out'}</b>{' '}
              {formatNumber(leftOut.length)}
            </summary>
            <ul>
              {leftOut.map(({ file, reason }) => (
                <li key={file + reason}>
                  <a href={buildFileAddress(file)}>{model.titles.get(file) ?? file}</a>
                  <small>{reason}</small>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Block>
    </>
  );
}

const LINKS = buildConsoleAddress('content', {}, { rest: ['links'] });
const HEADS: Readonly<Record<string, (count: number) => string>> = {
  missing: (count) => `${formatNumber(count)} ${count === 1 ? 'name has' : 'names have'} no link.`,
  replace: () => 'Replace a word.',
  many: () => 'Change the chosen.',
};

const NOTES: Readonly<Record<string, string>> = {
  replace: 'In the texts of all pieces, products, authors and claims; not in addresses, code and figures.',
  missing: 'Products that a piece names and does not link, at their first mention. Most money first.',
  many: 'One change in all chosen files.',
};

function describeEmpty(name: string, parameters: string): string {
  const sent = new URLSearchParams(parameters);
  if (name === 'missing') return 'Every product that you name is linked.';
  if (name === 'replace')
    return sent.has('find')
      ? `Nothing has “${sent.get('find')}”.`
      : 'Write what to find, and what stands there instead.';
  if (!sent.has('file')) return 'No file is chosen: tick them in the list of pieces.';
  return sent.has('set') ? 'No line would change.' : 'Choose what to change.';
}

function ChangeGroup({
  group,
  model: { name, currency, figures },
}: ViewProps<ChangesModel> & { readonly group: ChangesModel['groups'][number] }) {
  const money = currency !== null && group.amount > 0 ? formatMoney(group.amount, currency) : null;
  const of = group.partner === null ? 'its page earned' : 'its links earned';
  return (
    <fieldset className="change-group">
      <legend>
        <a href={buildFileAddress(group.file)}>{group.title}</a>
        {money !== null && <small>{`${of} ${money}`}</small>}
      </legend>
      {group.changes.map((change) => (
        <label key={change.id} className="change-line">
          <input type="checkbox" name="line" value={change.id} defaultChecked />
          <span>
            {name !== 'missing' && <small>line {change.line}</small>}
            <ChangedText change={change} figures={figures} />
          </span>
          {group.partner !== null && (
            <button type="submit" name="only" value={change.id} className="text-button">
              Link
            </button>
          )}
        </label>
      ))}
    </fieldset>
  );
}

/** Characters around a change that are shown. */
const AROUND = 60;
/** Links, figures, marks of headings, lists and emphasis; words, and what is between them. */
const MARKDOWN =
  /!?\[(?:\\.|[^\]\\])*\]\([^)\s]*\)|\{[a-z]+:[^{}\s]+\}|^(?:#{1,6}|>|[-*+])\s|\*+|`+|[\p{L}\p{N}]+|\s+|./gu;

/** What a line has before and after a change, as readers see it, with some of the words around it. */
function ChangedText(props: {
  readonly change: LineChange;
  readonly figures: ReadonlyMap<string, string>;
}): ReactNode {
  const { change, figures } = props;
  const isMarkdown = change.isBody;
  const [before, after] = [change.before, change.after].map(
    (lines) => (isMarkdown ? lines : nameFields(lines)).match(MARKDOWN) ?? [],
  );
  if (before === undefined || after === undefined) return null;
  let [start, end] = [0, 0];
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const read = (part: string) => {
    const [, words] = /^!?\[(.*)\]\([^)]*\)$/.exec(part) ?? [];
    if (words !== undefined) return words;
    return /^(?:#{1,6}\s|>\s|\*+|`+)$/.test(part) ? '' : (figures.get(part.slice(1, -1)) ?? part);
  };
  const join = (parts: readonly string[]) => parts.map(isMarkdown ? read : String).join('');
  const draw = (parts: readonly string[]) =>
    parts.map((part, index) => {
      const [, address] = /\]\(([^)]*)\)$/.exec(part) ?? [];
      const shown = isMarkdown ? read(part) : part;
      return address === undefined ? (
        shown
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line stay in their order
        <u key={index} title={address}>
          {shown}
        </u>
      );
    });
  const [left, right] = [join(before.slice(0, start)), join(end === 0 ? [] : before.slice(-end))];
  const [gone, own] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return (
    <span className="word-change whitespace-pre-wrap wrap-anywhere">
      {left.length > AROUND ? `…${left.slice(-AROUND)}` : left}
      {/* Words that become a link are not struck out. */}
      {join(gone) !== join(own) && <del>{draw(gone)}</del>}
      <ins>{draw(own)}</ins>
      {right.length > AROUND ? `${right.slice(0, AROUND)}…` : right}
    </span>
  );
}

function ReplaceForm() {
  const sent = new URLSearchParams(useFrame().parameters);
  return (
    <search>
      <form className="form-grid" action={buildConsoleAddress('content', {}, { rest: ['replace'] })}>
        <TextField label="Find" name="find" defaultValue={sent.get('find') ?? ''} maxLength={200} required />
        <TextField label="Replace with" name="with" defaultValue={sent.get('with') ?? ''} maxLength={500} />
        <div className="form-row">
          {Object.entries({ case: 'Match case', part: 'Parts of words', code: 'Addresses and code' }).map(
            ([name, label]) => (
              <Checkbox
                key={name}
                className="form-check"
                label={label}
                name={name}
                defaultChecked={sent.has(name)}
              />
            ),
          )}
        </div>
        <Submit className="button button-quiet">Show the lines</Submit>
      </form>
    </search>
  );
}

const STATES = [
  ['published', 'Published'],
  ['draft', 'Draft'],
] as const;

/** A form for each thing that can be changed in the chosen files. */
function ManyForms({ model: { partners, authors, categories } }: ViewProps<ChangesModel>) {
  const sent = new URLSearchParams(useFrame().parameters);
  const files = sent.getAll('file');
  if (files.length === 0) return null;
  const value = (set: string) => (sent.get('set') === set ? (sent.get('value') ?? '') : '');
  const fields: Readonly<Record<keyof typeof MANY_FIELDS, ReactNode>> = {
    category: (
      <>
        <TextField
          label="Topic"
          name="value"
          defaultValue={value('category')}
          list="topics"
          maxLength={60}
          required
        />
        <datalist id="topics">
          {categories.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      </>
    ),
    author: <Select label="Author" name="value" defaultValue={value('author')} options={authors} />,
    state: <Select label="State" name="value" defaultValue={value('state')} options={STATES} />,
    partner: (
      <>
        <Select
          label="Links to"
          name="from-partner"
          defaultValue={sent.get('from-partner') ?? ''}
          options={partners}
        />
        <Select label="lead to" name="value" defaultValue={value('partner')} options={partners} />
      </>
    ),
    checked: <p className="check-line">The facts were compared with their sources today.</p>,
  };
  return (
    <>
      <p className="form-note">
        {formatNumber(files.length)} {files.length === 1 ? 'file is' : 'files are'} chosen.
      </p>
      <div className="form-grid">
        {Object.entries(MANY_FIELDS).map(([set, name]) => (
          <form
            key={set}
            className="grid gap-2"
            aria-label={name}
            action={`${buildConsoleAddress('content', {}, { rest: ['many'] })}#lines`}
          >
            {files.map((file) => (
              <input key={file} type="hidden" name="file" value={file} />
            ))}
            <input type="hidden" name="set" value={set} />
            {fields[set as keyof typeof MANY_FIELDS]}
            <Submit className="button button-quiet">Show the lines</Submit>
          </form>
        ))}
      </div>
    </>
  );
}
