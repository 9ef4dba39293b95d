import { syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

/** The innermost node of a kind around a position. */
export function findAround(state: EditorState, at: number, name: string): SyntaxNode | null {
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side); node; node = node.parent)
      if (node.name === name) return node;
  return null;
}

/** Where a link leads and where its words are; null for a link by reference. */
export function readLink(doc: Text, node: SyntaxNode) {
  const [open, close] = node.getChildren('LinkMark');
  const address = node.getChild('URL');
  if (open === undefined || close === undefined || address === null) return null;
  return { href: doc.sliceString(address.from, address.to), from: open.to, to: close.from };
}

export function readPicture(doc: Text, node: SyntaxNode) {
  const found = readLink(doc, node);
  return (
    found && { src: found.href, alt: doc.sliceString(found.from, found.to).replace(/\\([[\]\\])/g, '$1') }
  );
}

/** Addresses of pictures that were added since the page was opened, by the address that the Markdown has. */
export const addedPictures = new Map<string, string>();

/** Where a picture is that is drawn: all of it, its words, and its address. */
export function findPicture(view: EditorView, box: HTMLElement) {
  const { doc } = view.state;
  const image = findAround(view.state, view.posAtDOM(box), 'Image');
  const place = image && readLink(doc, image);
  const address = image?.getChild('URL');
  if (!image || !place || !address) return null;
  return { ...place, address, start: image.from, end: doc.lineAt(image.to).to };
}
