import type { Page } from '../pages/page.schema.ts';

/** Structured data of a page (schema.org): its questions, when it has any. */
export function buildPageData(page: Page): object[] {
  const questions = page.sections.flatMap((section) => (section.type === 'faq' ? section.items : []));
  if (questions.length === 0) return [];
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: buildPlainText(question),
        acceptedAnswer: { '@type': 'Answer', text: buildPlainText(answer) },
      })),
    },
  ];
}

/** Markdown of a page document as plain text: links and marks keep their words. */
export function buildPlainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|==|~~|`/g, '')
    .replace(/(^|\W)_([^_]+)_(?=\W|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim();
}
