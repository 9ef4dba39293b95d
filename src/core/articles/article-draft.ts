/** Builds the file of a new article: a head to fill in, and a body that says what belongs where. `day`: `2026-03-12`. */
export function buildArticleDraft(title: string, day: string): string {
  return `---
title: ${JSON.stringify(title)}
excerpt: "One or two sentences that say what the reader learns."
# The first is the topic.
categories: [CRM Strategy]
tags: [crm]
publishedAt: ${day}
# Document title and description in search results.
seoTitle: ${JSON.stringify(title)}
seoDescription: "What a searcher reads under the title, in 120 to 160 characters."
# The drawing: bars, curve, papers, flow, ledger, route, funnel, calendar, scales or blocks.
image:
  motif: bars
  values: [450, 297, 96]
  alt: "What is drawn, and what the values mean."
draft: true
---
Answer the question of the title here, in one paragraph.

## Say in the heading what the part says

Then the reasoning, with one worked example:

| Line | A month |
| --- | ---: |
| First | $450 |
| Second | $297 |
| **Together** | **$747** |
`;
}
