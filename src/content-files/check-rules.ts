import path from 'node:path';
import { hasPlaceholderCode } from '../core/outbound/partner.ts';
import {
  type JudgedAt,
  type JudgedFile,
  judgeFile,
  openJudgedFile,
  type RuleFinding,
} from '../core/pages/claims/content-rules.ts';
import type { Content } from '../core/pages/content.ts';
import { listUsingFiles } from '../core/pages/content-uses.ts';
import type { CopyFinding } from './check-copy.ts';
import { hasDrafts, type Piece, type PlanTime } from './edit/piece.ts';
import { splitMarkdown } from './edit-yaml.ts';
import { findKind } from './kinds.ts';
import { parseYaml } from './parse-yaml.ts';
import { readNames, readTextFile } from './read-text-file.ts';

/**
 * What a rule has found, with its line. Errors are those of `signpost content`, of publishing and of the launch check: they
 * stop no start.
 */
export interface LinedFinding extends CopyFinding {
  readonly finding: RuleFinding;
}

/** Opens the text of a file for the rules, with a function that finds the line of a finding; null for a file without copy. */
function openJudgedText(
  file: string,
  text: string,
  content: Content,
  at: JudgedAt,
): { readonly judged: JudgedFile; readonly findLine: (finding: RuleFinding) => number } | null {
  if (findKind(file)?.isJudged !== true) return null;
  const { front = text, body = null } = (file.endsWith('.md') && splitMarkdown(text)) || {};
  const parsed = parseYaml(front);
  // The check of the content reports a file that cannot be read.
  if ('problem' in parsed) return null;
  const value = body === null ? parsed.value : { ...Object(parsed.value), body };
  const start = text.lastIndexOf(body ?? '');
  const countLines = (end: number) => text.slice(0, end).split('\n').length;
  return {
    judged: openJudgedFile(file, value, content, at),
    findLine: ({ path: [first, ...rest], offset }) => {
      if (body !== null && first === 'body') return countLines(start + offset);
      const line = first === undefined ? 1 : parsed.findLine([first, ...rest]);
      return (line ?? 1) + (body !== null && first !== undefined ? 1 : 0);
    },
  };
}

/** Judges the text of one file by the rules; `file`: below the content folder. What is allowed is left out. */
export function checkRuleText(file: string, text: string, content: Content, at: JudgedAt): LinedFinding[] {
  const opened = openJudgedText(file, text, content, at);
  if (opened === null) return [];
  return judgeFile(opened.judged).map((finding) => ({
    kind: 'rule',
    finding,
    isError: finding.level === 'error',
    file: `content/${file}:${opened.findLine(finding)}`,
    text: `${finding.field === '' ? '' : `${finding.field}: `}${finding.message} (${finding.rule})`,
  }));
}

/** Judges every file of the content folder that visitors see by the rules. */
export function checkRules(root: string, content: Content, at: JudgedAt): LinedFinding[] {
  return ['', 'articles', 'authors', 'claims', 'pages', 'products'].flatMap((folder) =>
    readNames(path.join(root, folder)).names.flatMap((name) => {
      const file = path.posix.join(folder, name);
      const read = findKind(file)?.isJudged === true ? readTextFile(root, file) : { problem: '' };
      if ('problem' in read || /^draft: true$/m.test(read.text)) return [];
      return checkRuleText(file, read.text, content, at);
    }),
  );
}

/** When and where a text would be published, and what visitors see then. */
export interface PublishedAt extends PlanTime, JudgedAt {
  readonly content: Content;
}

/**
 * Why a piece may not be published or scheduled, as a sentence; null when it may, and for a draft. `before` is what it
 * replaces, null without one: what visitors read there already keeps nothing else from being saved.
 */
export function findUnpublishable(before: Piece | null, piece: Piece, at: PublishedAt): string | null {
  if (!hasDrafts(piece.file) || piece.isDraft) return null;
  const known = before?.isShown(at) === true ? listFaults(before, at).map(({ key }) => key) : [];
  for (const { key, sentence } of listFaults(piece, at)) {
    const index = known.indexOf(key);
    if (index === -1) return sentence;
    known.splice(index, 1);
  }
  return null;
}

/**
 * What keeps a text from being published: links that nobody is paid for, what is to come, what a rule does not allow. `key`
 * is that of the same fault wherever it stands in the text.
 */
function listFaults({ file, text, hasGap }: Piece, at: PublishedAt) {
  const unpaid = [...at.content.partners.values()]
    .filter(
      (one) => hasPlaceholderCode(one) && listUsingFiles('partner', one.key, [{ file, text }]).length > 0,
    )
    .map(({ key, name, affiliate }) => ({
      key: `partner ${key}`,
      sentence:
        `Its links to ${name} carry the placeholder “${affiliate?.value}” instead of your code: ` +
        'write it in the partner’s form first.',
    }));
  const gaps = hasGap ? text.matchAll(/\bTK\b/g) : [];
  const sentence = 'A “TK” is left in the text, which stands for what is to come.';
  const rules = checkRuleText(file, text, at.content, at)
    .filter(({ isError }) => isError)
    .map(({ finding, text: found }) => ({
      key: `${finding.rule} ${finding.message}`,
      sentence: `${found}. Correct it, or add it to “allow” with a reason.`,
    }));
  return [...unpaid, ...Array.from(gaps, () => ({ key: 'TK', sentence })), ...rules];
}
