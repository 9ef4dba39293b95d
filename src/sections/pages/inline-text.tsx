import { Lexer, type Token } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import type { Calls } from '../core/content/page.schema.ts';
import { TextLink } from './text-link.tsx';

const MARKED = /==(.+?)==/;

/** One text of a page document with its marks: strong, emphasis, links, code, strike, and `==marked==`. */
export function InlineText(props: { readonly text: string; readonly calls?: Calls | undefined }) {
  return <InlineTokens tokens={Lexer.lexInline(props.text)} calls={props.calls} />;
}

/** Parsed inline Markdown as elements. HTML in it stays text. */
export function InlineTokens(props: {
  readonly tokens: readonly Token[];
  readonly calls?: Calls | undefined;
}): ReactNode {
  return createElement(Fragment, null, ...props.tokens.map((token) => renderToken(token, props.calls)));
}

function renderToken(token: Token, calls: Calls | undefined): ReactNode {
  const inner =
    'tokens' in token && token.tokens ? <InlineTokens tokens={token.tokens} calls={calls} /> : null;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <s className="text-muted">{inner}</s>;
    case 'codespan':
      return <code>{token['text']}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <TextLink href={String(token['href'])} calls={calls}>
          {inner}
        </TextLink>
      );
    case 'text':
    case 'escape':
      return renderMarked(String(token['text']));
    default:
      return token.raw;
  }
}

function renderMarked(text: string): ReactNode {
  const renderPart = (part: string, index: number) =>
    index % 2 === 0 ? part : <mark className="marked">{part}</mark>;
  return MARKED.test(text) ? createElement(Fragment, null, ...text.split(MARKED).map(renderPart)) : text;
}
