import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { useEffect, useRef, useState } from 'react';
import type { DeskEditor } from '../desk.tsx';
import { Signal, useSignal } from './parts.tsx';

interface Found {
  readonly from: number;
  readonly to: number;
}

interface Search {
  readonly words: string;
  readonly isExact: boolean;
}

const FOUND = new PluginKey<DecorationSet>('found');
const opened = new WeakSet<DeskEditor>();
const asked = new Signal();

/** Where words stand in the text of a document, in letters of either case. */
export function findAll(doc: Node, { words, isExact }: Search): readonly Found[] {
  if (words === '') return [];
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  const sought = fold(words);
  const found: Found[] = [];
  doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    // What is no text takes one place, as it does in the document.
    const text = fold(node.textBetween(0, node.content.size, undefined, '\ufffc'));
    if (text.length !== node.content.size) return false;
    for (let index = text.indexOf(sought); index >= 0; index = text.indexOf(sought, index + sought.length))
      found.push({ from: at + 1 + index, to: at + 1 + index + sought.length });
    return false;
  });
  return found;
}

/** Opens the fields that find and replace in the text, with the selected words. */
export function openFind(desk: DeskEditor): void {
  opened.add(desk);
  if (FOUND.getState(desk.view.state) === undefined) {
    const { state } = desk.view;
    const plugin = new Plugin<DecorationSet>({
      key: FOUND,
      state: {
        init: () => DecorationSet.empty,
        apply: (transaction, before) =>
          transaction.getMeta(FOUND) ?? before.map(transaction.mapping, transaction.doc),
      },
      props: { decorations: (now) => FOUND.getState(now) },
    });
    desk.view.updateState(state.reconfigure({ plugins: [...state.plugins, plugin] }));
  }
  asked.tell();
}

export function FindBar({ desk }: { readonly desk: DeskEditor }) {
  useSignal(asked);
  if (!opened.has(desk)) return null;
  return <FindFields key={asked.read()} desk={desk} />;
}

function FindFields({ desk }: { readonly desk: DeskEditor }) {
  const { view } = desk;
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState<Search>(() => {
    const { from, to } = view.state.selection;
    return { words: view.state.doc.textBetween(from, to, ' '), isExact: false };
  });
  const [replacement, setReplacement] = useState('');
  useSignal(desk.changed);
  const { doc, selection } = view.state;
  const found = findAll(doc, search);
  const own = found.findIndex(({ from, to }) => from === selection.from && to === selection.to);
  const { words, isExact } = search;
  useEffect(() => field.current?.select(), []);
  useEffect(() => {
    const shown = findAll(doc, { words, isExact }).map(({ from, to }) =>
      Decoration.inline(from, to, { class: 'desk-found' }),
    );
    view.dispatch(view.state.tr.setMeta(FOUND, DecorationSet.create(doc, shown)));
  }, [view, doc, words, isExact]);
  const close = () => {
    opened.delete(desk);
    view.dispatch(view.state.tr.setMeta(FOUND, DecorationSet.empty));
    asked.tell();
    view.focus();
  };
  const go = (step: 1 | -1) => {
    const next =
      step > 0
        ? (found.find(({ from }) => from >= selection.to) ?? found[0])
        : (found.findLast(({ to }) => to <= selection.from) ?? found.at(-1));
    if (next === undefined) return desk.announce('Not found.');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(doc, next.from, next.to)).scrollIntoView());
    desk.announce(`${found.indexOf(next) + 1} of ${found.length}`);
  };
  const replace = (places: readonly Found[]) => {
    const { tr } = view.state;
    for (const { from, to } of places.toReversed())
      if (replacement === '') tr.delete(from, to);
      else tr.insertText(replacement, from, to);
    if (places.length > 0) view.dispatch(tr);
    desk.announce(places.length === 1 ? 'Replaced.' : `Replaced ${places.length}.`);
  };
  return (
    <search
      className="desk-find"
      aria-label="Find and replace"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        else if (event.key === 'Enter' && event.target === field.current) go(event.shiftKey ? -1 : 1);
        else if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label="Find"
        placeholder="Find"
        value={words}
        onChange={({ target }) => setSearch({ words: target.value, isExact })}
      />
      <button type="button" onClick={() => go(1)}>
        Next
      </button>
      <button type="button" onClick={() => go(-1)}>
        Previous
      </button>
      <label>
        <input
          type="checkbox"
          checked={isExact}
          onChange={({ target }) => setSearch({ words, isExact: target.checked })}
        />
        Match case
      </label>
      <input
        type="text"
        aria-label="Replace with"
        placeholder="Replace with"
        value={replacement}
        onChange={({ target }) => setReplacement(target.value)}
      />
      <button type="button" disabled={own < 0} onClick={() => replace(found.slice(own, own + 1))}>
        Replace
      </button>
      <button type="button" onClick={() => replace(found)}>
        Replace all
      </button>
      <span>{words === '' ? '' : `${found.length} found`}</span>
      <button type="button" aria-label="Close" onClick={close}>
        ×
      </button>
    </search>
  );
}
