import { REDIRECT_PREFIX } from '../../core/paths.ts';

/** The text as the site sets it. */
export const DESK_STYLES = `
.desk-text { position: relative; font: 1.0625rem/1.62 var(--font-text); color: var(--ink); }
.desk-text [hidden] { display: none; }
.ProseMirror { min-height: 24rem; padding: .4rem 2px 4rem; outline: none; white-space: break-spaces;
overflow-wrap: break-word; font-variant-ligatures: none; caret-color: var(--ink); }
.ProseMirror > * { margin: 0 0 1.1rem; }
.ProseMirror > .desk-settled { content-visibility: auto; contain-intrinsic-size: auto 3rem; }
.ProseMirror > :is(.desk-block, .desk-picture, .desk-grid) { contain-intrinsic-size: auto 14rem; }
.ProseMirror > .desk-settled:is(:focus-within, [data-selected]) { content-visibility: visible; }
.ProseMirror ::selection { background: color-mix(in oklab, var(--accent) 28%, transparent); }
.ProseMirror :is(h1, h2, h3, h4, h5, h6) { font-family: var(--font-display); font-weight: 640; line-height: 1.2; padding-top: .5rem;
margin-bottom: .6rem; }
.ProseMirror :is(h1, h2) { font-size: 1.5rem; }
.ProseMirror h3 { font-size: 1.22rem; }
.ProseMirror :is(ul, ol) { padding-inline-start: 1.6em; }
.ProseMirror ul { list-style: disc; }
.ProseMirror ol { list-style: decimal; }
.ProseMirror :is(ul, ol, blockquote, .callout, table):has(> :first-child:dir(rtl), > li:first-child > :dir(rtl), th:first-child:dir(rtl)) {
direction: rtl; }
.ProseMirror li::marker { color: var(--accent); }
.ProseMirror li[data-checked] { list-style: none; }
.ProseMirror li[data-checked]::before { content: '\\2610'; float: inline-start; margin-inline-start: -1.4em; }
.ProseMirror li[data-checked="true"]::before { content: '\\2611'; }
.ProseMirror li > :not(:last-child) { margin-bottom: .3rem; }
.ProseMirror :is(strong, th) { font-weight: 640; }
.ProseMirror :is(code, pre) { font-family: var(--font-mono); font-size: .88em; background: var(--sunken); }
.ProseMirror pre { padding: .6rem; overflow-x: auto; white-space: pre-wrap; }
.ProseMirror pre code { background: none; font-size: inherit; }
.ProseMirror a { color: var(--accent); text-decoration: underline; text-underline-offset: .2em; cursor: text; }
.ProseMirror a[href^="${REDIRECT_PREFIX}"]::after { content: 'shop'; display: inline-block; margin: 0 .2em; padding: 0 .4em; font-size: .75rem;
border: 1px solid currentColor; border-radius: 1em; vertical-align: .1em; line-height: 1.4; }
.ProseMirror blockquote { padding-inline-start: 1em; border-inline-start: 3px solid var(--marker); color: var(--muted); }
.ProseMirror .callout { padding: .5rem 1em; background: var(--sunken); }
.ProseMirror :is(blockquote, .callout) > :not(:last-child) { margin-bottom: .6rem; }
.ProseMirror hr { margin: 1.2rem 0; border: 0; border-top: 1px solid var(--line); }
.ProseMirror :is(hr, .desk-block, .desk-picture).ProseMirror-selectednode, .ProseMirror [data-selected] { outline: 2px solid var(--accent);
outline-offset: 2px; }
.ProseMirror img { display: inline-block; max-width: 100%; max-height: 12rem; }
.desk-placeholder::before { content: 'Write, or press / for a product, a picture, a table'; float: left; height: 0; color: var(--muted);
pointer-events: none; }
.desk-figure { background: linear-gradient(transparent 62%, var(--marker) 62% 94%, transparent 94%); }
.desk-source { color: var(--accent); font-size: .7em; vertical-align: super; }
.desk-code-word, .desk-raw { font-family: var(--font-mono); font-size: .82rem; color: var(--muted); background: var(--sunken); }
.desk-picture img { display: block; max-height: 28rem; border-radius: var(--radius-sm); }
.desk-picture > input { width: 100%; padding: .4rem 0; border: 0; background: transparent; color: var(--ink); font: .9rem var(--font-text); }
.desk-block { position: relative; min-height: 3rem; }
.desk-block-bar { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; padding: .2rem 0; color: var(--muted);
font-size: .8rem; line-height: 1.4; white-space: normal; }
.desk-block-bar label { display: flex; gap: .4rem; align-items: center; font: .85rem var(--font-text); }
.desk-waits { padding: 1rem; background: var(--sunken); border-radius: var(--radius-sm); }
.desk-text .desk-tool { min-height: 1.75rem; padding: 0 .5rem; border: 1px solid var(--line); border-radius: var(--radius-sm);
background: var(--raised); color: var(--ink); font: 500 .8rem var(--font-text); cursor: pointer; }
.desk-grid { overflow-x: auto; }
.desk-grid table { width: 100%; border-collapse: collapse; font-size: .95rem; line-height: 1.4; }
.desk-grid :is(td, th) { min-width: 3rem; padding: .4rem .5rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.desk-grid [data-align="right"] { text-align: right; }
.desk-grid [data-align="center"] { text-align: center; }
.desk-text :is(button, input, a):focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
`;
