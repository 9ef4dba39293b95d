/** Strips the markup from Markdown, well enough to count and to search its words. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\]\([^()]*\)/g, '] ')
    .replace(/^[ \t:|-]*\|[ \t:|-]*$/gm, ' ')
    .replace(/^(?:```|~~~).*$/gm, ' ')
    .replace(/^[ \t]*[-+][ \t]+/gm, '')
    .replace(/[#*_`>|[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:?)])/g, '')
    .trim();
}
