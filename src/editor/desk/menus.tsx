import { redo, undo } from 'prosemirror-history';
import type { Mark } from 'prosemirror-model';
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import {
  buildElement,
  findNearCommands,
  openPicker,
  type PickedItem,
  parseItems,
} from '../../console/islands/command-palette.ts';
import { CHOICES_CHANGED, type Choices, readChoices } from '../../console/islands/read-choices.ts';
import { buildHeadingId } from '../../core/pages/page-outline.ts';
import { parseRedirectPath } from '../../core/paths.ts';
import type { DeskEditor } from '../desk.tsx';
import { adoptStyles, ask, buildProductLink } from './ask-site.ts';
import { FindBar } from './find.tsx';
import { FORMATS, isInside } from './keys.ts';
import { goToDescription } from './parts.tsx';
import { schema } from './schema.ts';
import { SiteBlocks } from './site-blocks.ts';
import { buildTableNode } from './table.ts';

const { nodes, marks } = schema;

adoptStyles(
  document,
  `
.ProseMirror-gapcursor { display: none; position: absolute; pointer-events: none; }
.ProseMirror-gapcursor::after { content: ''; display: block; position: absolute; top: -2px; width: 20px; border-top: 2px solid var(--ink); }
.ProseMirror-focused .ProseMirror-gapcursor { display: block; }
.desk-markdown { width: 100%; min-height: 24rem; border: 0; background: transparent; color: var(--ink); font: .9rem/1.55 var(--font-mono);
field-sizing: content; }
.desk-find { position: absolute; z-index: 5; top: 0; right: 0; left: 0; display: flex; flex-wrap: wrap; gap: .4rem; align-items: center;
padding: .6rem; border: 1px solid var(--line); background: var(--raised); font-size: .9rem; }
.desk-find :is(input[type="text"], button) { min-height: 2.25rem; padding: .2rem .6rem; border: 1px solid var(--line-strong);
border-radius: var(--radius-sm); background: var(--surface); color: inherit; font: inherit; }
.desk-find label { display: flex; gap: .3rem; align-items: center; }
.desk-found { background: var(--marker); outline: 1px solid transparent; }
.desk-popup { position: absolute; z-index: 5; border: 1px solid var(--line); border-radius: var(--radius-sm); background: var(--raised);
box-shadow: 0 12px 32px color-mix(in oklab, var(--shade, #000) 16%, transparent); font-size: .95rem; line-height: 1.35; }
.desk-link-bar { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; max-width: 30rem; padding: .4rem .7rem;
font-size: .85rem; }
.desk-link-bar span { color: var(--muted); overflow-wrap: anywhere; }
.desk-link-bar :is(button, a) { min-height: 1.5rem; padding: .1rem 0; border: 0; background: transparent; color: var(--accent);
font: inherit; text-decoration: underline; cursor: pointer; }
.desk-menu { display: flex; }
.desk-menu-list { width: min(25rem, 90vw); max-height: 20rem; padding: .3rem; overflow-y: auto; list-style: none; }
.desk-menu-list > p { padding: .4rem .5rem .2rem; color: var(--muted); font-size: .8rem; }
.desk-menu [role="option"] { display: flex; flex-wrap: wrap; gap: 0 .6rem; padding: .35rem .5rem; border-radius: var(--radius-sm);
cursor: pointer; }
.desk-menu [role="option"] small { color: var(--muted); font-size: .82rem; }
.desk-menu [aria-selected="true"] { background: var(--sunken); box-shadow: inset 3px 0 var(--accent); }
.desk-menu-shows { width: 20rem; max-height: 22rem; padding: .7rem; overflow: hidden; border-left: 1px solid var(--line); }
.desk-menu-shows > div { width: 33rem; zoom: .55; }
.desk-menu-shows img { display: block; max-width: 100%; max-height: 14rem; }
.desk-added { margin-bottom: 1.1rem; padding: .7rem 1rem; border: 1px dashed; background: var(--sunken); color: var(--muted);
white-space: normal; user-select: none; font: .82rem/1.4 var(--font-text); }
.desk-note-place { position: relative; }
.desk-note { margin: .2rem 0; padding: .1rem .6rem; border-left: 3px solid var(--accent); color: var(--muted); white-space: normal;
font: .82rem/1.4 var(--font-text); }
.desk-note[data-kind="earns"] { border-color: var(--positive); }
.desk-note[data-kind="warning"] { border-color: var(--warning); }
.desk-note[data-kind="error"] { border-color: var(--danger); }
@media (min-width: 1400px) {
  .desk-note-place { height: 0; margin: 0 !important; }
  .desk-note { position: absolute; left: calc(100% + .8rem); bottom: 1.1rem; width: 8.5rem; margin: 0; }
}
@media (max-width: 48rem) { .desk-menu-shows { display: none; } }
@media (forced-colors: active) { .desk-menu [aria-selected="true"] { outline: 2px solid Highlight; } }
`,
);

export { openFind } from './find.tsx';
export { cropPicture, openPictures } from './pictures.tsx';

/** Puts the cursor on a line of the text, from 0; at a picture, in its description. */
export function goToLine(desk: DeskEditor, line: number): void {
  const { doc } = desk.view.state;
  const text = desk.read();
  let offset = 0;
  for (let index = 0; index < line; index += 1) offset = text.indexOf('\n', offset) + 1 || text.length;
  const above = desk.place().findLastIndex(({ from }) => from <= offset);
  let at = 0;
  for (const child of doc.children.slice(0, Math.max(0, above))) at += child.nodeSize;
  desk.goTo(at);
  if (doc.nodeAt(at)?.type === nodes.figure)
    requestAnimationFrame(() => setTimeout(() => goToDescription(desk.view, at)));
}

interface DeskProps {
  readonly desk: DeskEditor;
}

/** What opens at the cursor. */
export function Menus({ desk }: DeskProps) {
  const isMarkdown = useSyncExternalStore(desk.changed.subscribe, () => desk.isMarkdown);
  return (
    <>
      <FindBar desk={desk} />
      <InsertMenu desk={desk} />
      <LinkBar desk={desk} />
      <QuestionBar desk={desk} />
      {isMarkdown && <MarkdownField desk={desk} />}
    </>
  );
}

/** The text as it is in the file. */
function MarkdownField({ desk }: DeskProps) {
  const [text, setText] = useState(() => desk.read());
  useEffect(() => () => desk.view.focus(), [desk]);
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the text that had the focus is in its place.
      autoFocus
      className="desk-markdown"
      dir="auto"
      aria-label="Text of the article, in Markdown"
      value={text}
      readOnly={desk.field.readOnly}
      onChange={({ target }) => {
        setText(target.value);
        desk.replace(target.value);
        desk.field.dispatchEvent(new Event('input', { bubbles: true }));
      }}
      // Both ways to write have one history.
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
        event.preventDefault();
        (event.shiftKey ? redo : undo)(desk.view.state, desk.view.dispatch);
        setText(desk.read());
      }}
    />
  );
}

/** Where a box below a position stands in the desk. */
function placeBelow(desk: DeskEditor, at: number) {
  const { left, bottom } = desk.view.coordsAtPos(Math.min(at, desk.view.state.doc.content.size));
  const box = desk.host.getBoundingClientRect();
  return { left: Math.max(0, Math.min(left - box.left, box.width - 200)), top: bottom - box.top + 4 };
}

/** Puts blocks of Markdown at the cursor: in place of an empty paragraph, else below its block. Returns where they are. */
export function insertBlocks(desk: DeskEditor, markdown: string): number {
  const blocks = desk.parse(markdown).children;
  const { view } = desk;
  const { $from } = view.state.selection;
  const { tr } = view.state;
  const isEmpty =
    $from.depth === 1 && $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
  const at = isEmpty ? $from.before(1) : $from.depth === 0 ? view.state.selection.to : $from.after(1);
  if (isEmpty) tr.replaceWith(at, $from.after(1), blocks);
  else tr.insert(at, blocks);
  const end = at + blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  // Below a block there is a line to write in.
  if (tr.doc.nodeAt(end)?.isTextblock !== true && blocks.at(-1)?.isTextblock !== true)
    tr.insert(end, nodes.paragraph.create());
  const isText = blocks.at(-1)?.isTextblock === true;
  tr.setSelection(isText ? Selection.near(tr.doc.resolve(end), -1) : Selection.near(tr.doc.resolve(end + 1)));
  view.dispatch(tr.scrollIntoView());
  view.focus();
  return at;
}

const SLASH = /(?:^|\s)\/([^\s/][^/\n]{0,40})?$/;

interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly section: string;
  /** A shortcode that shows it, or the address of a picture. */
  readonly shows?: string;
  readonly picture?: string;
  readonly act: (desk: DeskEditor) => void;
  /** What was typed stays in the text. */
  readonly isKept?: boolean;
}

/** What was typed after a slash, and where the slash is; null: nothing. */
function findSlash(
  desk: DeskEditor,
): { readonly typed: string; readonly from: number; readonly to: number } | null {
  const { selection } = desk.view.state;
  if (!(selection instanceof TextSelection) || !selection.empty || isInside(desk.view.state, nodes.fence))
    return null;
  const { $from, from } = selection;
  const text = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 50),
    $from.parentOffset,
    '\n',
    '\ufffc',
  );
  const found = SLASH.exec(text);
  if (found === null) return null;
  const typed = found[1] ?? '';
  return { typed, from: from - typed.length - 1, to: from };
}

export function openInsertMenu(desk: DeskEditor): void {
  const { view } = desk;
  const { $from } = view.state.selection;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 1),
    $from.parentOffset,
    '\n',
    '\ufffc',
  );
  view.dispatch(view.state.tr.insertText(/^\s?$/.test(before) ? '/' : ' /'));
  view.focus();
}

/** Opens by `/` at the start of a line or after a space, and finds things by their names. */
function InsertMenu({ desk }: DeskProps) {
  const key = useSyncExternalStore(desk.changed.subscribe, () => {
    const found = findSlash(desk);
    return found === null ? '' : `${found.from} ${found.typed}`;
  });
  const [all, setAll] = useState<readonly Choice[] | null>(null);
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState('');
  const start = key.split(' ', 1)[0] ?? '';
  const isOpen = key !== '' && closed !== start;
  useEffect(() => {
    const read = () => void readChoices(desk.form).then((choices) => setAll(listInsertable(choices, desk)));
    if (isOpen && all === null) read();
    const forget = () => setAll(null);
    desk.form.addEventListener(CHOICES_CHANGED, forget);
    return () => desk.form.removeEventListener(CHOICES_CHANGED, forget);
  }, [desk, isOpen, all]);
  useEffect(() => {
    // Another word, another first choice; another slash, another menu.
    setChosen(0);
    if (key === '') setClosed('');
  }, [key]);
  const typed = key.slice(start.length + 1);
  const shown = useMemo(
    () => (isOpen && all !== null ? findChoices(all, typed, desk) : []),
    [isOpen, all, typed, desk],
  );
  const one = shown[Math.min(chosen, shown.length - 1)];
  useEffect(() => {
    const { dom } = desk.view;
    const isShown = one !== undefined;
    for (const [name, value] of [
      ['aria-controls', 'desk-menu'],
      ['aria-activedescendant', `desk-option-${Math.min(chosen, shown.length - 1)}`],
      ['aria-haspopup', 'listbox'],
    ] as const)
      if (isShown) dom.setAttribute(name, value);
      else dom.removeAttribute(name);
    if (isShown) document.getElementById(`desk-option-${chosen}`)?.scrollIntoView({ block: 'nearest' });
    const take = (event: KeyboardEvent) => {
      if (!isShown || event.isComposing) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0) setChosen((now) => (now + step + shown.length) % shown.length);
      else if (event.key === 'Enter' || event.key === 'Tab') use(one);
      else if (event.key === 'Escape') setClosed(start);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    desk.keys.unshift(take);
    return () => {
      desk.keys.splice(desk.keys.indexOf(take), 1);
    };
  });
  const count = shown.length;
  useEffect(() => {
    if (isOpen && all !== null) desk.announce(count === 1 ? '1 choice' : `${count} choices`);
  }, [desk, isOpen, all, count]);
  const use = (choice: Choice) => {
    const found = findSlash(desk);
    const { view } = desk;
    setClosed(start);
    if (found !== null && choice.isKept !== true) view.dispatch(view.state.tr.delete(found.from, found.to));
    choice.act(desk);
  };
  if (one === undefined) return null;
  return (
    <div className="desk-popup desk-menu" style={placeBelow(desk, Number(start))}>
      <div className="desk-menu-list" role="listbox" id="desk-menu" aria-label="Insert" tabIndex={-1}>
        {shown.map((choice, index) => (
          <ChoiceItem
            key={choice.section + choice.label}
            choice={choice}
            isFirst={choice.section !== shown[index - 1]?.section}
            id={`desk-option-${index}`}
            isChosen={choice === one}
            use={use}
          />
        ))}
      </div>
      <Shows desk={desk} choice={one} />
    </div>
  );
}

function ChoiceItem(props: {
  readonly choice: Choice;
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly id: string;
  readonly use: (choice: Choice) => void;
}) {
  const { choice, isFirst, isChosen, id, use } = props;
  return (
    <>
      {isFirst && choice.section !== '' && <p>{choice.section}</p>}
      <div
        role="option"
        tabIndex={-1}
        id={id}
        aria-selected={isChosen}
        onMouseDown={(event) => event.preventDefault()}
        onMouseUp={() => use(choice)}
      >
        {choice.label} <small>{choice.detail}</small>
      </div>
    </>
  );
}

const SHOW_MS = 150;
let previews: SiteBlocks | undefined;

/** What is chosen as the site draws it, once it stays chosen. */
function Shows({ desk, choice }: DeskProps & { readonly choice: Choice }) {
  const { shows, picture } = choice;
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (shows === undefined || place === null) return;
    const timer = setTimeout(async () => {
      previews ??= new SiteBlocks(desk.form, () => undefined);
      await previews.read([shows], shows);
      if (!place.isConnected || place.shadowRoot !== null) return;
      if (!previews.draw(shows, place)) place.textContent = 'It is shown when the page has no errors.';
    }, SHOW_MS);
    return () => clearTimeout(timer);
  }, [desk, shows, place]);
  if (shows === undefined && picture === undefined) return null;
  return (
    <div className="desk-menu-shows" data-desk-shows="">
      {picture === undefined ? <div key={shows} ref={setPlace} inert /> : <img src={picture} alt="" />}
    </div>
  );
}

/** What is called as it is written after the slash. */
function findChoices(all: readonly Choice[], typed: string, desk: DeskEditor): readonly Choice[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const named = all.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  if (named.length > 0) return named.slice(0, 60);
  const listed = all.map(({ label, detail }, index) => ({ name: label, kind: detail, href: String(index) }));
  const near = findNearCommands(listed, text).flatMap(({ href }) => all[Number(href)] ?? []);
  const name = typed.trim();
  const nothing = `Nothing is called “${name}”.`;
  const add = {
    label: `Add “${name}” as a product`,
    detail: 'In a new tab',
    section: near.length > 0 ? 'Or' : '',
    isKept: true,
    act: () => buildProductLink(desk.form, name, (product) => offerBox(desk, product)).click(),
  };
  const keep = {
    label: nothing,
    detail: 'Esc keeps it as text',
    section: '',
    isKept: true,
    act: () => undefined,
  };
  return near.length === 0
    ? [keep, add]
    : [...near.map((one) => ({ ...one, section: `${nothing} Did you mean?` })), add];
}

const BOX = 'Picture, verdict, price, button';
const writeBox = (key: string) => `{{product-box product="${key}"}}`;

/** Shortcodes of several products, and the sentence that each of them needs. */
const SEVERAL: readonly {
  readonly type: string;
  readonly name: string;
  readonly detail: string;
  readonly max: number;
  readonly field: string;
}[] = [
  { type: 'versus', name: 'Versus', detail: 'Two products, point by point', max: 2, field: 'verdict' },
  { type: 'product-comparison', name: 'Comparison', detail: 'Products side by side', max: 4, field: '' },
  {
    type: 'picks-table',
    name: 'Picks',
    detail: 'Products, each with what it is best for',
    max: 7,
    field: 'basis',
  },
  { type: 'roundup', name: 'Roundup', detail: 'Products in an order, with reasons', max: 7, field: 'basis' },
];

const writeSeveral = (type: string, keys: readonly string[], field: string, sentence: string) =>
  `{{${type} products="${keys.join(', ')}"${field === '' ? '' : ` ${field}="${sentence}"`}}}`;

/** Puts words at the cursor, as Markdown has them. */
function insertWords(desk: DeskEditor, markdown: string): void {
  const { view } = desk;
  const words = desk.parse(markdown).firstChild?.content;
  if (words === undefined) return;
  const { from, to } = view.state.selection;
  const { tr } = view.state;
  tr.replaceWith(from, to, words).setStoredMarks([]);
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, from + words.size)).scrollIntoView());
  view.focus();
}

/** Everything that can be put in; the things that the site has come by their names. */
function listInsertable(choices: Choices, desk: DeskEditor): readonly Choice[] {
  const { products, shops, figures, images, links } = choices;
  const [key = '', other] = products.map(({ value }) => value);
  const act = (label: string, detail: string, run: (desk: DeskEditor) => void, shows?: string): Choice => ({
    label,
    detail,
    section: 'Insert',
    act: run,
    ...(shows !== undefined && { shows }),
  });
  const format =
    (command: (typeof FORMATS)[keyof typeof FORMATS]) =>
    ({ view }: DeskEditor) => {
      command(view.state, view.dispatch);
      view.focus();
    };
  const pickBox = () => openPicker('Product', products, (product) => insertBlocks(desk, writeBox(product)));
  const pickFigure = (prefix: string) => () =>
    openPicker(
      'Figure with its date',
      figures.filter(({ value }) => value.startsWith(prefix)),
      (name) => insertWords(desk, `{${name}}`),
    );
  const pickCard = (label: string, kind: string) => async () => {
    const cards = parseItems(await ask(desk.form, { action: 'choices', of: 'cards' }), 'cards');
    openPicker(
      label,
      cards.filter((card) => kind === '' || card.kind === kind),
      (text) => insertBlocks(desk, text),
    );
  };
  const values = new Map(figures.map(({ name, value }) => [value, name.split('  ')[0] ?? '']));
  const named = products.flatMap(({ name, value }): Choice[] => {
    const price = values.get(`product:${value}.price`);
    const shop = shops.find((one) => one.name === value);
    const section = name;
    return [
      {
        label: `${name}: product box`,
        detail: BOX,
        section,
        shows: writeBox(value),
        act: () => insertBlocks(desk, writeBox(value)),
      },
      ...(price === undefined
        ? []
        : [
            {
              label: `${name}: price`,
              detail: price,
              section,
              act: () => insertWords(desk, `{product:${value}.price}`),
            },
          ]),
      ...(shop === undefined
        ? []
        : [
            {
              label: `${name}: link to the shop`,
              detail: shop.kind,
              section,
              act: () => insertLink(desk, name, shop.value),
            },
          ]),
    ];
  });
  return [
    act('Product box', BOX, pickBox, key === '' ? undefined : writeBox(key)),
    ...SEVERAL.map(({ type, name, detail, field, max }) =>
      act(
        name,
        detail,
        () => openProducts(desk, choices, { type, name, max, field }),
        other === undefined ? undefined : writeSeveral(type, [key, other], field, 'An example.'),
      ),
    ),
    act('Picture', 'Upload, or from the site', (own) => own.withMenus((menus) => menus.openPictures(own))),
    act('Figure', 'A price or a fact, with its day', pickFigure('')),
    act('Claim', 'A statement with its evidence', pickFigure('claim:')),
    act('Link', 'To a page, a shop, a section', (own) => void openLink(own)),
    act('Table', 'Three columns and rows', insertTable),
    act('Heading', 'Of a section', format(FORMATS.heading)),
    act('Subheading', 'Below a heading', format(FORMATS.subheading)),
    act('List', 'With points', format(FORMATS.list)),
    act('Numbered list', 'Of steps', format(FORMATS.numbers)),
    act('Quotation', 'Words of somebody else', format(FORMATS.quote)),
    act('Callout', 'A tip or a warning, set apart', insertCallout),
    act('Line', 'Between two parts', () => insertBlocks(desk, '---')),
    act('Calculator', 'A link to one, with what it tells', () => void pickCard('Calculator', 'Calculator')()),
    act('Link card', 'Title and summary of a piece', () => void pickCard('Link card', '')()),
    ...named,
    ...images.map(({ name, kind, value, picture = '' }) => ({
      label: `Picture: ${name}`,
      detail: kind,
      section: 'Pictures',
      picture,
      act: () => insertBlocks(desk, value),
    })),
    ...links.flatMap(({ name, kind, value }) =>
      kind === 'Partner'
        ? []
        : [
            {
              label: `Link: ${name}`,
              detail: kind,
              section: 'Pages',
              act: () => insertLink(desk, name, value),
            },
          ],
    ),
  ];
}

function insertTable(desk: DeskEditor): void {
  const empty = ['', '', ''];
  const { view } = desk;
  const at = insertBlocks(desk, '---');
  const { tr } = view.state;
  tr.replaceWith(at, at + 1, buildTableNode([empty, empty, empty]));
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))));
}

function insertCallout({ view }: DeskEditor): void {
  FORMATS.quote(view.state, view.dispatch);
  const { $from } = view.state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if ($from.node(depth).type === nodes.quote)
      view.dispatch(
        view.state.tr.setNodeMarkup($from.before(depth), null, {
          ...$from.node(depth).attrs,
          callout: 'note',
        }),
      );
  view.focus();
}

/** Asks for the products of a comparison, in their order, and for the sentence that it needs. */
function openProducts(
  desk: DeskEditor,
  { products }: Choices,
  { type, name, max, field }: Pick<(typeof SEVERAL)[number], 'type' | 'name' | 'max' | 'field'>,
): void {
  const dialog = buildElement('dialog', { 'aria-label': name, class: 'desk-dialog' });
  const form = buildElement('form', { method: 'dialog' });
  form.append(buildElement('h2', {}, name));
  const selects = Array.from({ length: max }, (_, index) => {
    const label = buildElement('label', {}, `Product ${index + 1}${index < 2 ? '' : ' (optional)'}`);
    const select = buildElement('select', index < 2 ? { required: '' } : {});
    select.append(new Option('–', ''), ...products.map((product) => new Option(product.name, product.value)));
    label.append(select);
    form.append(label);
    return select;
  });
  const sentence = buildElement('input', { type: 'text', required: '', maxlength: '240' });
  if (field !== '') {
    const words = field === 'basis' ? 'On what the choice and the order rest' : 'The answer in one sentence';
    const label = buildElement('label', {}, words);
    label.append(sentence);
    form.append(label);
  }
  const row = buildElement('p', { class: 'form-row' });
  row.append(
    buildElement('button', { class: 'button', value: 'insert' }, 'Insert'),
    buildElement('button', { class: 'text-button', value: '', formnovalidate: '' }, 'Cancel'),
  );
  form.append(row);
  dialog.append(form);
  dialog.addEventListener('close', () => {
    dialog.remove();
    const keys = [...new Set(selects.map(({ value }) => value).filter(Boolean))];
    if (dialog.returnValue !== 'insert' || keys.length < 2) return desk.view.focus();
    const text = sentence.value.replace(/["{}<>\s]+/g, ' ').trim();
    insertBlocks(desk, writeSeveral(type, keys, field, text));
  });
  document.body.append(dialog);
  dialog.showModal();
}

const ADDRESS = /^(?:https?:\/\/|mailto:|\/|#)\S+$/;

/** Where a link at the cursor is, with its mark; null: there is none. */
function findLink(
  desk: DeskEditor,
): { readonly from: number; readonly to: number; readonly mark: Mark } | null {
  const { $from } = desk.view.state.selection;
  const mark = marks.link.isInSet($from.marks()) ?? marks.link.isInSet($from.nodeAfter?.marks ?? []);
  if (mark === undefined) return null;
  let [from, to] = [$from.pos, $from.pos];
  $from.parent.forEach((child, offset) => {
    const [start, end] = [$from.start() + offset, $from.start() + offset + child.nodeSize];
    if (!mark.isInSet(child.marks) || end < from || start > to) return;
    [from, to] = [Math.min(from, start), Math.max(to, end)];
  });
  return from === to ? null : { from, to, mark };
}

/** Puts a link with words at the cursor; what is typed next is none of it. */
function insertLink(desk: DeskEditor, words: string, href: string): void {
  const { view } = desk;
  const { from, to } = view.state.selection;
  const { tr } = view.state;
  tr.replaceWith(from, to, schema.text(words, [marks.link.create({ href })]));
  view.dispatch(
    tr
      .setSelection(TextSelection.create(tr.doc, from + words.length))
      .setStoredMarks([])
      .scrollIntoView(),
  );
  view.focus();
}

/** Links the selected words, the link of the cursor anew, or the name of what is chosen. */
export async function openLink(desk: DeskEditor): Promise<void> {
  const { view } = desk;
  const { links } = await readChoices(desk.form);
  const headings = view.state.doc.children.flatMap(({ type, textContent: name }) =>
    type === nodes.heading ? [{ name, kind: 'In this piece', value: `#${buildHeadingId(name)}` }] : [],
  );
  const typed = (text: string) =>
    ADDRESS.test(text.trim()) ? [{ name: text.trim(), kind: 'Address', value: text.trim() }] : [];
  openPicker(
    'Link to a page of this site or to a partner',
    [...links, ...headings],
    (href) => {
      const { from, to, empty } = view.state.selection;
      const around = findLink(desk);
      const { tr } = view.state;
      const range = around ?? (empty ? null : { from, to });
      if (range === null)
        insertLink(desk, [...links, ...headings].find(({ value }) => value === href)?.name ?? href, href);
      else
        view.dispatch(
          tr
            .removeMark(range.from, range.to, marks.link)
            .addMark(range.from, range.to, marks.link.create({ href })),
        );
      view.focus();
    },
    typed,
  );
}

/** Below the link of the cursor: where it leads, and what can be done with it. */
function LinkBar({ desk }: DeskProps) {
  const key = useSyncExternalStore(desk.changed.subscribe, () => {
    const found = desk.view.state.selection instanceof NodeSelection ? null : findLink(desk);
    return found === null ? '' : `${found.from} ${found.mark.attrs['href']}`;
  });
  if (key === '') return null;
  const [start = ''] = key.split(' ', 1);
  const href = key.slice(start.length + 1);
  // A click of an operator is no visit that left for a shop.
  const isOpened = parseRedirectPath(href) === null && !href.startsWith('#');
  const remove = () => {
    const link = findLink(desk);
    const { view } = desk;
    if (link !== null) view.dispatch(view.state.tr.removeMark(link.from, link.to, marks.link));
    view.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields it is not.
    <div
      className="desk-popup desk-link-bar"
      role="group"
      aria-label="Link"
      style={placeBelow(desk, Number(start))}
    >
      <span>{href}</span>
      <button type="button" onClick={() => void openLink(desk)}>
        Change
      </button>
      {isOpened && (
        <a href={href} target="_blank" rel="noopener">
          Open
        </a>
      )}
      <button type="button" onClick={remove}>
        Remove
      </button>
    </div>
  );
}

/** Asks whether something in the text becomes something else; the text waits for no answer. */
export interface TextQuestion {
  readonly text: string;
  /** What the buttons say that take it, and that leave it. */
  readonly names: readonly [string, string];
  readonly at: number;
  /** What can be done besides. */
  readonly more?: HTMLElement;
  readonly take: () => void;
}

const asked = new WeakMap<DeskEditor, TextQuestion>();

export function askInText(desk: DeskEditor, question: TextQuestion | null): void {
  if (question === null) asked.delete(desk);
  else asked.set(desk, question);
  desk.changed.tell();
  if (question !== null)
    desk.announce(`${question.text} Enter: ${question.names[0]}. Escape: ${question.names[1]}.`);
}

function QuestionBar({ desk }: DeskProps) {
  const question = useSyncExternalStore(desk.changed.subscribe, () => asked.get(desk));
  useEffect(() => {
    if (question === undefined) return undefined;
    const { doc } = desk.view.state;
    const answer = (isTaken: boolean) => {
      askInText(desk, null);
      if (isTaken) question.take();
      desk.view.focus();
    };
    const take = (event: KeyboardEvent) => {
      const isHere = desk.view.state.selection.head === question.at;
      if (!isHere || (event.key !== 'Enter' && event.key !== 'Escape')) return false;
      event.preventDefault();
      event.stopPropagation();
      answer(event.key === 'Enter');
      return true;
    };
    desk.keys.unshift(take);
    // The text that it is about has changed.
    const stop = desk.changed.subscribe(() => {
      if (desk.view.state.doc !== doc && asked.get(desk) === question) askInText(desk, null);
    });
    return () => {
      desk.keys.splice(desk.keys.indexOf(take), 1);
      stop();
    };
  }, [desk, question]);
  if (question === undefined) return null;
  const answer = (isTaken: boolean) => {
    askInText(desk, null);
    if (isTaken) question.take();
    desk.view.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields it is not.
    <div
      className="desk-popup desk-link-bar"
      role="group"
      aria-label="Question"
      style={placeBelow(desk, question.at)}
    >
      {question.text}
      {question.names.map((name, index) => (
        <button key={name} type="button" onClick={() => answer(index === 0)}>
          {name}
        </button>
      ))}
      {question.more !== undefined && <span ref={(place) => place?.replaceChildren(question.more ?? '')} />}
    </div>
  );
}

/** Asks whether the box of a new product goes below the paragraph, in place of a name that was written after a slash. */
export function offerBox(desk: DeskEditor, { name, value }: PickedItem): void {
  const { view } = desk;
  const take = () => {
    const found = findSlash(desk);
    if (found !== null) view.dispatch(view.state.tr.delete(Math.max(1, found.from), found.to));
    insertBlocks(desk, writeBox(value));
  };
  askInText(desk, {
    text: `“${name}” is a product now.`,
    names: ['Insert its box', 'Not now'],
    at: view.state.selection.head,
    take,
  });
}
