import { redo, undo } from 'prosemirror-history';
import type { Attrs, Node } from 'prosemirror-model';
import { type Command, NodeSelection, TextSelection } from 'prosemirror-state';
import type { EditorView, NodeView, ViewMutationRecord } from 'prosemirror-view';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { SHORTCODE_PARAGRAPH } from '../../core/articles/markdown-words.ts';
import { nameShortcode } from '../../core/articles/name-shortcode.ts';
import type { DeskEditor } from '../desk.tsx';
import { duplicatePart, movePart, removePart } from './keys.ts';
import { schema } from './schema.ts';
import { changeTable } from './table.ts';

const { nodes } = schema;

/** Tells components that something has changed that React does not hold. */
export class Signal {
  readonly #heard = new Set<() => void>();
  #count = 0;
  readonly read = () => this.#count;

  readonly subscribe = (hear: () => void) => {
    this.#heard.add(hear);
    return () => {
      this.#heard.delete(hear);
    };
  };

  tell(): void {
    this.#count += 1;
    for (const hear of this.#heard) hear();
  }
}

export const useSignal = ({ subscribe, read }: Signal) => useSyncExternalStore(subscribe, read);

/** A node of the text that React draws: the view makes its element, and a portal fills it. */
export class PartView implements NodeView {
  readonly desk: DeskEditor;
  readonly dom: HTMLElement;
  readonly contentDOM?: HTMLElement;
  /** What React draws in. */
  readonly place: HTMLElement;
  readonly changed = new Signal();
  readonly #find: () => number | undefined;
  node: Node;

  constructor(desk: DeskEditor, node: Node, find: () => number | undefined) {
    this.desk = desk;
    this.node = node;
    this.#find = find;
    const build = <Name extends keyof HTMLElementTagNameMap>(name: Name, className: string) => {
      const element = document.createElement(name);
      element.className = className;
      return element;
    };
    if (node.type === nodes.table) {
      this.dom = build('div', 'desk-grid');
      const table = build('table', '');
      table.setAttribute('aria-label', 'Table');
      this.contentDOM = table.createTBody();
      this.place = build('div', '');
      this.dom.append(table, this.place);
    } else {
      const isFigure = node.type === nodes.figure;
      this.dom = build(isFigure ? 'figure' : 'div', isFigure ? 'desk-picture' : 'desk-block');
      if (!isFigure) this.dom.setAttribute('role', 'group');
      this.place = this.dom;
    }
    this.place.contentEditable = 'false';
    desk.parts.add(this);
    // A view is made while the state changes, and React draws it afterwards.
    queueMicrotask(() => desk.drawn.tell());
  }

  /** Where it is in the document; null: it is there no more. */
  get at(): number | null {
    return this.#find() ?? null;
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    if (node !== this.node) {
      this.node = node;
      this.changed.tell();
    }
    return true;
  }

  /** Changes attributes of the node. */
  change(attrs: Attrs): void {
    const { at } = this;
    const { view } = this.desk;
    if (at !== null) view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...this.node.attrs, ...attrs }));
  }

  selectNode(): void {
    this.dom.dataset['selected'] = '';
  }

  deselectNode(): void {
    delete this.dom.dataset['selected'];
  }

  stopEvent({ target }: Event): boolean {
    return (
      target instanceof Element &&
      this.place.contains(target) &&
      target.closest('input, button, label, a') !== null
    );
  }

  ignoreMutation(change: ViewMutationRecord): boolean {
    return change.type !== 'selection' && this.contentDOM?.contains(change.target) !== true;
  }

  destroy(): void {
    this.desk.parts.delete(this);
    queueMicrotask(() => this.desk.drawn.tell());
  }
}

/** Draws all parts of the text. */
export function Parts({ desk }: { readonly desk: DeskEditor }) {
  useSignal(desk.drawn);
  return [...desk.parts].map((part) => createPortal(<Part part={part} />, part.place, desk.number(part)));
}

interface PartProps {
  readonly part: PartView;
}

function Part({ part }: PartProps) {
  useSignal(part.changed);
  if (part.node.type === nodes.table) return <TableBar part={part} />;
  return part.node.type === nodes.figure ? <Figure part={part} /> : <Box part={part} />;
}

/** What is done with a block as a whole. */
function BlockBar({
  part,
  name,
  children,
}: PartProps & { readonly name: string; readonly children?: ReactNode }) {
  const { desk } = part;
  if (desk.field.readOnly) return null;
  const run = (command: Command) => {
    const { view } = desk;
    const { at } = part;
    if (at === null) return;
    const { doc, tr } = view.state;
    const isText = part.node.type === nodes.table;
    view.dispatch(
      tr.setSelection(isText ? TextSelection.near(doc.resolve(at + 1)) : NodeSelection.create(doc, at)),
    );
    view.focus();
    command(view.state, view.dispatch);
  };
  const tools: readonly (readonly [text: string, label: string, command: Command])[] = [
    ['Up', `Move ${name} up`, movePart(-1, desk.announce)],
    ['Down', `Move ${name} down`, movePart(1, desk.announce)],
    ['Duplicate', `Duplicate ${name}`, duplicatePart(desk.announce)],
    ['Remove', `Remove ${name}`, removePart(desk.announce)],
  ];
  return (
    <div className="desk-block-bar">
      {children}
      {tools.map(([text, label, command]) => (
        <Tool key={text} label={label} act={() => run(command)}>
          {text}
        </Tool>
      ))}
    </div>
  );
}

/** A button that leaves the cursor where it is. */
function Tool(props: { readonly label?: string; readonly act: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="desk-tool"
      aria-label={props.label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.act}
    >
      {props.children}
    </button>
  );
}

function TableBar({ part }: PartProps) {
  const change = (act: Parameters<typeof changeTable>[2]) => {
    const { view } = part.desk;
    const changed = part.at === null ? null : changeTable(view.state, part.at, act);
    if (changed !== null) view.dispatch(changed);
    view.focus();
  };
  return (
    <BlockBar part={part} name="the table">
      <Tool act={() => change('addRow')}>Add a row</Tool>
      <Tool act={() => change('addColumn')}>Add a column</Tool>
      <Tool act={() => change('removeRow')}>Remove the row</Tool>
      <Tool act={() => change('removeColumn')}>Remove the column</Tool>
      <Tool label="Align the column left" act={() => change({ align: null })}>
        Left
      </Tool>
      <Tool label="Align the column right" act={() => change({ align: 'right' })}>
        Right
      </Tool>
    </BlockBar>
  );
}

/** A section of the site as the site draws it, or what is kept as it is written. */
function Box({ part }: PartProps) {
  const { desk } = part;
  const raw: string = part.node.attrs['raw'];
  const isShortcode = SHORTCODE_PARAGRAPH.test(raw);
  useSignal(desk.learned);
  const name = isShortcode ? nameShortcode(raw, desk.known.products) : 'Part in code';
  useEffect(() => part.dom.setAttribute('aria-label', name), [part, name]);
  return (
    <>
      <BlockBar part={part} name={name}>
        <span>{name}</span>
        {!isShortcode && <Tool act={() => desk.showMarkdown(true)}>Open in Markdown</Tool>}
      </BlockBar>
      {isShortcode ? (
        <Drawn key={raw} desk={desk} raw={raw} name={name} />
      ) : (
        <pre className="desk-raw">{raw}</pre>
      )}
    </>
  );
}

function Drawn({
  desk,
  raw,
  name,
}: {
  readonly desk: DeskEditor;
  readonly raw: string;
  readonly name: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const isDrawn = useRef(false);
  const learned = useSignal(desk.learned);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known is not in React.
  useEffect(() => {
    if (place.current !== null && !isDrawn.current)
      isDrawn.current = desk.blocks?.draw(raw, place.current) ?? false;
  }, [desk, raw, learned]);
  return (
    <div ref={place}>
      <p className="desk-waits">{name} …</p>
    </div>
  );
}

function Figure({ part }: PartProps) {
  const { desk, node } = part;
  const { src, alt, isDecoration } = node.attrs;
  useSignal(desk.learned);
  useEffect(() => part.dom.setAttribute('aria-label', 'Picture'), [part]);
  const address = desk.known.pictures.get(src) ?? '';
  const leave = () => {
    const { view } = desk;
    const end = (part.at ?? 0) + node.nodeSize;
    const { doc, tr } = view.state;
    if (doc.nodeAt(end)?.isTextblock !== true) tr.insert(end, nodes.paragraph.create());
    view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(end + 1))).scrollIntoView());
    view.focus();
  };
  return (
    <>
      {address === '' ? <p>Not a picture of the site.</p> : <img src={address} alt="" />}
      <input
        type="text"
        dir="auto"
        maxLength={300}
        aria-label="What the picture shows"
        placeholder={isDecoration ? 'Only decoration' : 'What does it show?'}
        disabled={isDecoration}
        readOnly={desk.field.readOnly}
        value={alt}
        onChange={({ target }) => part.change({ alt: target.value })}
        onKeyDown={(event) => {
          // All of the text has one history.
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
            event.preventDefault();
            (event.shiftKey ? redo : undo)(desk.view.state, desk.view.dispatch);
          }
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          leave();
        }}
      />
      <BlockBar part={part} name="the picture">
        <label>
          <input
            type="checkbox"
            checked={isDecoration}
            onChange={({ target }) => part.change({ isDecoration: target.checked, alt: '' })}
          />
          Only decoration
        </label>
        {address !== '' && !address.endsWith('.svg') && <Tool act={() => void desk.crop(part)}>Crop</Tool>}
      </BlockBar>
    </>
  );
}

/** A word that stands for something: a figure as its value, a citation as its number. */
export class WordView implements NodeView {
  readonly dom = document.createElement('span');
  readonly #desk: DeskEditor;
  readonly #raw: string;
  readonly #stop: () => void;

  constructor(desk: DeskEditor, node: Node) {
    this.#desk = desk;
    this.#raw = node.attrs['raw'];
    this.#stop = desk.learned.subscribe(() => this.#show());
    this.#show();
  }

  #show(): void {
    const raw = this.#raw;
    const [, figure] = /^\{(.+)\}$/.exec(raw) ?? [];
    const [, source] = /^\[\^(\d+)\]$/.exec(raw) ?? [];
    const value = figure === undefined ? (source ?? raw) : (this.#desk.known.figures.get(figure) ?? figure);
    if (this.dom.textContent === value && this.dom.className !== '') return;
    this.dom.textContent = value;
    this.dom.className =
      figure !== undefined ? 'desk-figure' : source !== undefined ? 'desk-source' : 'desk-code-word';
    const label =
      figure !== undefined ? `${value}, figure ${figure}` : source !== undefined ? `source ${source}` : raw;
    this.dom.setAttribute('role', 'img');
    this.dom.setAttribute('aria-label', label);
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#stop();
  }
}

/** Goes to the field for what the picture at a position shows. */
export function goToDescription(view: EditorView, at: number): HTMLInputElement | null {
  const dom = view.nodeDOM(at);
  const field = dom instanceof HTMLElement ? dom.querySelector<HTMLInputElement>('input[type="text"]') : null;
  field?.focus({ preventScroll: true });
  // A picture moves its field when it is loaded.
  const show = () => field === document.activeElement && field?.scrollIntoView({ block: 'center' });
  show();
  if (dom instanceof HTMLElement) dom.addEventListener('load', show, { capture: true });
  return field;
}
