import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import {
  EditorSelection,
  type EditorState,
  type Extension,
  type StateCommand,
  StateField,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { buildHeadingId } from '../../../core/pages/page-outline.ts';
import { parseRedirectPath } from '../../../core/paths.ts';
import { buildElement, findNearCommands, openPicker, parseItems } from '../command-palette.ts';
import { type Choices, readChoices } from '../read-choices.ts';
import { ask, buildProductLink } from './ask-site.ts';
import { FORMATS } from './formats.ts';
import { SiteBlocks } from './site-blocks.ts';
import { findAround, insertBlock, readLink } from './write-keys.ts';

const MENU_THEME = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: '0 12px 32px color-mix(in oklab, var(--shade, #000) 16%, transparent)',
    zIndex: '5',
  },
  '.desk-link-bar': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '.3rem .8rem',
    alignItems: 'center',
    maxWidth: '30rem',
    padding: '.4rem .7rem',
    fontSize: '.85rem',
  },
  '.desk-link-bar span': { color: 'var(--muted)', overflowWrap: 'anywhere' },
  '.desk-link-bar :is(button, a)': {
    padding: '.1rem 0',
    border: '0',
    background: 'transparent',
    color: 'var(--accent)',
    font: 'inherit',
    textDecoration: 'underline',
    cursor: 'pointer',
  },
  '.cm-tooltip.cm-tooltip-autocomplete': { padding: '.3rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '20rem',
    width: 'min(25rem, 90vw)',
    maxWidth: 'none',
    fontFamily: 'var(--font-text)',
    whiteSpace: 'normal',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section': {
    padding: '.4rem .5rem .2rem',
    borderBottom: '0',
    color: 'var(--muted)',
    fontSize: '.8rem',
    opacity: '1',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li.desk-option': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 .6rem',
    padding: '.35rem .5rem',
    borderRadius: 'var(--radius-sm)',
    fontSize: '.95rem',
    lineHeight: '1.35',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li.desk-option[aria-selected]': {
    background: 'var(--sunken)',
    color: 'var(--ink)',
    boxShadow: 'inset 3px 0 var(--accent)',
  },
  '.cm-completionDetail': { marginLeft: '0', color: 'var(--muted)', fontStyle: 'normal', fontSize: '.82rem' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': {
    width: '20rem',
    maxHeight: '22rem',
    overflow: 'hidden',
    padding: '.7rem',
  },
  // A box as it is at the width of a page, made small.
  '.cm-completionInfo > div': { width: '33rem', zoom: '.55' },
  '.cm-completionInfo img': { display: 'block', maxWidth: '100%', maxHeight: '14rem' },
  '@media (max-width: 48rem)': { '.cm-tooltip.cm-completionInfo': { display: 'none' } },
  '@media (forced-colors: active)': {
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li.desk-option[aria-selected]': {
      outline: '2px solid Highlight',
    },
  },
});

/** Opens by `/` at the start of a line or after a space, and finds things by their names. */
export function insertMenu(form: HTMLFormElement): Extension {
  const completion = autocompletion({
    override: [(context) => findInsertable(context, form)],
    icons: false,
    activateOnTyping: true,
    interactionDelay: 0,
    maxRenderedOptions: 60,
    optionClass: () => 'desk-option',
  });
  return [completion, MENU_THEME];
}

const SLASH = /(?:^|\s)\/([^\s/][^/\n]{0,40})?$/;

async function findInsertable(context: CompletionContext, form: HTMLFormElement) {
  return SLASH.test(context.state.sliceDoc(Math.max(0, context.pos - 50), context.pos))
    ? findNamed(context, form, listInsertable(await readChoices(form), form))
    : null;
}

/** What is called as it is written after the slash; at each further key at once, so that Enter never comes too early. */
function findNamed(
  context: CompletionContext,
  form: HTMLFormElement,
  all: readonly Completion[],
): CompletionResult | null {
  const found = context.matchBefore(SLASH);
  if (found === null) return null;
  const from = found.from + found.text.indexOf('/') + 1;
  const build = (options: readonly Completion[]): CompletionResult => ({
    from,
    options,
    filter: false,
    update: (_current, _from, _to, next) => findNamed(next, form, all),
  });
  const text = context.state.sliceDoc(from, context.pos).trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const named = all.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  if (named.length > 0) return build(named);
  const listed = all.map(({ label, detail = '' }, index) => ({
    name: label,
    kind: detail,
    href: String(index),
  }));
  const near = findNearCommands(listed, text).flatMap(({ href }) => all[Number(href)] ?? []);
  const name = `Nothing is called “${text}”.`;
  const typed = context.state.sliceDoc(from, context.pos).trim();
  const open = async (view: EditorView) => {
    const { offerBox } = await import('./paste.ts');
    buildProductLink(form, typed, (product) => offerBox(view, form, product)).click();
  };
  const label = `Add “${typed}” as a product`;
  const add: Completion = { label, detail: 'In a new tab', apply: (view) => void open(view) };
  const apply = (view: EditorView) => closeCompletion(view);
  if (near.length === 0) return build([{ label: name, detail: 'Esc keeps it as text', apply }, add]);
  const section = { name: `${name} Did you mean?`, rank: 0 };
  return build([...near.map((one) => ({ ...one, section })), { ...add, section: { name: 'Or', rank: 1 } }]);
}

/** Products come before pictures and pages. */
const buildSection = (name: string) => ({
  name,
  rank: { Insert: 0, Pictures: 2, Pages: 3 }[name] ?? 1,
});

/** A block of its own in place of what was typed. */
const buildBlock = (label: string, detail: string, text: string, section: string): Completion => ({
  label,
  detail,
  section: buildSection(section),
  apply: (view, completion, from) => {
    view.dispatch({ annotations: pickedCompletion.of(completion) });
    insertBlock(view, text, from - 1);
  },
});

const buildInline = (label: string, detail: string, text: string, section: string): Completion => ({
  label,
  detail,
  section: buildSection(section),
  apply: (view, completion, from, to) =>
    view.dispatch({
      changes: { from: from - 1, to, insert: text },
      annotations: pickedCompletion.of(completion),
      selection: EditorSelection.cursor(from - 1 + text.length),
      userEvent: 'input.figure',
    }),
});

const buildAct = (label: string, detail: string, run: (view: EditorView) => void): Completion => ({
  label,
  detail,
  section: buildSection('Insert'),
  apply: (view, completion, from, to) => {
    view.dispatch({ changes: { from: from - 1, to }, annotations: pickedCompletion.of(completion) });
    run(view);
  },
});

const BOX = 'Picture, verdict, price, button';
const writeBox = (key: string) => `{{product-box product="${key}"}}`;

/** Everything that can be put in; the things that the site has come by their names. */
function listInsertable(choices: Choices, form: HTMLFormElement): readonly Completion[] {
  const [key = '', other] = choices.products.map(({ value }) => value);
  const several = Object.entries(SEVERAL).map(([type, { name, detail, field }]) => ({
    ...buildAct(name, detail, (view) => openProducts(view, choices, type)),
    ...(other !== undefined && buildInfo(form, writeSeveral(type, [key, other], field, 'An example.'))),
  }));
  const box = buildAct('Product box', BOX, (view) => pickProduct(view, choices));
  const openAll = (view: EditorView) => void import('./pictures.ts').then((one) => one.openPictures(view));
  return [
    { ...box, ...(key !== '' && buildInfo(form, writeBox(key))) },
    ...several,
    buildAct('Picture', 'Upload, or from the site', openAll),
    buildAct('Figure', 'A price or a fact, with its day', (view) => pickFigure(view, choices)),
    buildAct('Claim', 'A statement with its evidence', (view) => pickFigure(view, choices, 'claim:')),
    buildAct('Link', 'To a page, a shop, a section', (view) => void openLink(view, form)),
    buildAct('Table', 'Three columns and rows', (view) => {
      const at = insertBlock(view, EMPTY_TABLE);
      void import('./edit-table.ts').then((edits) => edits.focusCell(view, at, { row: 0, column: 0 }));
    }),
    buildAct('Heading', 'Of a section', FORMATS.heading),
    buildAct('Subheading', 'Below a heading', FORMATS.subheading),
    buildAct('List', 'With points', FORMATS.list),
    buildAct('Numbered list', 'Of steps', FORMATS.numbers),
    buildAct('Quotation', 'Words of somebody else', FORMATS.quote),
    buildAct('Callout', 'A tip or a warning, set apart', (view) =>
      view.dispatch(view.state.replaceSelection('> [!note] '), { userEvent: 'input.format' }),
    ),
    buildBlock('Line', 'Between two parts', '---', 'Insert'),
    buildCard(form, 'Calculator', 'A link to one, with what it tells', 'Calculator'),
    buildCard(form, 'Link card', 'Title and summary of a piece', ''),
    ...listNamed(choices, form),
  ];
}

/** What products, pictures and pieces of the site can be put in. */
function listNamed({ products, shops, figures, images, links }: Choices, form: HTMLFormElement) {
  const values = new Map(figures.map(({ name, value }) => [value, name.split('  ')[0] ?? '']));
  const named = products.flatMap(({ name, value: key }): Completion[] => {
    const price = values.get(`product:${key}.price`);
    const shop = shops.find((one) => one.name === key);
    const box = buildBlock(`${name}: product box`, BOX, writeBox(key), name);
    const found: Completion[] = [{ ...box, ...buildInfo(form, writeBox(key)) }];
    if (price !== undefined) found.push(buildInline(`${name}: price`, price, `{product:${key}.price}`, name));
    if (shop !== undefined)
      found.push(buildInline(`${name}: link to the shop`, shop.kind, `[${name}](${shop.value})`, name));
    return found;
  });
  const pictures = images.map(({ name, kind, value, picture: src = '' }) => ({
    ...buildBlock(`Picture: ${name}`, kind, value, 'Pictures'),
    info: () => buildElement('img', { src, alt: '' }),
  }));
  const pages = links.flatMap(({ name, kind, value }) =>
    kind === 'Partner' ? [] : buildInline(`Link: ${name}`, kind, `[${escapeWords(name)}](${value})`, 'Pages'),
  );
  return [...named, ...pictures, ...pages];
}

const EMPTY_TABLE = '|  |  |  |\n| --- | --- | --- |\n|  |  |  |\n|  |  |  |';
const escapeWords = (text: string) => text.replace(/[[\]\\]/g, '\\$&');

/** Shortcodes of several products, and the sentence that each of them needs. */
const SEVERAL: Readonly<
  Record<string, Readonly<Record<'name' | 'detail' | 'field', string>> & { max: number }>
> = {
  versus: { name: 'Versus', detail: 'Two products, point by point', max: 2, field: 'verdict' },
  'product-comparison': { name: 'Comparison', detail: 'Products side by side', max: 4, field: '' },
  'picks-table': { name: 'Picks', detail: 'Products, each with what it is best for', max: 7, field: 'basis' },
  roundup: { name: 'Roundup', detail: 'Products in an order, with reasons', max: 7, field: 'basis' },
};

const writeSeveral = (type: string, keys: readonly string[], field: string, sentence: string) =>
  `{{${type} products="${keys.join(', ')}"${field === '' ? '' : ` ${field}="${sentence}"`}}}`;

const INFO_MS = 150;
let previews: SiteBlocks | undefined;

/** A picture of what is put in: a shortcode as the site draws it, once it stays chosen. */
function buildInfo(form: HTMLFormElement, text: string) {
  const info = () => {
    const box = buildElement('div', { inert: '' });
    setTimeout(async () => {
      if (!box.isConnected) return;
      previews ??= new SiteBlocks(form, () => undefined);
      await previews.read([text], text);
      if (previews.draw(text, box)) return;
      box.textContent = 'It is shown when the page has no errors.';
    }, INFO_MS);
    return box;
  };
  return { info };
}

/** Cards of pieces, with the first of them as it will stand in the text. */
function buildCard(form: HTMLFormElement, label: string, detail: string, kind: string): Completion {
  const read = async () =>
    parseItems(await ask(form, { action: 'choices', of: 'cards' }), 'cards').filter(
      (card) => kind === '' || card.kind === kind,
    );
  const pick = async (view: EditorView) => openPicker(label, await read(), (text) => insertBlock(view, text));
  const info = async () => {
    const box = buildElement('div', { inert: '' });
    const [, title = '', text = ''] =
      /^\*\*\[(.*)\]\(.*\)\*\*\\\n(.*)$/s.exec((await read())[0]?.value ?? '') ?? [];
    box.append(buildElement('strong', { class: 'desk-link' }, title), buildElement('p', {}, text));
    return title === '' ? null : box;
  };
  return { ...buildAct(label, detail, (view) => void pick(view)), info };
}

function pickProduct(view: EditorView, { products }: Choices): void {
  openPicker('Product', products, (key) => insertBlock(view, writeBox(key)));
}

function pickFigure(view: EditorView, { figures }: Choices, prefix = ''): void {
  const shown = figures.filter(({ value }) => value.startsWith(prefix));
  openPicker('Figure with its date', shown, (name) => {
    view.dispatch(view.state.replaceSelection(`{${name}}`), { userEvent: 'input.figure' });
    view.focus();
  });
}

/** Asks for the products of a comparison, in their order, and for the sentence that it needs. */
function openProducts(view: EditorView, { products }: Choices, type: string): void {
  const { name, max, field } = SEVERAL[type] ?? { name: type, max: 2, field: '' };
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
    if (dialog.returnValue !== 'insert' || keys.length < 2) return view.focus();
    const text = sentence.value.replace(/["{}<>\s]+/g, ' ').trim();
    insertBlock(view, writeSeveral(type, keys, field, text));
  });
  document.body.append(dialog);
  dialog.showModal();
}

const ADDRESS = /^(?:https?:\/\/|mailto:|\/|#)\S+$/;

/** Links the selected words, the link of the cursor anew, or the name of what is chosen. */
export async function openLink(view: EditorView, form: HTMLFormElement): Promise<void> {
  const { links } = await readChoices(form);
  const { state } = view;
  const headings = [...state.doc.iterLines()].flatMap((line) => {
    const [, name] = /^##+\s+(.+?)\s*#*$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, kind: 'In this piece', value: `#${buildHeadingId(name)}` }];
  });
  const typed = (text: string) =>
    ADDRESS.test(text.trim()) ? [{ name: text.trim(), kind: 'Address', value: text.trim() }] : [];
  openPicker(
    'Link to a page of this site or to a partner',
    [...links, ...headings],
    (href) => {
      const { main } = view.state.selection;
      const around = findAround(view.state, main.from, 'Link');
      const address = around?.getChild('URL');
      if (address)
        view.dispatch({
          changes: { from: address.from, to: address.to, insert: href },
          userEvent: 'input.link',
        });
      else {
        const name = [...links, ...headings].find(({ value }) => value === href)?.name ?? href;
        const words = view.state.sliceDoc(main.from, main.to).trim() || escapeWords(name);
        view.dispatch({
          changes: { from: main.from, to: main.to, insert: `[${words}](${href})` },
          selection: EditorSelection.cursor(main.from + words.length + href.length + 4),
          userEvent: 'input.link',
        });
      }
      view.focus();
    },
    typed,
  );
}

/** Below the link of the cursor: where it leads, and what can be done with it. */
export function linkBar(form: HTMLFormElement): Extension {
  const find = (state: EditorView['state']): Tooltip | null => {
    const { main } = state.selection;
    const link = findAround(state, main.head, 'Link');
    const found = link && readLink(state.doc, link);
    if (!link || !found || main.head < found.from || main.head > found.to) return null;
    return { pos: found.from, above: false, create: (view) => ({ dom: buildLinkBar(view, form, found) }) };
  };
  return StateField.define<Tooltip | null>({
    create: find,
    update(shown, { docChanged, selection, state }) {
      if (!docChanged && selection === undefined) return shown;
      const found = find(state);
      return found !== null && found.pos === shown?.pos && !docChanged ? shown : found;
    },
    provide: (field) => showTooltip.from(field),
  });
}

function buildLinkBar(
  view: EditorView,
  form: HTMLFormElement,
  { href, from, to }: NonNullable<ReturnType<typeof readLink>>,
): HTMLElement {
  const bar = buildElement('div', { class: 'desk-link-bar', role: 'group', 'aria-label': 'Link' });
  const open = buildElement('a', { href, target: '_blank', rel: 'noopener' }, 'Open');
  // A click of an operator is no visit that left for a shop.
  const isShop = parseRedirectPath(href) !== null;
  const change = buildElement('button', { type: 'button' }, 'Change');
  change.addEventListener('click', () => void openLink(view, form));
  const remove = buildElement('button', { type: 'button' }, 'Remove');
  remove.addEventListener('click', () => {
    const link = findAround(view.state, from, 'Link');
    if (link === null) return;
    const insert = view.state.sliceDoc(from, to);
    view.dispatch({ changes: { from: link.from, to: link.to, insert }, userEvent: 'delete.link' });
    view.focus();
  });
  bar.append(
    buildElement('span', {}, href),
    change,
    ...(isShop || href.startsWith('#') ? [] : [open]),
    remove,
  );
  return bar;
}

/** Opens the menu where `/` was typed before it was loaded. */
export function showIfAsked(view: EditorView): void {
  const { head } = view.state.selection.main;
  if (SLASH.test(view.state.sliceDoc(Math.max(0, head - 40), head))) startCompletion(view);
}

/** Opens the menu at the cursor. */
export function openInsertMenu(view: EditorView): void {
  const { head } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, head - 1), head);
  view.dispatch(view.state.replaceSelection(/^\s?$/.test(before) ? '/' : ' /'), { userEvent: 'input.type' });
  view.focus();
  startCompletion(view);
}

/** The parts of the text that move as one: a heading with all below it, or a block between blank lines. */
function findPart(state: EditorState, at: number) {
  const { doc } = state;
  const blocks: SyntaxNode[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) blocks.push(node);
  // The cursor is before the spaces of a block that is indented.
  const index = blocks.findLastIndex(({ from }) => doc.lineAt(from).from <= at);
  const level = (node: SyntaxNode | undefined) =>
    Number(/^(?:ATX|Setext)Heading(\d)/.exec(node?.name ?? '')?.[1] ?? 7);
  const first = blocks[index];
  if (first === undefined) return null;
  const own = level(first);
  const findEnd = (start: number, top: number) => {
    if (top === 7) return start + 1;
    let end = start + 1;
    while (end < blocks.length && level(blocks[end]) > top) end += 1;
    return end;
  };
  const end = findEnd(index, own);
  // A heading changes places with the part of its level above it or below it, a block with its neighbor.
  let before = index - 1;
  if (own < 7) while (before > 0 && level(blocks[before]) > own) before -= 1;
  const after = end < blocks.length ? findEnd(end, Math.min(own, 7)) : end;
  const cut = (from: number, to: number) => {
    const [one, other] = [blocks[from], blocks[to - 1]];
    return one === undefined || other === undefined
      ? null
      : { from: doc.lineAt(one.from).from, to: other.to };
  };
  return {
    part: cut(index, end),
    above: before < 0 ? null : cut(before, index),
    below: end < blocks.length ? cut(end, after) : null,
  };
}

/** The first words of a part, without its marks. */
function describePart(text: string): string {
  if (text.startsWith('{{')) return text.replace(/\w+=|[{}"]/g, '').replaceAll('-', ' ');
  const [line = ''] = text.split('\n', 1);
  return line.replace(/^[#>|\s-]+|\]\([^)]*\)|[*_`[\]!]/g, '').slice(0, 60);
}

type Found = NonNullable<ReturnType<typeof findPart>>;

/** Changes the part of the cursor in one step, which is announced. */
const changePart =
  (
    build: (found: Found & { readonly head: number }, state: EditorState) => TransactionSpec | null,
    done: string,
  ): StateCommand =>
  ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { head } = state.selection.main;
    const found = findPart(state, head);
    const spec = found?.part ? build({ ...found, head }, state) : null;
    const words = found?.part ? describePart(state.sliceDoc(found.part.from, found.part.to)) : '';
    const said = spec === null ? 'There is nothing to change places with.' : `${done}: ${words}.`;
    const effects = EditorView.announce.of(said);
    dispatch(
      state.update({ ...spec, effects, annotations: isolateHistory.of('full'), scrollIntoView: true }),
    );
    return true;
  };

/** Moves the part of the cursor up or down: it changes places with its neighbor. */
export const movePart = (step: 1 | -1): StateCommand =>
  changePart(
    ({ part, above, below, head }, state) => {
      const other = step < 0 ? above : below;
      if (part === null || other === null) return null;
      const [first, second] = step < 0 ? [other, part] : [part, other];
      const between = state.sliceDoc(first.to, second.from);
      const insert = state.sliceDoc(second.from, second.to) + between + state.sliceDoc(first.from, first.to);
      const moved = step < 0 ? first.from : first.from + (second.to - second.from) + between.length;
      return {
        changes: { from: first.from, to: second.to, insert },
        selection: EditorSelection.cursor(moved + Math.min(head, part.to) - part.from),
        userEvent: 'move.part',
      };
    },
    step < 0 ? 'Moved up' : 'Moved down',
  );

/** Puts the part of the cursor below itself once more. */
export const duplicatePart: StateCommand = changePart(({ part, head }, state) => {
  if (part === null) return null;
  const insert = `\n\n${state.sliceDoc(part.from, part.to)}`;
  return {
    changes: { from: part.to, insert },
    selection: EditorSelection.cursor(Math.min(head, part.to) + insert.length),
    userEvent: 'input.duplicate',
  };
}, 'Duplicated');

/** Removes the part of the cursor with the blank line below it. */
export const removePart: StateCommand = changePart(({ part }, { doc }) => {
  if (part === null) return null;
  const to = Math.min(doc.length, part.to + 1);
  const end = to < doc.length && doc.lineAt(to).length === 0 ? to + 1 : to;
  return { changes: { from: part.from, to: end }, userEvent: 'delete.block' };
}, 'Removed');
