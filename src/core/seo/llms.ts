interface Listed {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** Builds llms.txt (llmstxt.org): what the site is and where its pages are, as Markdown. */
export function buildLlmsText(
  site: {
    readonly name: string;
    readonly description: string;
    readonly disclosure: string;
    readonly origin: string;
  },
  groups: readonly { readonly title: string; readonly items: readonly Listed[] }[],
): string {
  const sections = groups
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => {
      const rows = items.map(
        (item) => `- [${flat(item.title)}](${site.origin}${item.path}): ${flat(item.description)}`,
      );
      return `## ${title}\n\n${rows.join('\n')}\n`;
    });
  return `# ${site.name}\n\n> ${flat(site.description)}\n\n${flat(site.disclosure)}\n\n${sections.join('\n')}`;
}

/** One line without the characters that would end a Markdown link text. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();
}
