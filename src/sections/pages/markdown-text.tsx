import { lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import type { Calls } from '../core/content/page.schema.ts';
import { InlineTokens } from './inline-text.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** A heading of a Markdown text, for a list of contents. */
export interface MarkdownHeading {
  readonly id: string;
  readonly text: string;
}

/** Markdown of several blocks as elements; HTML in it stays text. Headings get ids to link to. */
export function Markdown(props: { readonly text: string; readonly calls?: Calls | undefined }) {
  return <Blocks tokens={lexer(props.text)} calls={props.calls} />;
}

/** The `##` headings of a Markdown text. */
export function listHeadings(text: string): MarkdownHeading[] {
  return lexer(text)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token['depth'] === 2)
    .map((token) => ({ id: buildHeadingId(token.text), text: token.text }));
}

function buildHeadingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function Blocks(props: { readonly tokens: readonly Token[]; readonly calls: Calls | undefined }): ReactNode {
  return createElement(
    Fragment,
    null,
    ...props.tokens.map((token) => renderBlock(token as Tokens.Generic, props.calls)),
  );
}

function renderBlock(token: Tokens.Generic, calls: Calls | undefined): ReactNode {
  const inline = token.tokens ? <InlineTokens tokens={token.tokens} calls={calls} /> : null;
  switch (token.type) {
    case 'heading':
      return token['depth'] <= 2 ? (
        <h2 id={buildHeadingId(token['text'])}>{inline}</h2>
      ) : (
        <h3 id={buildHeadingId(token['text'])}>{inline}</h3>
      );
    case 'paragraph':
      return <p>{inline}</p>;
    case 'list':
      return renderList(token as Tokens.List, calls);
    case 'table':
      return renderTable(token as Tokens.Table, calls);
    case 'blockquote':
      return <aside>{token.tokens && <Blocks tokens={token.tokens} calls={calls} />}</aside>;
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    default:
      return inline ?? token.raw;
  }
}

function renderList(list: Tokens.List, calls: Calls | undefined): ReactNode {
  const Tag = list.ordered ? 'ol' : 'ul';
  return (
    <Tag>
      {list.items.map((item) => (
        <li key={item.text}>
          <Blocks tokens={item.tokens} calls={calls} />
        </li>
      ))}
    </Tag>
  );
}

function renderTable(table: Tokens.Table, calls: Calls | undefined): ReactNode {
  const className = (cell: Tokens.TableCell) => (cell.align === 'right' ? 'n text-right' : undefined);
  return (
    <ScrollBox label={table.header.map((cell) => cell.text).join(', ')}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell) => (
              <th key={cell.text} scope="col" className={className(cell)}>
                <InlineTokens tokens={cell.tokens} calls={calls} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.map((cell) => cell.text).join('|')}>
              {row.map((cell, index) => (
                <td key={table.header[index]?.text} className={className(cell)}>
                  <InlineTokens tokens={cell.tokens} calls={calls} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
