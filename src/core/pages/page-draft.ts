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
cta: { partnerLink: trial, source: landing, event: free_trial_signup }
sections:
  - type: hero
    title: ${quoted}
    actions:
      - { label: Start the trial, partnerLink: trial, source: hero }
  - type: prose
    body: |
      Running text in Markdown.
`;
}
