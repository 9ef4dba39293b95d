import { buildSlug } from '../text/slug.ts';

/** Builds the document of a new landing page: a draft until its text is written. */
export function buildPageDraft(title: string, day: string): string {
  const quoted = JSON.stringify(title);
  return `# yaml-language-server: $schema=../page.schema.json
title: ${quoted}
# 50 to 170 characters, for search results.
description: "What this page is about and what the reader can decide after it, in one plain sentence."
header: landing
# Hides the page; remove it to publish. npm run -s preview-link prints the address that opens it until then.
draft: true
updated: ${day}
cta: { source: landing }
sections:
  - type: hero
    title: ${quoted}
    actions:
      - { label: See the current price, partnerLink: pricing, source: hero }
  - type: prose
    body: |
      Running text in Markdown.
`;
}

/**
 * Builds the file of a new article: a head to fill in, and a body that says what belongs where. `day`: `2026-03-12`;
 * `topic`: the first category, one of the site's topics.
 */
export function buildArticleDraft(title: string, day: string, topic: string): string {
  return `---
title: ${JSON.stringify(title)}
excerpt: "One or two sentences that say what the reader learns."
# The first is the topic.
categories: [${JSON.stringify(topic)}]
tags: []
publishedAt: ${day}
# Document title and description in search results.
seoTitle: ${JSON.stringify(title)}
seoDescription: "What a searcher reads under the title, in 120 to 160 characters."
# The image on cards and at the top. Put the file there, then remove the # of these lines.
# image:
#   src: ../images/articles/${buildSlug(title)}.jpg
#   alt: "What the image shows, for readers who cannot see it."
#   focus: 50% 50%
draft: true
---
State the main point of the article here, in one paragraph.

## Say in the heading what the part says

Then the reasoning, with one example:

| Line | Amount |
| --- | ---: |
| First | 10 |
| Second | 20 |
| **Together** | **30** |
`;
}

/** Texts that `npm run new` writes into a draft for the author to replace. A file with one is never published. */
const IN_DRAFTS: readonly string[] = [
  'One or two sentences that say what the reader learns.',
  'What a searcher reads under the title, in 120 to 160 characters.',
  'State the main point of the article here, in one paragraph.',
  'Say in the heading what the part says',
  'What this page is about and what the reader can decide after it, in one plain sentence.',
  'Running text in Markdown.',
];

/** The same, with those of `npm run new -- site`, whose pages are published from the start. */
export const PLACEHOLDERS: readonly string[] = [
  ...IN_DRAFTS,
  'Say here ',
  'Example Product',
  'Example product',
];

/** Why a text that is not a draft cannot be published; null when it can. Continues a sentence about its field. */
export function findDraftPlaceholder(text: string): string | null {
  const found = IN_DRAFTS.find((placeholder) => text.includes(placeholder));
  return found === undefined ? null : `still has "${found}": replace it, or set draft: true`;
}
