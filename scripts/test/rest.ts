// What `npm test` leaves to `npm test -- rest`, and what of it a change brings into the usual run.
import { execFileSync } from 'node:child_process';
import { ROOT } from '../start/pinned-node.mjs';

/**
 * Browser tests among it: files, or words of titles. What a visitor and an operator do first is not. Of unit and fault
 * tests it is those with the tag `rest`.
 */
export const BROWSER_REST = new RegExp(
  [
    /\b(accessibility|engines|older-browsers|budget|layout|hostile-articles|crawl|assessment-accessibility)\.spec/,
    /\bconsole-(layout|access|move-in|networks|labels|sheet|links)\.spec/,
    /storage-free\.spec.*(random orders|by pointer|work in memory|left before|by (keyboard|new tab|an anchor))/,
    /storage-free\.spec.*(itself asks|outlive|apart|own visit)/,
    /stored-items\.spec.*(without storage|Global Privacy Control stores|that is withdrawn)/,
    /calculators\.spec.*(by (tap|clickLabel|tabTo)|50 ms|after (tap|clickLabel|tabTo)|axe finds)/,
    /calculators\.spec.*(after click|within 700 px|leads to \$0|marked as an example|a link shows|large counts|on a phone)/,
    /calculators\.spec.*(in the address, and|copied with|once typing pauses|updates with every|gets its message)/,
    /calculators\.spec.*(placeholders of|pasting text|is no number|pasted or filled|a second click)/,
    /html\.spec|article\.spec.*(within 900 px|Share|that do not exist|does not exist|topics and tags|on a phone|parts from|folded)/,
    /blog\.spec.*(reduced motion|of the header|placeholder|gives (an error|no articles|nothing)|500 px|for nothing|past the last)/,
    /blog\.spec.*(without a key|after three more|landing pages in their)|serving\.spec.*what the build has compressed/,
    /security-headers\.spec.*behind TLS|islands\.spec.*without article-list|assessment\.spec.*of the browser go/,
    /blog\.spec.*(asked for from|begins at page 1|keeps its header|a failure of the next)|serving\.spec.*(mean nothing|to HEAD as)/,
    /assessment\.spec.*(goes a step back|from the result|retaking|ahead of|moves nothing)|assessment-scripts-off\.spec.*fade/,
    /assessment-saving\.spec.*(storage denied|by the next page|is posted before)|assessment-steps\.spec.*no step is sent/,
    /commissions\.spec.*from an assistant|console-sign-in\.spec.*(except passkeys|with a passkey that)/,
    /partner-links\.spec.*cta\.partner|stored-items\.spec.*with a record|console-views|console-share\.spec.*that can be shared/,
    /journey-faults\.spec.*(response (429|500)|during a pause|storage full|two tabs)|journey\.spec.*(middle button|Control|Enter) two sec/,
    /pages-behaviour\.spec.*(chart|scroll (smooth|auto)|menu on a phone)|islands\.spec.*without island-loader/,
    /redirect\.spec.*posted and sent out|pages-new\.spec/,
    /the menus of the bar/,
    /console-first-run\.spec.*(looks around|is scheduled|are accessible)/,
    /console-money\.spec.*(keyboard finds|choices of the address|reads out)/,
    /console-work\.spec.*(without scripts unmatched|a task is snoozed)|pages-literal\.spec.*(56 px|on a phone)/,
    /console-editor\.spec.*(pictures are dropped|a picture that is up|kB of script|that are composed|the preview follows)/,
    /console-editor\.spec.*(hostile page|merchant’s|menu shows|moved and|another tab|from the margin|notes of|nearly right)/,
    /console-editor\.spec.*(section is moved|every edit is undone|without a description|looking and closing)/,
    /console-editor\.spec.*(forced colors|does not load|leaves a long text|is accessible)/,
    /editor-journey\.spec.*(by keyboard|waits in|of two people|goes on from what|old session|fields are changed)/,
    /blog-source\.spec.*(how long it waits|deletions of many|others write)/,
    /assessment-links|analytics\.spec|copied-links|own-address|volume-prices|images\.spec|broken-page|beside\.spec/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** What of the rest the usual run includes when a change touches its subject: a part, or files of one. */
const TOUCHED: readonly (readonly [changed: RegExp, part: string, ...files: string[]])[] = [
  [/^src\/browser\/|^playwright\./, 'firefox'],
  [/^edge\/|^migrations\/|^src\/(?:stores|runtimes\/cloudflare)\/|^src\/server\/(?:site|platform)/, 'edge'],
  [/^src\/commands\/new|^test\/e2e\/(?:build-)?new-site|\.schema\.ts$/, 'new-site'],
  [
    /^src\/(?:styles|ui|layouts|sections)\//,
    'browser',
    'accessibility',
    '/layout',
    'budget',
    'html',
    'pages-literal',
  ],
  [/^src\/(?:browser|core\/consent|server\/consent)\//, 'browser', 'storage-free', 'older-browsers'],
  [
    /^src\/console\/(?:frame|islands|charts)\/|^src\/console\/\w*\.css/,
    'browser',
    'console-',
    'editor-journey',
  ],
  [/^src\/(?:sources\/articles|server\/articles)\//, 'fault', 'articles-'],
  [/^src\/(?:islands|core\/(?:savings|assessment))\//, 'browser', 'calculators', 'assessment', 'islands'],
  [/^src\/(?:articles|blog|pages)\//, 'browser', 'blog', 'article', 'pages-', 'islands', 'html'],
  [/^src\/console\//, 'browser', 'console-(views|share|sign-in|money|work)', '/commissions'],
  [/^src\/console\/content\//, 'browser', 'console-editor', 'editor-journey'],
  [/^src\/(?:runtimes\/node|server\/http)\//, 'browser', 'serving', 'security-headers'],
  [
    /^src\/(?:core|server)\/(?:outbound|events)\//,
    'browser',
    'journey',
    'redirect',
    'partner-links',
    'stored-items',
  ],
  [/^src\/server\/commissions\//, 'fault', 'commissions', 'hostile-postbacks'],
  [/^scripts\/(?:start|build|package|create)|^src\/commands\//, 'unit', 'test/'],
  [/^src\/stores\//, 'fault', 'damage-matrix', 'data-copy', 'unusable-data'],
  [/^src\/content-files\//, 'fault', 'content-reload', 'content-saves'],
  [/^src\/console\/content\//, 'fault', 'content-saves'],
  [/^src\/runtimes\/node\//, 'fault', 'shutdown', 'slow-clients', 'many-addresses', 'development'],
];

/** The folder of `src` in which a file is, down to the second level. */
const FOLDER = /^src\/[\w-]+\/(?:[\w-]+\/)?/;

/** The parts of the rest that a change touches, each with the files of it: unit tests are in the folder that they test. */
export function findTouched(changed: readonly string[]) {
  const folders = new Set(changed.flatMap((file) => FOLDER.exec(file) ?? []));
  const touched = TOUCHED.filter(([subject]) => changed.some((file) => subject.test(file)));
  return [
    ...(folders.size > 0 ? [['unit', [...folders]] as const] : []),
    ...touched.map(([, part, ...files]) => [part, files] as const),
  ];
}

/** What of the rest takes in a part, in minutes on 2 cores. */
export const MINUTES: Readonly<Record<string, number>> = {
  unit: 1,
  browser: 1,
  fault: 2,
  'new-site': 2,
  firefox: 3,
  edge: 6,
};

/** Files that differ from the main branch, or from the commit before the last one; none in a clone without its history. */
export function listChangedFiles(): readonly string[] {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  for (const base of ['origin/main', 'HEAD~1']) {
    try {
      return git('diff', '--name-only', git('merge-base', base, 'HEAD')).split('\n');
    } catch {
      // There is no such commit here.
    }
  }
  return [];
}
