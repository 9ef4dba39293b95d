import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildAnswerLabels, type CodedQuestion } from '../figures/site-names.ts';

/** A stage of the assessment and how many visits reached it. */
export interface AssessmentStage {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** False when later stages were reached and this one was not stored. */
  readonly isCounted: boolean;
  /** Share of the stage before, from 0 to 1; null for the first stage and after an empty one. */
  readonly share: number | null;
}

/** What visitors with one answer did. Amounts are minor units. */
export interface AnswerRow {
  /** `field code`, the value of the filter. */
  readonly key: string;
  readonly code: string;
  /** Labels of the options with this code. */
  readonly label: string;
  readonly clicks: number;
  readonly conversions: number;
  readonly amount: number;
  /** By partner, in the order of `partners`. */
  readonly outcomes: readonly AnswerOutcome[];
}

export interface AnswerOutcome {
  readonly conversions: number;
  readonly amount: number;
}

/** The answers to one question. */
export interface QuestionMatrix {
  readonly field: string;
  readonly title: string;
  readonly rows: readonly AnswerRow[];
}

export interface AssessmentModel {
  readonly stages: readonly AssessmentStage[];
  readonly matrices: readonly QuestionMatrix[];
  /** The columns of the outcomes. */
  readonly partners: readonly { readonly key: string; readonly name: string }[];
  /** Null without any money. */
  readonly currency: string | null;
}

/** Adds to each stage the share of the one before. */
export function buildStages(
  stages: readonly Pick<AssessmentStage, 'key' | 'name' | 'count'>[],
): AssessmentStage[] {
  return stages.map((stage, index) => {
    const before = stages[index - 1]?.count ?? 0;
    const isCounted = stage.count > 0 || stages.slice(index + 1).every(({ count }) => count === 0);
    return { ...stage, isCounted, share: before > 0 ? stage.count / before : null };
  });
}

/** Builds the answers of each question with the clicks and the money that followed. `clicks` are by `field code`. */
export function buildMatrices(
  questions: readonly CodedQuestion[],
  entries: readonly LedgerEntry[],
  clicks: ReadonlyMap<string, number>,
  partners: readonly string[],
): QuestionMatrix[] {
  return questions.map((question) => {
    const { field, title } = question;
    const labels = buildAnswerLabels(question);
    const known = entries.filter(({ journey, isCounted }) => isCounted && journey?.answers[field]);
    const byCode = new Map<string, LedgerEntry[]>([...labels.keys()].map((code) => [code, []]));
    for (const entry of known) {
      for (const code of new Set(entry.journey?.answers[field]?.split(','))) {
        const own = byCode.get(code) ?? [];
        byCode.set(code, own);
        own.push(entry);
      }
    }
    const rows = [...byCode].map(([code, own]): AnswerRow => {
      const key = `${field} ${code}`;
      return {
        key,
        code,
        label: labels.get(code) ?? code,
        clicks: clicks.get(key) ?? 0,
        ...sumOutcome(own),
        outcomes: partners.map((partner) =>
          sumOutcome(own.filter(({ commission }) => commission.partner === partner)),
        ),
      };
    });
    return { field, title, rows };
  });
}

function sumOutcome(entries: readonly LedgerEntry[]): AnswerOutcome {
  return {
    conversions: entries.filter(({ commission }) => commission.amount !== 0).length,
    amount: entries.reduce((sum, { commission }) => sum + commission.amount, 0),
  };
}
