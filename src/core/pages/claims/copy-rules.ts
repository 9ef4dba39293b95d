import { PLACEHOLDERS } from '../drafts.ts';

/** One line of copy that a reader would stumble over. */
export interface CopyFault {
  /** `placeholder`: a text to replace. `style`: words that the shipped content avoids, which other sites may use. */
  readonly kind: 'placeholder' | 'style';
  /** Line of the file, from 1. */
  readonly line: number;
  readonly found: string;
  readonly advice: string;
}

/** Words and constructions that the site's copy does not use, each with what to write instead. */
const RULES: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\be-mails?\b/i, 'write "email"'],
  [/\bbeside\b(?! the point)/i, 'write "next to"'],
  [/\bleft over\b|\bwhat is left of\b/i, 'write "savings" or "save"'],
  [/\byou would keep\b/i, 'write "you would save"'],
  [
    /\bworked (examples?|tables?|cases?|years?|months?|forecasts?|counts?|costs?|\$\S+|through|out line)\b/i,
    'write "example" or "calculated"',
  ],
  [/\bhandwork\b/i, 'write "manual work"'],
  [/\b(wait|hesitate) with \w+ing\b/i, 'write "hold off on"'],
  [/\b(some|any|every)body\b/i, 'write "someone", "anyone" or "everyone"'],
  [/\bwhoever\b|\bthat which\b/i, 'name the person or the thing'],
  [/\bset-ups?\b/i, 'write "setup"'],
  [
    /\b(unlock|supercharge|streamline|elevate|leverage|seamless(ly)?|game.changer|cutting.edge)\b/i,
    'say what it does',
  ],
  [
    /\b(colour|behaviour|organis|analys(e|ed|ing)|licence|centre|catalogue|cancell(ed|ing)|judgement|favour)/i,
    'use American spelling',
  ],
  [/\bthere is nothing to \w+ but\b/i, 'say what is there'],
  [/\d (%|percent\b)/, 'write the percent sign right after the number'],
  [/\bdear(er|est)\b|\bthe dear one\b/i, 'write "more expensive"'],
  [/\b(fortnight|autumn|mend(s|ed)?|ticks?|one-off)\b/i, 'use the American word'],
  [/\b(break-even|payback|same|whole|do (the|that)) sums?\b/i, 'write "calculation", "total" or "math"'],
  [/\bagainst (it|them|that) stands?\b|\bthe other side stands?\b/i, 'say it in normal word order'],
  [/\bis none\b|\bno (legal )?advice\b/i, 'write "is not" or "is missing"'],
  [/\w (account|page|tier|number|tool|list)s? which\b/i, 'write "that", or a comma before "which"'],
  [/\b(left|right)(-hand)? column\b/i, 'name what is in it: on phones there are no columns'],
  [/[a-z]"\.(\s|$)/i, 'put the period inside the quotation marks'],
  [/[a-z]!(\s|$)/, 'end the sentence with a period'],
];

/** What to look for: faults of style as well, or placeholders alone. */
export type CopyScope = 'all' | 'placeholders';

/**
 * Finds what the copy rules reject in the text of a content file. Comments of YAML are not copy; a draft may have
 * placeholders.
 */
export function findCopyFaults(text: string, scope: CopyScope = 'all'): readonly CopyFault[] {
  const isDraft = /^draft: true$/m.test(text);
  return text.split('\n').flatMap((raw, index): CopyFault[] => {
    const line = index + 1;
    const placeholder = isDraft ? undefined : PLACEHOLDERS.find((known) => raw.includes(known));
    return [
      ...(scope === 'all' ? findStyleFaults(raw, line) : []),
      ...(placeholder === undefined
        ? []
        : [{ kind: 'placeholder' as const, line, found: placeholder, advice: 'write your own text' }]),
    ];
  });
}

function findStyleFaults(raw: string, line: number): readonly CopyFault[] {
  // Addresses are not copy, nor are comments of YAML.
  const copy = /^\s*# /.test(raw) ? '' : raw.replace(/https?:\S+|\(\/\S*\)|href: \S+/g, '');
  return RULES.flatMap(([pattern, advice]): CopyFault[] => {
    const found = pattern.exec(copy)?.[0];
    return found === undefined ? [] : [{ kind: 'style', line, found, advice }];
  });
}

/** Words of a sentence that says how a figure was read, that something has no source, or that a source disagrees. */
const HEDGES = [
  /(?:haven't|have not|hasn't|didn't) (?:opened|run|tested|measured|collected|checked|seen)/i,
  /transcri(?:bed|ptions?)/i,
  /(?:from|in|of) (?:a |one |an undated )?cop(?:y|ies)\b/i,
  /(?:found|have|had|has) no (?:source|page|price|published|number|limit|trial|test|document|list)/i,
  /(?:no|any|without a|without an?y?) (?:dated price|source)\b/i,
  /not (?:checked|named|our test)\b/i,
  /rates? date from/i,
  /according to (?:a|an|one|its|the|another)\b/i,
  /disagree|as claimed|claimed/i,
  /can(?:'|no)t (?:be )?check|no (?:test|document)\b/i,
];

/** The words of texts, and those in sentences that hedge: `HEDGES` finds them. */
export function countHedging(texts: readonly string[]): { readonly words: number; readonly hedged: number } {
  const count = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const sentences = texts.flatMap((text) =>
    text
      // Bounded, and looked back from spaces alone: the time grows with the length of any text.
      .replace(/\]\([^)]{0,1000}\)/g, ']')
      .replaceAll('’', "'")
      .split(/(?=\s)(?<=[.!?]["”’)]*)\s+|\n{2,}|\|/),
  );
  const sum = (list: readonly string[]) => list.reduce((all, text) => all + count(text), 0);
  return {
    words: sum(sentences),
    hedged: sum(sentences.filter((text) => HEDGES.some((hedge) => hedge.test(text)))),
  };
}
