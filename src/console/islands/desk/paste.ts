import { isolateHistory } from '@codemirror/commands';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, showTooltip } from '@codemirror/view';
import { buildElement, type PickedItem } from '../command-palette.ts';
import { readChoices } from '../read-choices.ts';
import { ask, buildProductLink, readText, say } from './ask-site.ts';
import { addFiles, addPictures, type PictureSource } from './pictures.ts';
import { findAround } from './write-keys.ts';

/** What was pasted or dropped. */
export interface Taken {
  readonly html: string;
  readonly plain: string;
  readonly files: readonly File[];
  readonly folders: readonly string[];
  /** Where it was dropped; left out: it was pasted. */
  readonly at?: number | undefined;
}

/** HTML that a text has no more of than its words. */
const PLAIN =
  /^(?:<(?:meta|html|body|span|!--)[^>]*>|<\/(?:html|body|span)>|\s)*[^<]*(?:<\/?(?:span|html|body|!--)[^>]*>|\s)*$/i;
const WEB_ADDRESS = /^\s*https?:\/\/\S+\s*$/;
const MAX_TEXT = 1_000_000;

/** Puts what was pasted or dropped into the text. Nothing is swallowed: what cannot be used says why. */
export async function take(view: EditorView, form: HTMLFormElement, taken: Taken): Promise<void> {
  const { html, plain, files, folders, at } = taken;
  // Word processors and spreadsheets copy a picture of their text with it.
  const hasWords = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, '').trim() !== '';
  if (files.length > 0 && (at !== undefined || !hasWords)) {
    const isText = ({ name, type, size }: File) =>
      (/^text\/(?:plain|markdown)$/.test(type) || /\.(?:md|txt)$/i.test(name)) && size <= MAX_TEXT;
    const texts = files.filter(isText);
    const others = files.filter((file) => !isText(file));
    if (at !== undefined) view.dispatch({ selection: { anchor: at } });
    for (const file of texts) {
      insert(view, (await file.text()).replaceAll('\r\n', '\n'));
      say(form, `Put in the text of “${file.name}”. Ctrl Z takes it back.`);
    }
    if (others.length > 0 || folders.length > 0) addFiles(view, { files: others, folders });
    return;
  }
  const isCode = findAround(view.state, view.state.selection.main.head, 'FencedCode') !== null;
  if (html !== '' && !PLAIN.test(html) && !isCode) return pasteHtml(view, form, taken);
  if (WEB_ADDRESS.test(plain) && !isCode) return pasteAddress(view, form, plain.trim());
  insert(view, isCode ? plain : endBlock(view, buildPastedTable(plain) ?? plain));
}

/** A text whose last line is a row, a box or a picture ends with a blank line, so that the next words are none of it. */
function endBlock({ state }: EditorView, text: string): string {
  const isBlock = /(?:^|\n)(?:\||\{\{|!\[)[^\n]*$/.test(text);
  const { to } = state.selection.main;
  return isBlock && state.sliceDoc(to, to + 2) !== '\n\n' ? `${text}\n\n` : text;
}

function insert(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.paste', scrollIntoView: true });
}

/** Lines with tabs as a table; null: they are none. */
export function buildPastedTable(plain: string): string | null {
  const rows = plain
    .replace(/\n+$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  const width = Math.max(...rows.map(({ length }) => length));
  if (rows.length < 2 || width < 2 || rows.some(({ length }) => length < 2)) return null;
  const write = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim().replace(/[|\\]/g, '\\$&')).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [write(head), write(Array.from({ length: width }, () => '---')), ...rest.map(write)].join('\n');
}

/** An address alone is a link with the name of its page of the site; at one of a partner, its own link is offered. */
async function pasteAddress(view: EditorView, form: HTMLFormElement, address: string): Promise<void> {
  const { from, to } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to).trim();
  insert(view, address);
  const end = view.state.selection.main.head;
  const answer = await ask(form, { action: 'paste', address });
  const read = (name: string) => readText(answer, name);
  const [href, partner] = [read('href'), read('partner')];
  const start = end - address.length;
  if (view.state.sliceDoc(start, end) !== address || (href === '' && words === '')) return;
  const text = words || read('name').replace(/[[\]\\]/g, '\\$&');
  const link = `[${text}](${partner === '' ? href || address : address})`;
  const change = { annotations: isolateHistory.of('before'), userEvent: 'input.link' };
  // Without words an address of a partner stays as it is.
  const kept = partner === '' || words !== '' ? link : address;
  if (kept !== address) view.dispatch({ changes: { from: start, to: end, insert: kept }, ...change });
  if (partner === '') return;
  const page = read('page') === 'pricing' ? '' : `, page “${read('page')}”`;
  const tag = read('tag') === '' ? '' : ` The address pays somebody else: “${read('tag')}”.`;
  const question = `This is ${partner}${page}. Use your link?${tag}`;
  const { shops } = await readChoices(form);
  const isSold = shops.some(({ value }) => value.split('?')[0] === href.split('?')[0]);
  askInText(view, form, {
    question,
    from: start,
    to: start + kept.length,
    names: ['Use my link', 'Keep the address'],
    ...(!isSold && { more: buildProductLink(form, partner, (product) => offerBox(view, form, product)) }),
    build: (now) => (now === kept ? [{ from: 0, to: kept.length, insert: `[${text}](${href})` }] : []),
  });
}

/** Asks whether parts of the text become other ones; the text waits for no answer. */
interface Question {
  readonly question: string;
  readonly from: number;
  readonly to: number;
  /** What the buttons say that take it, and that leave it. */
  readonly names: readonly [string, string];
  /** What can be done besides. */
  readonly more?: HTMLElement;
  /** What changes in the text between `from` and `to`; nothing: the question is settled. */
  readonly build: (
    text: string,
  ) => readonly { readonly from: number; readonly to: number; readonly insert: string }[];
}

function askInText(view: EditorView, form: HTMLFormElement, asked: Question, said = ''): void {
  const isNew = view.state.field(openQuestion, false) === undefined;
  if (isNew) view.dispatch({ effects: StateEffect.appendConfig.of(QUESTIONS) });
  view.dispatch({ effects: setQuestion.of(asked) });
  say(form, `${said}${asked.question} Enter: ${asked.names[0]}. Escape: ${asked.names[1]}.`);
}

/** Asks whether the box of a new product goes below the paragraph, in place of a name that was written after a slash. */
export function offerBox(view: EditorView, form: HTMLFormElement, { name, value }: PickedItem): void {
  const { doc, selection } = view.state;
  const at = view.state.field(openQuestion, false)?.to ?? selection.main.head;
  const to = at + doc.sliceString(at).search(/\n[ \t]*\n|$/);
  const build = (text: string) => {
    const [typed = ''] = /(?:^|\s+)\/[^\s/][^/\n]*$/.exec(text) ?? [];
    const space = typed === text.trimEnd() || text.trim() === '' ? '' : '\n\n';
    const insert = `${space}{{product-box product="${value}"}}`;
    return [{ from: text.length - typed.length, to: text.length, insert }];
  };
  const names = ['Insert its box', 'Not now'] as const;
  askInText(view, form, {
    question: `“${name}” is a product now.`,
    from: doc.lineAt(at).from,
    to,
    names,
    build,
  });
}

const setQuestion = StateEffect.define<Question | null>();

const openQuestion = StateField.define<Question | null>({
  create: () => null,
  update(open, { changes, effects, state }) {
    const asked = effects.find((effect) => effect.is(setQuestion));
    if (asked !== undefined) return asked.value;
    if (open === null || changes.empty) return open;
    const [from, to] = [changes.mapPos(open.from, 1), changes.mapPos(open.to, -1)];
    return from >= to || open.build(state.sliceDoc(from, to)).length === 0 ? null : { ...open, from, to };
  },
  provide: (field) =>
    showTooltip.from(field, (open) =>
      open === null
        ? null
        : { pos: open.to, above: false, create: (view) => ({ dom: buildQuestion(view, open) }) },
    ),
});

/** Enter and Escape answer where the text goes on. */
const answer = (isTaken: boolean) => (view: EditorView) =>
  view.state.selection.main.head === view.state.field(openQuestion)?.to && answerQuestion(view, isTaken);
const QUESTIONS: Extension = [
  openQuestion,
  Prec.highest(
    keymap.of([
      { key: 'Enter', run: answer(true) },
      { key: 'Escape', run: answer(false) },
    ]),
  ),
];

function answerQuestion(view: EditorView, isTaken: boolean): boolean {
  const open = view.state.field(openQuestion);
  if (open === null) return false;
  const changes = open
    .build(view.state.sliceDoc(open.from, open.to))
    .map(({ from, to, insert: text }) => ({ from: open.from + from, to: open.from + to, insert: text }));
  const annotations = isolateHistory.of('full');
  view.dispatch({
    effects: setQuestion.of(null),
    ...(isTaken && { changes, annotations, userEvent: 'input.link' }),
  });
  view.focus();
  return true;
}

function buildQuestion(view: EditorView, { question, names, more }: Question): HTMLElement {
  const box = buildElement(
    'div',
    { class: 'desk-link-bar', role: 'group', 'aria-label': 'Question' },
    question,
  );
  names.forEach((name, index) => {
    const button = buildElement('button', { type: 'button' }, name);
    button.addEventListener('click', () => answerQuestion(view, index === 0));
    box.append(button);
  });
  if (more !== undefined) box.append(more);
  return box;
}

/** A picture in what the server has converted, with the link around it. */
const PLACE =
  /(\n\n)?(?:(?:\[)?!\[(?:\\.|[^\]\\])*\]\(pasted\/(\d+)(?: "[^"]*")?\)(?:\]\([^)]*\))?|<img src="pasted\/(\d+)"[^>]*>)/g;

/** Takes the places of pictures out of Markdown, and says where each was. */
export function splitPlaces(markdown: string) {
  const found: { readonly index: number; readonly at: number }[] = [];
  let text = '';
  let end = 0;
  for (const { 0: whole, 1: before = '', 2: index, 3: raw, index: start } of markdown.matchAll(PLACE)) {
    const next = start + whole.length;
    // One that is a paragraph goes with the space around it.
    const isParagraph = (before !== '' || start === 0) && /^(?:\n\n|$)/.test(markdown.slice(next, next + 2));
    text += markdown.slice(end, start) + (isParagraph ? '' : before);
    end = text === '' && isParagraph ? next + 2 : next;
    found.push({ index: Number(index ?? raw), at: text.length });
  }
  return { text: text + markdown.slice(end), found };
}

const DATA = /(\ssrc\s*=\s*)(["'])data:(image\/[\w+.-]+);base64,([\w+/=\s]*)\2/gi;

/** Puts what was copied elsewhere into the text as Markdown; says what was left out. */
async function pasteHtml(view: EditorView, form: HTMLFormElement, { html, plain }: Taken): Promise<void> {
  const own: File[] = [];
  // What is in the HTML is sent once, as a file.
  const light = html.replace(DATA, (_, start: string, quote: string, type: string, data: string) => {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
    own.push(new File([bytes], 'picture', { type }));
    return `${start}${quote}own:${own.length - 1}${quote}`;
  });
  const answer = await ask(form, { action: 'paste', html: light });
  const markdown = readText(answer, 'markdown');
  if (markdown === '') {
    insert(view, plain);
    const problem = readText(answer, 'problem');
    return say(form, problem === '' ? '' : `${problem} The words alone were pasted.`);
  }
  const { text, found } = splitPlaces(markdown);
  const { head } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, head - 2), head);
  const isBlock = /\n|^(?:#|[-|>]|\d+\. )/.test(text);
  const lead = isBlock && head > 0 && !before.endsWith('\n') ? '\n\n' : '';
  const from = view.state.selection.main.from + lead.length;
  insert(view, lead + (lead === '' ? endBlock(view, text) : `${text}\n\n`));
  const listed: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'sources') : [];
  const pictures = found.map(({ index, at }): PictureSource => {
    const source: unknown = Array.isArray(listed) ? listed[index] : null;
    const [src, alt] = [readText(source, 'src'), readText(source, 'alt')];
    const file = src.startsWith('own:') ? own[Number(src.slice(4))] : undefined;
    const place = {
      at: Math.min(from + at, view.state.doc.length),
      alt,
      name: alt || 'picture',
    };
    return { ...place, ...(file !== undefined && { file }), ...(/^https?:/.test(src) && { address: src }) };
  });
  if (pictures.length > 0) addPictures(view, pictures, false);
  const count = (number: number, name: string) =>
    number === 0 ? [] : [`${number.toLocaleString('en')} ${number === 1 ? name : `${name}s`}`];
  const lost = pictures.filter(({ file, address }) => file === undefined && address === undefined).length;
  const [words, tables] = [Number(readText(answer, 'words')), Number(readText(answer, 'tables'))];
  const counted = [...count(words, 'word'), ...count(pictures.length, 'picture'), ...count(tables, 'table')];
  const missing =
    lost === 0
      ? ''
      : lost === 1
        ? ' 1 picture could not be read: drop it at its place.'
        : ` ${lost} pictures could not be read: drop them at their places.`;
  const said = `Pasted ${counted.join(', ')}.${missing} Ctrl Z takes it back.`;
  say(form, said);
  const listedLinks: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'own') : null;
  const links = new Map(Object.entries(listedLinks ?? {}).map(([address, href]) => [address, String(href)]));
  if (links.size === 0) return;
  const question = `It has links to ${readText(answer, 'owned')}. Use your links?`;
  const build = (now: string) =>
    [...now.matchAll(/\]\((<[^>\n]*>|[^\s<>)]+)/g)].flatMap(({ 1: address = '', index }) => {
      const insert = links.get(address);
      return insert === undefined ? [] : [{ from: index + 2, to: index + 2 + address.length, insert }];
    });
  const asked = {
    question,
    from,
    to: from + text.length,
    names: ['Use my links', 'Keep what was pasted'],
    build,
  } as const;
  askInText(view, form, asked, `${said} `);
}
