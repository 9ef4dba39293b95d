import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';

/** The number of the block in the file that was opened; null: a new one. Copies and halves of a block have it too. */
const KEY = { key: { default: null } };

const block = (tag: string, content: string, more: NodeSpec = {}): NodeSpec => ({
  content,
  group: 'block',
  attrs: { ...KEY, ...more.attrs },
  defining: true,
  parseDOM: [{ tag }],
  toDOM: (): DOMOutputSpec => [tag, { dir: 'auto' }, 0],
  ...more,
});

const mark = (tags: readonly string[], more: MarkSpec = {}): MarkSpec => ({
  parseDOM: tags.map((tag) => ({ tag })),
  toDOM: (): DOMOutputSpec => [tags[0] ?? 'span', 0],
  ...more,
});

/** Words of a line: no break can stand in a heading or in a cell. */
const LINE = '(text | picture | word)*';

const cell = (tag: string): NodeSpec => ({
  content: LINE,
  attrs: { align: { default: null } },
  isolating: true,
  parseDOM: [{ tag }],
  toDOM: ({ attrs: { align } }): DOMOutputSpec => [
    tag,
    { dir: 'auto', ...(align !== null && { 'data-align': align }), ...(tag === 'th' && { scope: 'col' }) },
    0,
  ],
});

/** `isDecoration`: it needs no words. */
const PICTURE = { src: {}, alt: { default: '' }, title: { default: null }, isDecoration: { default: false } };

/** What a text is made of: the blocks and words of Markdown, as the site has them. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: block('p', 'inline*', { defining: false }),
    heading: block('h2', LINE, {
      attrs: { ...KEY, level: { default: 2 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs['level']}`, { dir: 'auto' }, 0],
    }),
    /** `callout`: the kind of it, such as `note`; null: words of somebody else. */
    quote: block('blockquote', 'block+', {
      attrs: { ...KEY, callout: { default: null } },
      toDOM: ({ attrs: { callout } }) =>
        callout === null ? ['blockquote', 0] : ['div', { class: 'callout', role: 'note' }, 0],
    }),
    list: block('ul', 'item+', { attrs: { ...KEY, tight: { default: true } }, toDOM: () => ['ul', 0] }),
    numbers: block('ol', 'item+', {
      attrs: { ...KEY, tight: { default: true }, start: { default: 1 } },
      toDOM: ({ attrs: { start } }) => ['ol', start === 1 ? {} : { start: String(start) }, 0],
    }),
    /** `checked`: null for an item that is no task. */
    item: {
      content: 'block+',
      attrs: { checked: { default: null } },
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: ({ attrs: { checked } }) => [
        'li',
        checked === null ? {} : { 'data-checked': String(checked) },
        0,
      ],
    },
    /** `info`: what stands after the fence. */
    fence: block('pre', 'text*', {
      attrs: { ...KEY, info: { default: '' } },
      marks: '',
      code: true,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', ['code', 0]],
    }),
    rule: block('hr', '', { toDOM: () => ['hr'] }),
    table: block('table', 'row+', { isolating: true, toDOM: () => ['table', ['tbody', 0]] }),
    row: { content: '(head | cell)+', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
    head: cell('th'),
    cell: cell('td'),
    /** What is kept as it is written: a box of the site, HTML, a definition. */
    part: {
      group: 'block',
      attrs: { ...KEY, raw: {} },
      atom: true,
      draggable: true,
      toDOM: ({ attrs: { raw } }) => ['pre', { 'data-part': '' }, raw],
    },
    text: { group: 'inline' },
    /** Among words. */
    picture: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: PICTURE,
      toDOM: ({ attrs: { src, alt } }) => ['img', { src, alt }],
    },
    /** A picture that is a paragraph of its own. */
    figure: {
      group: 'block',
      atom: true,
      draggable: true,
      attrs: { ...KEY, ...PICTURE },
      toDOM: ({ attrs: { src, alt } }) => ['figure', ['img', { src, alt }]],
    },
    /** A figure, a citation, HTML or a rare character reference, as it is written. */
    word: {
      group: 'inline',
      inline: true,
      atom: true,
      attrs: { raw: {} },
      toDOM: ({ attrs: { raw } }) => ['span', raw],
    },
    break: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
      leafText: () => '\n',
    },
  },
  marks: {
    link: mark(['a'], {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ href: element.getAttribute('href') }) }],
      toDOM: ({ attrs: { href } }) => ['a', { href, rel: 'noopener' }, 0],
    }),
    bold: mark(['strong', 'b']),
    italic: mark(['em', 'i']),
    struck: mark(['s', 'del']),
    code: mark(['code'], { code: true }),
  },
});
