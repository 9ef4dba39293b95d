import { Lexer, type Token } from 'marked';
import { createElement, Fragment, type ReactNode, type ThHTMLAttributes } from 'react';
import { buildPartnerLink, type Cta } from '../../core/outbound/cta.ts';
import { CLAIM_NOTE_ID } from '../../core/pages/claims/claims.ts';
import { buildMarkId, FACT_HREF } from '../../core/pages/claims/corrections.ts';
import { parsePartnerTarget } from '../../core/pages/partner-link-check.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { getCodeClass, keepWhole, renderParts } from '../../ui/whole-words.tsx';
import { ClaimMark } from '../shell/notes.tsx';

const MARKED = /==(.+?)==/;

/** One text of a page document with its marks: strong, emphasis, links, code, strike, and `==marked==`. */
export function InlineText(props: { readonly text: string; readonly cta: Cta }) {
  return <InlineTokens tokens={Lexer.lexInline(props.text)} cta={props.cta} />;
}

/** Such a text in an element of its own, a paragraph unless `as` names another one; nothing without a text. */
export function Text({ as = 'p', text, cta, ...attributes }: TextProps) {
  return text === undefined ? null : createElement(as, attributes, <InlineText text={text} cta={cta} />);
}

type TextProps = Omit<ThHTMLAttributes<HTMLElement>, 'children'> & {
  readonly as?: keyof HTMLElementTagNameMap;
  readonly text: string | undefined;
  readonly cta: Cta;
  readonly [data: `data-${string}`]: unknown;
};

/** Parsed inline Markdown as elements. HTML in it stays text. */
export function InlineTokens(props: { readonly tokens: readonly Token[]; readonly cta: Cta }): ReactNode {
  return createElement(Fragment, null, ...props.tokens.map((token) => renderToken(token, props.cta)));
}

function renderToken(token: Token, cta: Cta): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <InlineTokens tokens={token.tokens} cta={cta} /> : null;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <s className="text-muted">{inner}</s>;
    case 'codespan':
      return <code className={getCodeClass(token['text'])}>{token['text']}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <TextLink
          href={String(token['href'])}
          title={token['title']}
          isMark={token['text'] === '†'}
          cta={cta}
        >
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

/** A text with its `==marked==` parts. */
export function renderMarked(text: string): ReactNode {
  return renderParts(text, MARKED, keepWhole, (part) => <mark>{keepWhole(part)}</mark>);
}

/** A link in running text: `partner:pricing` and `partner:kit/trial` lead to a partner, the rest where they say. */
function TextLink(props: {
  readonly href: string;
  readonly title: unknown;
  /** Whether it is the mark of a claim. */
  readonly isMark: boolean;
  readonly cta: Cta;
  readonly children: ReactNode;
}) {
  const { href, title, isMark, cta, children } = props;
  const target = parsePartnerTarget(href);
  if (target !== null) return <PartnerLink {...buildPartnerLink(cta, target)}>{children}</PartnerLink>;
  const id = typeof title === 'string' ? buildMarkId(title) : undefined;
  if (isMark && (href === `#${CLAIM_NOTE_ID}` || FACT_HREF.test(href)))
    return <ClaimMark href={href} id={id} />;
  if (FACT_HREF.test(href)) {
    return (
      <a href={href} id={id}>
        {children}
      </a>
    );
  }
  if (/^(#|\/(?!\/)|mailto:)/.test(href)) return <a href={href}>{children}</a>;
  if (!href.startsWith('https://')) return children;
  return (
    <a href={href} rel="noopener">
      {children}
    </a>
  );
}
