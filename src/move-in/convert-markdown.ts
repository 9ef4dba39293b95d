import { escapePlaceholders, hasPlaceholder, splitAtShortcodes } from '../core/articles/shortcodes.ts';
import { escapeHtml } from '../core/text/parse-text.ts';
import type { RewrittenImage, RewrittenLink } from './html-to-markdown.ts';

interface MarkdownRewriter {
  readonly rewriteLink: (href: string) => RewrittenLink | null;
  readonly rewriteImage: (src: string, alt: string) => RewrittenImage | null;
  /** Gets the name of what has no form here, such as `{% include %}`. */
  readonly onUnknown: (name: string) => void;
}

/**
 * Rewrites the links and images of a body that is Markdown already. Tags of Liquid, shortcodes of Hugo and lines of MDX become
 * comments; code stays as it is. Returns the body with how many links and images it had and has.
 */
export function convertMarkdown(body: string, { rewriteLink, rewriteImage, onUnknown }: MarkdownRewriter) {
  let [linksRead, linksWritten, images] = [0, 0, 0];
  const convert = (text: string) =>
    text
      .replace(
        /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*<?([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(\s+"[^"]*")?\s*\)/g,
        (_, mark: string, text: string, address: string, title = '') => {
          if (mark !== '') {
            images += 1;
            const image = rewriteImage(address, text);
            if (image === null) return '';
            return `![${image.alt}](${image.src}${title})`;
          }
          linksRead += 1;
          const link = rewriteLink(address);
          if (link === null) return text;
          linksWritten += 1;
          if (link.isSponsored)
            return `<a href="${link.href.replaceAll('&', '&amp;').replaceAll('"', '%22')}" rel="sponsored">${text}</a>`;
          return `[${text}](${link.href}${title})`;
        },
      )
      .replace(
        /\{\{[<%]\s*youtube\s+(?:id=)?"?([\w-]{11})"?[^{}]*[>%]\}\}/g,
        '<iframe src="https://www.youtube.com/embed/$1" title="Watch the video on YouTube"></iframe>',
      )
      .replace(/\{\{[<%]\s*figure\s+([^{}]*)[>%]\}\}/g, (_, attributes: string) => {
        const find = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
        const image = rewriteImage(find('src'), find('alt') || find('caption'));
        return image === null ? '' : `![${image.alt}](${image.src})`;
      })
      .replace(
        /\{\{[<%]\s*(\/?\w[\w-]*)[^{}]*[>%]\}\}|\{%-?\s*(\w+)[^%]*%\}|^(?:import|export) [^\n]*$/gm,
        (found, hugo?: string, liquid?: string) => {
          onUnknown(
            hugo !== undefined
              ? `{{< ${hugo} >}}`
              : liquid !== undefined
                ? `{% ${liquid} %}`
                : 'a line of MDX',
          );
          return `<!-- ${found.replace(/--+/g, '-').replace(/>/g, '')} -->`;
        },
      );
  const rewrite = (text: string, code: RegExp) =>
    text
      .split(code)
      .map((part, at) =>
        at % 2 === 1 ? writeLiteralCode(part) : escapePlaceholders(markShortcodes(convert(part))),
      )
      .join('');
  // No block of code ends behind this place, so the rest is not searched for one.
  const last = [...body.matchAll(/^(?:```|~~~)[ \t]*$/gm)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  const markdown = rewrite(body.slice(0, end), CODE) + rewrite(body.slice(end), INLINE_CODE);
  return { markdown: markdown.trim(), linksRead, linksWritten, images };
}

const CODE = /(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)/m;
const INLINE_CODE = /(`[^`\n]+`)/;

/** Shows lines that this site would read as shortcodes as code. */
function markShortcodes(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      const [before = '', found, after = ''] = splitAtShortcodes(line);
      return found === undefined || /[^\s>*+\d.)-]/.test(before) || after.trim() !== ''
        ? line
        : `${before}\`${found}\`${after}`;
    })
    .join('\n');
}

/** Code as HTML, when this site would fill in a part of it. */
function writeLiteralCode(code: string): string {
  if (!hasPlaceholder(code)) return code;
  const [, language = '', text] =
    /^(?:```|~~~)[ \t]*([\w+#-]*)[^\n]*\n([\s\S]*?)\n?(?:```|~~~)[ \t]*$/.exec(code) ?? [];
  if (text === undefined) return escapePlaceholders(`<code>${escapeHtml(code.slice(1, -1))}</code>`);
  const name = language === '' ? '' : ` class="language-${language}"`;
  return escapePlaceholders(
    `<pre><code${name}>${escapeHtml(text).replaceAll('\n\n', '\n&#10;')}</code></pre>`,
  );
}
