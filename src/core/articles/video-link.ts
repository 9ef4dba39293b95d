import { escapeHtml, findClose, readTags, readText } from './html-tags.ts';

/**
 * Puts a link to the video into every `<figure data-video="ID">`, in place of what is inside: the island that
 * plays it finds the id, a reader without scripts the link. Nothing is loaded from the video service.
 */
export function linkVideos(html: string): string {
  const tags = readTags(html);
  let result = '';
  let last = 0;
  tags.forEach((tag, index) => {
    const id = / data-video="([\w-]{11})"/.exec(tag.attributes)?.[1];
    const close = id && tag.kind === 'open' && tag.start >= last ? findClose(tags, index) : null;
    if (!id || !close) return;
    const given = / title="([^"]*)"/.exec(tag.attributes)?.[1];
    const text =
      given ?? (escapeHtml(readText(html.slice(tag.end, close.start))) || 'Watch the video on YouTube');
    const link = `<a href="https://www.youtube.com/watch?v=${id}" rel="noopener">${text}</a>`;
    result += `${html.slice(last, tag.start)}<figure data-video="${id}">${link}</figure>`;
    last = close.end;
  });
  return result + html.slice(last);
}
