import { buildSlug } from '../text/slug.ts';

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

| Line | A month |
| --- | ---: |
| First | $450 |
| Second | $297 |
| **Together** | **$747** |
`;
}
