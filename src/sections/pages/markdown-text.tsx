import { lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import type { Cta } from '../../core/outbound/cta.ts';
import type { Heading } from '../../core/pages/page-context.ts';
import { buildHeadingId } from '../../core/pages/page-outline.ts';
import type { PageSection } from '../../core/pages/sections/section.schema.ts';
import { InlineTokens } from './inline-text.tsx';

/** Markdown of several blocks as elements; HTML in it stays text. Headings get ids to link to. */
export function Markdown(props: {
  readonly text: string;
  readonly cta: Cta;
  /** Whether the text has a heading above it, of which its own are parts. */
  readonly isBelowHeading?: boolean;
}) {
  const tokens = lexer(props.text);
  const depths = tokens.flatMap((token) => (token.type === 'heading' ? [readDepth(token)] : []));
  const shift = props.isBelowHeading && depths.length > 0 ? 3 - Math.min(...depths) : 0;
  return <Blocks tokens={tokens} cta={props.cta} shift={shift} />;
}

/** The classes of an element around a text: few texts have headings or tables, and pages carry the styles that they use. */
export const getProseClasses = (text: string) => (/^[#|]/m.test(text) ? 'prose prose-long' : 'prose');

/** The title of the page is its one `#`, and a text has two levels below it. */
const readDepth = (token: Token) => Math.min(3, Math.max(2, Number((token as Tokens.Heading).depth)));

/** The `##` headings of a Markdown text. */
export function listHeadings(text: string): readonly Heading[] {
  return lexer(text)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token['depth'] === 2)
    .map((token) => ({ id: buildHeadingId(token.text), text: token.text }))
    .filter(({ id }) => id !== '');
}

/**
 * Lists the headings below the title of a page that has a list of them, in order. There every section with a heading has an
 * anchor: its own, or one made of its heading.
 */
export function buildContents(given: readonly PageSection[]): {
  readonly sections: readonly PageSection[];
  readonly contents: readonly Heading[];
} {
  const isListed = given.some((section) => section.type === 'prose' && section.contents && !section.title);
  if (!isListed) return { sections: given, contents: [] };
  const sections = given.map((section) => {
    const id = section.id ?? buildHeadingId(readTitle(section));
    return id === '' ? section : { ...section, id };
  });
  const contents = sections.flatMap((section) => {
    const text = readTitle(section);
    if (text !== '') return { id: section.id ?? '', text };
    return section.type === 'prose' ? listHeadings(section.body) : [];
  });
  return { sections, contents };
}

/** The heading of a section below the title of the page, without marks; empty without one. */
function readTitle(section: PageSection): string {
  if (section.type === 'hero' || !('title' in section) || section.title === undefined) return '';
  return section.title
    .replaceAll('==', '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, (_, text: string) => text.replace('†', ''));
}

function Blocks(props: {
  readonly tokens: readonly Token[];
  readonly cta: Cta;
  readonly shift?: number;
}): ReactNode {
  const { tokens, cta, shift = 0 } = props;
  return createElement(
    Fragment,
    null,
    ...tokens.map((token) => renderBlock(token as Tokens.Generic, cta, shift)),
  );
}

function renderBlock(token: Tokens.Generic, cta: Cta, shift: number): ReactNode {
  const inline = token.tokens ? <InlineTokens tokens={token.tokens} cta={cta} /> : null;
  switch (token.type) {
    case 'heading': {
      const id = buildHeadingId(token['text']) || undefined;
      return createElement(`h${readDepth(token) + shift}`, { id }, inline);
    }
    case 'paragraph':
      return <p>{inline}</p>;
    case 'list':
      return renderList(token as Tokens.List, cta);
    case 'table':
      return renderTable(token as Tokens.Table, cta);
    case 'blockquote':
      return <aside>{token.tokens && <Blocks tokens={token.tokens} cta={cta} />}</aside>;
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    default:
      return inline ?? token.raw;
  }
}

function renderList({ ordered, start, items }: Tokens.List, cta: Cta): ReactNode {
  const entries = items.map((item) => (
    <li key={item.text}>
      <Blocks tokens={item.tokens} cta={cta} />
    </li>
  ));
  if (!ordered) return <ul>{entries}</ul>;
  return <ol start={start === 1 ? undefined : Number(start)}>{entries}</ol>;
}

/** Safari gives the keyboard no other way to scroll a box without links in it. */
const REACHABLE = { tabIndex: 0 } as const;

/** Four cells do not fit next to each other on a phone, nor do three of words. */
function isStackedOnPhones({ header }: Tokens.Table): boolean {
  return header.length > (header.some(({ align }) => align === 'right') ? 3 : 2);
}

function renderTable(table: Tokens.Table, cta: Cta): ReactNode {
  const className = (cell: Tokens.TableCell) => (cell.align === 'right' ? 'tabular text-right' : undefined);
  const isStacked = isStackedOnPhones(table);
  const name = table.header.map((cell) => cell.text).join(', ');
  return (
    <section {...REACHABLE} aria-label={name} className="overflow-x-auto">
      <table aria-label={name} data-stacked={isStacked || undefined}>
        <thead>
          <tr>
            {table.header.map((cell) => (
              <th key={cell.text} scope="col" className={className(cell)}>
                <InlineTokens tokens={cell.tokens} cta={cta} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.map((cell) => cell.text).join('|')}>
              {row.map((cell, index) => (
                <td
                  key={table.header[index]?.text}
                  className={className(cell)}
                  data-column={isStacked && index > 0 ? table.header[index]?.text : undefined}
                >
                  <InlineTokens tokens={cell.tokens} cta={cta} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
