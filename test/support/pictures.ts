import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { locateSource } from '../../src/content-files/site-folder.ts';
import { CONSOLE_DOORS } from '../../src/core/console/console-view.ts';
import type { Look } from '../../src/core/pages/brand/brand.schema.ts';
import { buildEmptySite } from '../../src/move-in/sample.ts';

/** Where the pictures of the documents are, with a list of the navigation that each shows. */
export const PICTURES = path.join(ROOT, 'docs/images');

/** A site that the template begins, with short content about a subject. */
export interface Subject {
  readonly name: string;
  readonly about: string;
  readonly look: Look;
  readonly headline: string;
  readonly lead: string;
  /** Title and excerpt by topic of `blog.topics`. */
  readonly articles: readonly (readonly [topic: string, title: string, excerpt: string])[];
}

const COFFEE: Subject = {
  name: 'Slow Pour',
  about: 'Filter coffee by hand',
  look: 'journal',
  headline: 'Coffee that ==tastes of something==',
  lead: 'Drippers, grinders and kettles: what each changes in the cup, what it costs, and when you need none of it.',
  articles: [
    [
      'Getting Started',
      'What you need for a first cup, and what can wait',
      'A dripper, paper and fresh beans. A scale helps before a better kettle does.',
    ],
    [
      'Comparisons',
      'Cone or flat bottom: the two shapes of a dripper',
      'A cone forgives less and shows more. A flat bed is the calmer start.',
    ],
    [
      'Guides',
      'Coarser or finer: how to correct a cup',
      'Sour means finer, bitter means coarser. Change one thing at a time.',
    ],
  ],
};

const LIGHTS: Subject = {
  name: 'Seen at Night',
  about: 'Lights for bicycles',
  look: 'bench',
  headline: 'Lights that ==others see==',
  lead: 'What a light has to do on a street, on a dark path and in the rain, and which figures on the box say so.',
  articles: [
    [
      'Getting Started',
      'To see or to be seen: two different lights',
      'In a lit street others have to see you. On a dark path you have to see the ground.',
    ],
    [
      'Comparisons',
      'Hub dynamo or battery',
      'A dynamo is always there and costs a wheel. A battery is cheap and sometimes empty.',
    ],
    [
      'Guides',
      'Set the beam so that it blinds nobody',
      'Aim it down the road and look at it from the other side. Rain makes a high beam worse.',
    ],
  ],
};

/** The pictures, and what they are taken of: a site of the template, or else the demo. */
export const LIST: Readonly<Record<string, { readonly path: string; readonly subject?: Subject }>> = {
  'console-overview.webp': { path: '/console' },
  'subject-crm.webp': { path: '/' },
  'subject-coffee.webp': { path: '/', subject: COFFEE },
  'subject-lights.webp': { path: '/', subject: LIGHTS },
};

const DAY = '2026-11-02';

function buildFiles({ articles, ...subject }: Subject): ReadonlyMap<string, string> {
  const template = locateSource('commands/new/site-template');
  if (template === null) throw new Error('no template');
  const files = new Map(buildEmptySite(template, null, subject, DAY));
  const site = (files.get('site.yaml') ?? '')
    .replace(/headline: .*/, `headline: ${JSON.stringify(subject.headline)}`)
    .replace(/lead: >-\n.*/, `lead: ${JSON.stringify(subject.lead)}`);
  files.set('site.yaml', site);
  articles.forEach(([topic, title, excerpt], number) => {
    const front = { title, excerpt, categories: [topic], publishedAt: `2026-11-0${number + 3}` };
    files.set(`articles/piece-${number}.md`, `---\n${JSON.stringify(front)}\n---\n${excerpt}\n`);
  });
  return files;
}

/** Writes the content of a site about the subject. */
export function writeSubject(folder: string, subject: Subject): void {
  for (const [file, text] of buildFiles(subject)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

/** Lists the words of the navigation at the place of a picture, as the program has them now. */
export function listNavigation(name: string): readonly string[] {
  const { path: address, subject } = LIST[name] ?? { path: '' };
  if (address.startsWith('/console')) {
    const [open] = CONSOLE_DOORS;
    return [...CONSOLE_DOORS.map((door) => door.name), ...(open?.tabs ?? []).map((tab) => tab.name)];
  }
  const text = subject
    ? buildFiles(subject).get('site.yaml')
    : readFileSync(path.join(ROOT, 'content/site.yaml'), 'utf8');
  return parse(text ?? '').navigation.map(({ label }: { readonly label: string }) => label);
}
