/**
 * Files of browser tests that run on Node alone, with the reason. All others run on workerd as well
 * (`npm test -- edge`), without the tests tagged `@node`, which say why themselves.
 */
export const NODE_ONLY_SPECS: Readonly<Record<string, string>> = {
  'accessibility.spec.ts': 'axe judges HTML and styles, which both runtimes send byte by byte alike',
  'analytics.spec.ts': 'the tag is a script of the browser and decides there; the worker only sends its id',
  'article.spec.ts': 'one renderer for both; hostile-articles and blog-source load articles on workerd',
  'assessment-accessibility.spec.ts': 'axe and the keyboard meet the same island as on Node',
  'assessment-links.spec.ts': 'the fragment of a result never reaches a server',
  'assessment-saving.spec.ts': 'fails the endpoint in the browser; journey stores assessments on workerd',
  'assessment-scripts-off.spec.ts':
    'the forms are handled by the functions that assessment posts to on workerd',
  'assessment-steps.spec.ts': 'counts steps in the browser; journey checks on workerd what is stored',
  'blog.spec.ts': 'cards, filters and pages are of the renderer; blog-source opens the hub on workerd',
  'broken-page.spec.ts': 'puts a broken page into the build of the Node server',
  'budget.spec.ts': 'weighs compressed responses; on workerd Cloudflare compresses them',
  'calculators.spec.ts': 'the islands calculate in the browser and call no server',
  'commissions.spec.ts':
    'reads the ledger with `npm run commissions`, which opens files; test/edge/commissions.test.ts posts on workerd',
  'console-entrance.spec.ts': 'axe and the keyboard; console-sign-in covers the same steps on workerd',
  'console-weight.spec.ts': 'weighs compressed responses; on workerd Cloudflare compresses them',
  'copied-links.spec.ts':
    'the browser writes the parameters of a copied link; redirect reads them on workerd',
  'crawl.spec.ts':
    'both runtimes serve the files of one build; serving requests each kind of them on workerd',
  'home.spec.ts': 'words and figures of one page, rendered by the code that serving calls on workerd',
  'html.spec.ts': 'validates the HTML that both runtimes render with the same code',
  'images.spec.ts': 'edits the content folder of a running site; a worker has its content from the build',
  'islands.spec.ts': 'scripts of the build, in the browser; assessment starts islands on workerd',
  'journey-ahead.spec.ts': 'prerendering is a decision of the browser and its scripts',
  'journey-back.spec.ts': 'the back/forward cache is part of the browser',
  'journey-early.spec.ts':
    'leaves pages at once, which cancels a script that workerd on this machine sends later',
  'journey-faults.spec.ts': 'storage and deliveries fail in the browser; test/edge fails D1 and the queue',
  'keyboard.spec.ts': 'the order of Tab is in HTML and styles, which both runtimes send alike',
  'layout.spec.ts': 'widths of pages follow from HTML and styles, which both runtimes send alike',
  'link-positions.spec.ts': 'reads attributes of links that both runtimes render with the same code',
  'names.spec.ts': 'the accessibility tree follows from HTML, which both runtimes send alike',
  'new-site.spec.ts': 'a site of its own, which has a project of its own',
  'pages-behaviour.spec.ts': 'anchors and scrolling are behavior of the browser',
  'pages-charts.spec.ts': 'charts are drawn in the browser',
  'pages-literal.spec.ts': 'words of the content, rendered by the code that serving calls on workerd',
  'pages-new.spec.ts': 'edits the content folder of a running site; a worker has its content from the build',
  'pages-video.spec.ts': 'a video loads or does not load in the browser, from another site',
  'partner-links.spec.ts': 'starts sites with edited content; a worker has its content from the build',
  'redirect-embedded.spec.ts': 'the browser decides what embeds a page; security-headers runs on workerd',
  'scripts-off.spec.ts':
    'reads what the renderer wrote; pages-contact posts forms without scripts on workerd',
  'structured-data.spec.ts': 'JSON in the HTML that both runtimes render with the same code',
  'unsized-images.spec.ts': 'sizes of images are reserved by styles; test/edge/parity reads Ghost on workerd',
};
