import { Marked } from 'marked';

const marked = new Marked({ gfm: true });

/** Renders CommonMark with GFM tables, strikethrough and task lists to HTML that is not yet sanitised. */
export function renderMarkdown(markdown: string): string {
  return marked.parse(markdown, { async: false });
}
