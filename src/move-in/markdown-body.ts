import { Parser } from 'htmlparser2';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxFromMarkdown } from 'mdast-util-mdx';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { escapePlaceholders, hasPlaceholder, splitAtShortcodes } from '../core/articles/shortcodes.ts';
import { escapeHtml } from '../core/text/parse-text.ts';
import { extractText, listSources } from '../sources/articles/html/html-text.ts';
import { findBodyExcess } from '../sources/articles/html/prepare-body.ts';
import {
  escapeMarkdown,
  isHidden,
  prefix,
  type RewrittenImage,
  type RewrittenLink,
  UNSHOWN,
  writeAddress,
  writeAttributes,
  writeFence,
  writeTitle,
} from './html-to-markdown.ts';
import { renderCode } from './shortcodes.ts';
import { writeEmbed } from './wordpress-body.ts';

/** What a body in Markdown is converted with. */
export interface MarkdownRewriter {
  readonly rewriteLink: (href: string) => RewrittenLink | null;
  readonly rewriteImage: (src: string, alt: string) => RewrittenImage | null;
  /** The title of the post, which its text can name. */
  readonly title: string;
  /** Gets the name of what has no form here, such as `{% include %}` or `<Chart>`. */
  readonly onUnknown: (name: string) => void;
}

/** The scheme of a link to a file of the former site, as `{% post_url %}` and `{{< ref >}}` write it. */
export const FILE_SCHEME = 'moved-file:';

/**
 * Rewrites the links and images of a body in Markdown or MDX where they stand in its tree; everything else stays as it was
 * written. Tags of Liquid and Hugo become code, links or comments, footnotes a list at the end, components of MDX what they
 * enclose. Returns the body with how many links and images it had and has. Throws `RangeError` for what is nested too deeply.
 */
export function convertMarkdown(body: string, isMdx: boolean, rewriter: MarkdownRewriter) {
  const excess = findBodyExcess(body);
  if (excess !== null) throw new RangeError(`it ${excess}`);
  const open = ENDS.map(([mark, end]) => body.slice(body.lastIndexOf(end) + 1).split(mark).length - 1);
  if (Math.max(...open) > MAX_OPEN) throw new RangeError('it has many comments or tags without their end');
  const parsed = isMdx ? parseMdx(body) : null;
  if (isMdx && parsed === null) rewriter.onUnknown('MDX that cannot be parsed, and was read as Markdown');
  const source = parsed === null ? expandTags(body, parse(body), rewriter) : body;
  const writer = new BodyWriter(source, rewriter);
  const markdown = writer.write(parsed ?? parse(source));
  return { markdown, links: writer.links, linksRead: writer.linksRead, images: writer.images };
}

/** From each that has no end the parser looks for it to the end of the paragraph: 5,000 took 15 s. */
const MAX_OPEN = 500;
const ENDS = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['{::comment}', '{:/'],
] as const;

const parse = (source: string): Root =>
  fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

function parseMdx(source: string): Root | null {
  try {
    return fromMarkdown(source, {
      extensions: [gfm(), mdxjs()],
      mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()],
    });
  } catch {
    return null;
  }
}

/** Tags of Liquid with their values, shortcodes of Hugo, values of Liquid, and comments of kramdown. */
const TAG =
  /[ \t]?\{::comment\}[\s\S]*?\{:\/(?:comment)?\}|\{%-?\s*(\/?[\w-]{1,60})((?:[^%]|%(?!\})){0,1000}?)-?%\}|\{\{[<%]\s*(\/?\w[\w./-]{0,60})([^{}]{0,1000}?)\/?\s*[>%]\}\}|\{\{-?\s*([^{}<%][^{}]{0,300}?)-?\}\}/g;
const ENCLOSING = /^(?:highlight|code|codeblock|raw|verbatim|comment)$/;

/** Replaces the tags of Liquid and Hugo outside of code, whose places the tree says; null: the body is HTML. */
export function expandTags(
  body: string,
  tree: Root | null,
  { onUnknown, title }: Pick<MarkdownRewriter, 'onUnknown' | 'title'>,
): string {
  if (!/\{(?:[%{]|::comment\})/.test(body)) return body;
  const code = tree === null ? [] : listCode(tree);
  let passed = 0;
  const tags = [...body.matchAll(TAG)].flatMap((match) => {
    const { index } = match;
    while ((code[passed]?.[1] ?? index + 1) <= index) passed += 1;
    const [from = index + 1] = code[passed] ?? [];
    if (from <= index) return [];
    const [text, liquid, words = '', hugo, attributes = '', value] = match;
    const name = liquid ?? hugo ?? '';
    return [
      {
        text,
        from: index,
        to: index + text.length,
        name,
        isHugo: hugo !== undefined,
        words: words + attributes,
        value,
      },
    ];
  });
  const endless = new Set<string>();
  let [out, end, last] = ['', 0, '\n'];
  // Looking at the end of a long text, which is in parts, would copy all of it.
  const add = (text: string) => {
    out += text;
    last = (last + text).slice(-300);
  };
  for (const [at, tag] of tags.entries()) {
    if (tag.from < end) continue;
    const { name, words, from } = tag;
    add(body.slice(end, from));
    end = tag.to;
    if (name === '' && tag.value === undefined) continue;
    const ends = (other: string) => other === `end${name}` || other === `/${name}`;
    const closing =
      ENCLOSING.test(name) && !endless.has(name)
        ? tags.slice(at + 1).find((other) => ends(other.name))
        : undefined;
    if (closing !== undefined) {
      const inner = body.slice(end, closing.from);
      const isRaw = /^(?:raw|verbatim)$/.test(name);
      const [language = ''] = /[\w+#-]+/.exec(words) ?? [];
      if (isRaw) add(inner);
      else if (name !== 'comment')
        add(tree === null ? renderCode(inner, language) : writeCodeBlock(inner, language, last.slice(-100)));
      end = closing.to;
      continue;
    }
    endless.add(name);
    const address = /(?:\]\(<?|=["']|\]:[ \t]*<?)([^\s"'<>]*)$/.exec(last)?.[1];
    const isAddress = address !== undefined;
    const shown =
      tag.value === undefined ? expandTag(tag, address === '') : expandValue(tag.value, title, isAddress);
    if (shown !== null) add(shown);
    else {
      // What encloses something is named where it begins.
      if (tag.value !== undefined) onUnknown(`{{ ${name || tag.value.trim()} }}`);
      else if (!/^(?:\/|end)/.test(name)) onUnknown(tag.isHugo ? `{{< ${name} >}}` : `{% ${name} %}`);
      const before = last;
      // Its spaces and quotation marks would end the address.
      if (isAddress)
        add(encodeURI(tag.text).replace(/['()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`));
      else if (tag.value !== undefined) add(tag.text);
      else {
        add(`<!-- ${tag.text.replace(/--+/g, '-').replace(/>/g, '')} -->`);
        if (tree !== null) add(endHtmlLine(before, body.slice(end, end + 100)));
      }
    }
  }
  // Hugo shows a tag whose words are a comment.
  return (out + body.slice(end)).replace(/\{\{([<%])\/\*(.{0,1000}?)\*\/([>%])\}\}/g, '{{$1$2$3}}');
}

/** A line that begins with a comment is HTML to its end: what parts the comment of a tag from the text behind it. */
function endHtmlLine(before: string, behind: string): string {
  const [, marks] = /\n((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)$/.exec(before) ?? [];
  if (marks === undefined || !/^[ \t]*\S/.test(behind)) return '';
  const next = marks.replace(/[^>\s]/g, ' ');
  return `\n${next.trimEnd()}\n${next}`;
}

/** Where code is, in the order of the text. */
function listCode(tree: Root): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  walk(tree, (node) => {
    if (node.type === 'code' || node.type === 'inlineCode') found.push(readRange(node));
  });
  return found;
}

/** `before`: what is in front of it, whose indentation it gets. */
function writeCodeBlock(code: string, language: string, before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [indent, start] = line.trim() === '' ? [line, ''] : ['', '\n\n'];
  return start + writeFence(code.replace(/^[ \t]*\n|\s+$/g, ''), language, indent);
}

/** What a tag becomes; null: it has no form here. `isAddress`: it stands where an address begins. */
function expandTag({ name, words }: { readonly name: string; readonly words: string }, isAddress: boolean) {
  const attributes = new Map(
    [...words.matchAll(/\b(\w+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, key, one, other]) => [key, one ?? other]),
  );
  const find = (key: string) => attributes.get(key) ?? '';
  const [first = ''] = words.trim().match(/"[^"]*"|'[^']*'|[^\s"']+/) ?? [];
  const plain = (find('id') || find('path') || first).replace(/^["']|["']$/g, '');
  if (/^(?:post_url|link|ref|relref)$/.test(name)) return isAddress ? FILE_SCHEME + encodeURI(plain) : null;
  if (name === 'youtube' && /^[\w-]{11}$/.test(plain)) return writeEmbed(plain);
  if (name === 'vimeo' && /^\d+$/.test(plain)) return writeEmbed(`https://vimeo.com/${plain}`);
  if (name === 'figure')
    return `![${escapeMarkdown(find('alt') || find('caption') || find('title'))}](${writeAddress(find('src'))})`;
  return null;
}

/** A value of Liquid: the title, the address of the site, or in an address a text, whatever filters it has. */
function expandValue(value: string, title: string, isAddress: boolean): string | null {
  if (/^(?:page\.)?title\s*(?:\|\s*(?:escape|safe)\s*)?$/.test(value)) {
    // It may stand in Markdown and in HTML.
    return escapeHtml(title).replace(/[\\`*_[\]~|#]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  }
  if (/^site\.(?:base)?url\s*$/.test(value) || /^\/\*[\s\S]*\*\/$/.test(value.trim())) return '';
  const [, text, filter = ''] = /^["']([^"']*)["']\s*(?:\|\s*(\w+)[\s\S]*)?$/.exec(value) ?? [];
  if (/^(?:relative_url|absolute_url)$/.test(filter))
    return text?.replace(/^(?![a-z][a-z\d+.-]*:|\/)/i, '/') ?? null;
  return isAddress || /^(?:prepend|url)$/.test(filter) ? (text ?? null) : null;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Component = MdxJsxFlowElement | MdxJsxTextElement;
type Linked = Extract<Nodes, { type: 'link' | 'linkReference' }>;

const readRange = ({ position }: Nodes): [from: number, to: number] => [
  position?.start.offset ?? 0,
  position?.end.offset ?? 0,
];

/** Visits a tree in the order of its text, with the ancestors of each node. */
function walk(root: Nodes, visit: (node: Nodes, ancestors: readonly Nodes[]) => void): void {
  const open: (readonly [Nodes, readonly Nodes[]])[] = [[root, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, ancestors] = next;
    visit(node, ancestors);
    if (!('children' in node)) continue;
    const inner = [...ancestors.slice(-8), node];
    for (const child of node.children.toReversed()) open.push([child, inner]);
  }
}

class BodyWriter {
  links = 0;
  linksRead = 0;
  images = 0;
  readonly #source: string;
  readonly #rewriter: MarkdownRewriter;
  readonly #edits: Edit[] = [];
  readonly #definitions = new Map<string, Extract<Nodes, { type: 'definition' }>>();
  readonly #footnotes = new Map<string, Extract<Nodes, { type: 'footnoteDefinition' }>>();
  /** Labels of footnotes in the order of their marks. */
  readonly #marks = new Map<string, number>();
  /** Links of HTML that are left out and not closed yet. */
  #dropped = 0;
  /** Where the statements of MDX import from, by name. */
  readonly #imports = new Map<string, string>();

  constructor(source: string, rewriter: MarkdownRewriter) {
    this.#source = source;
    this.#rewriter = rewriter;
  }

  write(tree: Root): string {
    walk(tree, (node) => {
      if (node.type === 'definition') this.#definitions.set(node.identifier, node);
      if (node.type === 'footnoteDefinition') this.#footnotes.set(node.identifier, node);
    });
    walk(tree, (node, ancestors) => this.#visit(node, ancestors));
    const footnotes = this.#writeFootnotes();
    for (const note of this.#footnotes.values()) this.#replace(note, '');
    this.#edits.sort((one, other) => one.from - other.from || other.to - one.to);
    return [this.#build(0, this.#source.length).trim(), footnotes].filter(Boolean).join('\n\n');
  }

  #replace(node: Nodes, text: string): void {
    const [from, to] = readRange(node);
    this.#edits.push({ from, to, text });
  }

  /** A part of the source with its edits. */
  #build(from: number, to: number, edits: readonly Edit[] = this.#edits): string {
    let [out, at] = ['', from];
    for (const edit of edits) {
      if (edit.from < at || edit.to > to) continue;
      out += protect(this.#source.slice(at, edit.from)) + edit.text;
      at = edit.to;
    }
    return out + protect(this.#source.slice(at, to));
  }

  #visit(node: Nodes, ancestors: readonly Nodes[]) {
    switch (node.type) {
      case 'code':
      case 'inlineCode': {
        const own = this.#source.slice(...readRange(node));
        const language = 'lang' in node && node.lang ? ` class="language-${escapeHtml(node.lang)}"` : '';
        const code = `<code${language}>${escapeHtml(node.value).replaceAll('\n\n', '\n&#10;')}</code>`;
        const html = node.type === 'code' ? `<pre>${code}</pre>` : code;
        return this.#replace(node, hasPlaceholder(node.value) ? escapePlaceholders(html) : own);
      }
      case 'html':
        // As it is written: lines within a list are indented.
        return this.#replace(node, this.#rewriteHtml(this.#source.slice(...readRange(node))));
      case 'link':
        return this.#rewriteLink(node, node.url, node.title);
      case 'linkReference': {
        const { url, title } = this.#definitions.get(node.identifier) ?? {};
        return url === undefined ? undefined : this.#rewriteLink(node, url, title);
      }
      case 'image':
        return this.#replace(node, this.#writeImage(node.url, node.alt ?? '', node.title, node));
      case 'imageReference': {
        const { url, title } = this.#definitions.get(node.identifier) ?? {};
        return url === undefined
          ? undefined
          : this.#replace(node, this.#writeImage(url, node.alt ?? '', title, node));
      }
      case 'footnoteReference':
        return this.#markFootnote(node);
      case 'text':
        for (const [mark] of this.#source.slice(...readRange(node)).matchAll(MARKS))
          this.#rewriter.onUnknown(mark === '^[' ? '^[…]' : mark);
        return this.#dropAttributes(node, ancestors);
      case 'mdxjsEsm':
        for (const statement of node.data?.estree?.body ?? [])
          if (statement.type === 'ImportDeclaration')
            for (const { local } of statement.specifiers)
              this.#imports.set(local.name, String(statement.source.value));
        this.#rewriter.onUnknown('a line of MDX');
        return this.#replace(
          node,
          `<!-- ${node.value
            .replace(/--+/g, '-')
            .replace(/>/g, '')
            .replace(/\n\s*\n/g, '\n')} -->`,
        );
      case 'mdxFlowExpression':
      case 'mdxTextExpression': {
        const [statement] = node.data?.estree?.body ?? [];
        if (statement === undefined) return this.#replace(node, '');
        const value = statement.type === 'ExpressionStatement' ? statement.expression : null;
        if (value?.type === 'Literal') return this.#replace(node, escapeMarkdown(String(value.value)));
        this.#rewriter.onUnknown(`{${node.value.trim().slice(0, 60)}}`);
        return undefined;
      }
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return this.#writeComponent(node);
      default:
        return undefined;
    }
  }

  /** Rewrites what is around the words of a link, so that these stay as they are. */
  #rewriteLink(node: Linked, href: string, title: string | null | undefined) {
    const [from, to] = readRange(node);
    const [first, last] = [node.children[0], node.children.at(-1)];
    const start = first === undefined ? from + 1 : readRange(first)[0];
    const end = last === undefined ? start : readRange(last)[1];
    const isWritten = this.#source[from] === '[';
    const link = this.#openLink(href);
    const words = isWritten ? null : escapeMarkdown(this.#source.slice(start, end));
    const put = (before: string, after: string) => {
      if (words !== null) this.#replace(node, before + words + after);
      else this.#edits.push({ from, to: start, text: before }, { from: end, to, text: after });
    };
    if (link === null) return put('', '');
    if (link.isSponsored) return put(writeTag('a', { href: link.href, rel: 'sponsored' }), '</a>');
    if (link.href === href) return undefined;
    return put('[', `](${writeAddress(link.href)}${writeTitle(title ?? undefined)})`);
  }

  #openLink(href: string): RewrittenLink | null {
    this.linksRead += 1;
    const link = this.#rewriter.rewriteLink(href);
    if (link !== null) this.links += 1;
    return link;
  }

  /** The Markdown of an image; as it was written when nothing of it changes. */
  #writeImage(src: string, alt: string, title: string | null | undefined, node?: Nodes): string {
    const image = this.#rewriter.rewriteImage(src, alt);
    if (image === null) return '';
    this.images += 1;
    if (node !== undefined && image.src === src && image.alt === alt)
      return this.#source.slice(...readRange(node));
    return `![${escapeMarkdown(image.alt)}](${writeAddress(image.src)}${writeTitle(title ?? undefined)})`;
  }

  /** Rewrites the tags of links and images in HTML. */
  #rewriteHtml(html: string): string {
    let [out, end] = ['', 0];
    // Within a paragraph, each tag comes alone.
    if (this.#dropped > 0 && /^<\/a\s*>$/i.test(html)) {
      this.#dropped -= 1;
      return '';
    }
    const parser = new Parser({
      onopentag: (name, attributes, isImplied) => {
        const tag = isImplied ? '' : this.#rewriteTag(name, attributes);
        if (isHidden(attributes)) this.#rewriter.onUnknown(`a hidden <${name}>`);
        if (UNSHOWN.has(name)) this.#rewriter.onUnknown(`<${name}>`);
        if (tag === null || isImplied) return;
        if (name === 'a' && tag === '') this.#dropped += 1;
        out += html.slice(end, parser.startIndex) + tag;
        end = parser.endIndex + 1;
      },
      onclosetag: (name, isImplied) => {
        if (name !== 'a' || isImplied || this.#dropped === 0) return;
        this.#dropped -= 1;
        out += html.slice(end, parser.startIndex);
        end = parser.endIndex + 1;
      },
    });
    parser.end(html);
    return escapePlaceholders(out + html.slice(end)).replace(/\[\^(?=\d{1,2}\])/g, '[&#94;');
  }

  /** The tag of a link or an image; null when it stays as it is. */
  #rewriteTag(name: string, attributes: Readonly<Record<string, string>>): string | null {
    const { href } = attributes;
    if (name === 'a' && href !== undefined) {
      const { rel, target, href: _, ...others } = attributes;
      const link = this.#openLink(href.trim());
      if (link === null) return '';
      if (link.href === href.trim() && !link.isSponsored) return null;
      return writeTag('a', { href: link.href, ...others, ...(link.isSponsored && { rel: 'sponsored' }) });
    }
    // The image beside them is shown in every size here.
    if (name === 'source' && attributes['srcset'] !== undefined) return '';
    const [src] = name === 'img' ? listSources(attributes) : [];
    if (src === undefined) return null;
    const { srcset: _, sizes: __, ...others } = attributes;
    const image = this.#rewriter.rewriteImage(src, attributes['alt'] ?? '');
    if (image === null) return '';
    this.images += 1;
    return writeTag('img', { ...others, src: image.src, alt: image.alt });
  }

  #markFootnote(node: Extract<Nodes, { type: 'footnoteReference' }>): void {
    const number = this.#marks.get(node.identifier) ?? this.#marks.size + 1;
    const id = this.#marks.has(node.identifier) ? '' : ` id="footnote-mark-${number}"`;
    this.#marks.set(node.identifier, number);
    this.#replace(node, `<sup><a href="#footnote-${number}"${id}>${number}</a></sup>`);
  }

  /** The footnotes as a list, those without a mark last. */
  #writeFootnotes(): string {
    const edits = this.#edits.toSorted((one, other) => one.from - other.from || other.to - one.to);
    const marked = new Set(this.#marks.keys());
    for (const label of this.#footnotes.keys())
      if (!this.#marks.has(label)) this.#marks.set(label, this.#marks.size + 1);
    const items = [...this.#marks].flatMap(([label, number]) => {
      const note = this.#footnotes.get(label);
      if (note === undefined) return [];
      const blocks = note.children.map((child) => {
        const margin = Math.min((child.position?.start.column ?? 1) - 1, 8);
        return this.#build(...readRange(child), edits).replace(
          /\n([ \t]+)/g,
          (_, space: string) => `\n${space.slice(margin)}`,
        );
      });
      const text = `<span id="footnote-${number}"></span>${blocks.join('\n\n')}${marked.has(label) ? ` [↩](#footnote-mark-${number})` : ''}`;
      return [prefix(text, `${number}. `, '   ')];
    });
    return items.join('\n');
  }

  /** Removes the attributes that kramdown and Goldmark read in braces; the id of a heading stays. */
  #dropAttributes(node: Extract<Nodes, { type: 'text' }>, ancestors: readonly Nodes[]): void {
    const [from, to] = readRange(node);
    const parent = ancestors.at(-1);
    const isHeading = parent?.type === 'heading' && parent.children.at(-1) === node;
    for (const match of this.#source.slice(from, to).matchAll(ATTRIBUTES)) {
      const [text, colon, words = ''] = match;
      const at = from + match.index;
      const list = ancestors.findLast(({ type }) => type === 'list');
      const siblings = parent?.type === 'paragraph' && ancestors.at(-2);
      const before =
        siblings && 'children' in siblings
          ? siblings.children[[...siblings.children].indexOf(parent) - 1]
          : undefined;
      const isAlone = parent !== undefined && this.#source.slice(...readRange(parent)).trim() === text;
      if (colon === '' && !(isHeading && at + text.length === to && /^\s*(?:[#.]|[\w-]+=|$)/.test(words)))
        continue;
      if (/^\s*toc\b/.test(words) && list !== undefined) this.#replace(list, '');
      else this.#edits.push({ from: at, to: at + text.length, text: '' });
      const heading = isHeading ? parent : isAlone && before?.type === 'heading' ? before : undefined;
      const id = /#([\w:.-]+)/.exec(words)?.[1];
      if (heading === undefined || id === undefined) continue;
      const [start = at] = heading.children[0] === undefined ? [] : readRange(heading.children[0]);
      this.#edits.push({ from: start, to: start, text: `${writeTag('span', { id })}</span>` });
    }
  }

  /** A component of MDX becomes what it encloses, with its link, image or film; elements of HTML stay. */
  #writeComponent(node: Component) {
    const [from, to] = readRange(node);
    const [first, last] = [node.children[0], node.children.at(-1)];
    const inner =
      first === undefined || last === undefined ? null : ([readRange(first)[0], readRange(last)[1]] as const);
    const isFlow = node.type === 'mdxJsxFlowElement';
    const gap = isFlow ? '\n\n' : '';
    const put = (before: string, after: string) => {
      if (inner === null) return this.#replace(node, before + after);
      // What is in front of its first words may be white space that parts them.
      const space = isFlow ? '' : (/\s*$/.exec(this.#source.slice(from, inner[0]))?.[0] ?? '');
      this.#edits.push(
        { from, to: inner[0], text: before === '' ? space : before + gap + space },
        { from: inner[1], to, text: after === '' ? '' : gap + after },
      );
      if (isFlow) this.#dedent(node);
    };
    const name = node.name ?? '';
    const attributes = this.#readAttributes(node);
    const { href, to: target, url, link: linked, src, alt } = attributes;
    if (/^[a-z][a-z\d]*$/.test(name)) {
      const tag = this.#rewriteTag(name, attributes) ?? writeTag(name, attributes);
      return put(
        tag,
        tag === '' || (inner === null && /^(?:img|br|hr|source|wbr)$/.test(name)) ? '' : `</${name}>`,
      );
    }
    if (name !== '') this.#rewriter.onUnknown(`<${name}>`);
    const id = attributes['id'] ?? attributes['videoId'] ?? '';
    if (/youtube/i.test(name) && /^[\w-]{11}$/.test(id)) return put(writeEmbed(id), '');
    const words = escapeMarkdown(
      Object.entries(attributes)
        .flatMap(([key, value]) => (isProse(key, value) ? [extractText(value)] : []))
        .join(' '),
    );
    const image =
      src === undefined || /^(?:iframe|video|audio)$/i.test(name)
        ? ''
        : this.#writeImage(src, alt ?? '', null);
    const address = href ?? target ?? url ?? linked;
    if (address === undefined)
      return put(
        [image, words].filter(Boolean).join(gap || ' ') +
          (words !== '' && inner !== null && !isFlow ? ' ' : ''),
        '',
      );
    const link = this.#openLink(address);
    const open =
      link === null ? '' : writeTag('a', { href: link.href, ...(link.isSponsored && { rel: 'sponsored' }) });
    const close = link === null ? '' : '</a>';
    if (inner === null || isFlow) return put(image, `${open}${words || escapeMarkdown(address)}${close}`);
    return put(open + image, close);
  }

  /** What a component encloses is indented, which would make it code. */
  #dedent(node: Component): void {
    for (const child of node.children) {
      const { start, end } = child.position ?? {};
      if (start === undefined || end === undefined) continue;
      let at = (start.offset ?? 0) - (start.column - 1);
      for (let line = start.line; line <= end.line; line += 1) {
        const next = this.#source.indexOf('\n', at);
        const space = /^[ \t]*/.exec(this.#source.slice(at, at + start.column - 1))?.[0].length ?? 0;
        if (space > 0) this.#edits.push({ from: at, to: at + space, text: '' });
        at = next + 1;
      }
    }
  }

  /** The attributes of an element of MDX that are texts, or names of what is imported. */
  #readAttributes(node: Component): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const attribute of node.attributes) {
      if (attribute.type !== 'mdxJsxAttribute') continue;
      const name = attribute.name === 'className' ? 'class' : attribute.name;
      const { value } = attribute;
      if (typeof value === 'string') found[name] = value;
      if (typeof value !== 'object' || value === null) continue;
      const [statement] = value.data?.estree?.body ?? [];
      const expression = statement?.type === 'ExpressionStatement' ? statement.expression : null;
      const named = expression?.type === 'Identifier' ? this.#imports.get(expression.name) : undefined;
      const [text] =
        expression?.type === 'TemplateLiteral' && expression.expressions.length === 0
          ? expression.quasis
          : [];
      if (expression?.type === 'Literal') found[name] = String(expression.value);
      else if (typeof text?.value.cooked === 'string') found[name] = text.value.cooked;
      else if (named !== undefined) found[name] = named;
      else this.#rewriter.onUnknown(`${name}={${value.value.slice(0, 60)}}`);
    }
    return found;
  }
}

/** Whether an attribute of a component is a text that it shows. */
const isProse = (name: string, value: string) =>
  /^(?:title|label|text|heading|caption|summary|question|answer|term|d[td]|subtitle|quote|author)$/i.test(
    name,
  ) ||
  (/\p{L}[.,!?]?\s+\p{L}/u.test(value) &&
    !/^(?:class|style|alt|sizes|srcset|rel|allow|src|href|to|url|link)$|[-:]|^on/.test(name));

/** What stays as text: notes within a line, and where generators put a list of the headings. */
const MARKS = /\^\[|\[\[?_?toc_?\]?\]|\$\{toc\}/gi;

const ATTRIBUTES = /[ \t]?\{(:?)([ \t]*(?:[#.:/\w][^{}\n]{0,300})?)\}/g;

const writeTag = (name: string, attributes: Readonly<Record<string, string>>) =>
  `<${name}${writeAttributes(attributes)}>`;

/** Leaves what would be a shortcode, a figure or a citation here as text. */
const protect = (text: string) =>
  splitAtShortcodes(text)
    .map((part, at) => (at % 2 === 0 ? escapePlaceholders(part) : `\`${part}\``))
    .join('')
    .replace(/(?<!\\)\[\^(?=\d{1,2}\])/g, '\\[^');
