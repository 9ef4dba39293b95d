import { ASSESSMENT_PATH, buildAddress } from '../paths.ts';
import { parseText } from '../text/parse-text.ts';
import type { Option, Question } from './assessment.schema.ts';

/** A visitor's answers as option keys, empty where unanswered. Stored in session storage as `assessment_results`. */
export interface Answers {
  readonly businessType: string;
  readonly revenue: string;
  /** In the order of the options. */
  readonly challenges: readonly string[];
  readonly budget: string;
}

export const NO_ANSWERS: Answers = { businessType: '', revenue: '', challenges: [], budget: '' };

/**
 * Parses answers from a stored record, a JSON body or form fields by name. An option is named by its key, or by its
 * label as in records stored before keys were. Anything else counts as unanswered.
 */
export function parseAnswers(value: unknown, questions: readonly Question[]): Answers {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const parse = (field: Question['field']): string[] => {
    const values: unknown[] = [fields.get(field)].flat();
    const options = questions.find((question) => question.field === field)?.options ?? [];
    const chosen = values.map((one) => findOption(options, one));
    return options.filter((option) => chosen.includes(option)).map(({ key }) => key);
  };
  return {
    businessType: parse('businessType')[0] ?? '',
    revenue: parse('revenue')[0] ?? '',
    challenges: parse('challenges'),
    budget: parse('budget')[0] ?? '',
  };
}

function findOption(options: readonly Option[], value: unknown): Option | undefined {
  if (typeof value !== 'string') return undefined;
  const name = normalizeOptionName(value);
  return (
    options.find(({ key }) => key === name) ??
    options.find(({ label }) => normalizeOptionName(label) === name)
  );
}

/** Writes a key or label for comparison: dashes, case and spaces vary between the places that hold one. */
function normalizeOptionName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, '');
}

/** The options chosen for a question, in their order; none when it is unanswered. */
export function listChosen(answers: Answers, { field, options }: Question): Option[] {
  const chosen = [answers[field]].flat();
  return options.filter(({ key }) => chosen.includes(key));
}

/** The address of the table of prices with the numbers that the answers say. */
export function buildPricesAddress(answers: Answers, questions: readonly Question[]): string {
  const numbers = questions.flatMap((question) =>
    listChosen(answers, question).map(({ numbers }) => numbers),
  );
  return buildAddress(ASSESSMENT_PATH, Object.assign({ part: 1 }, ...numbers));
}

/** Whether a question has the answer that Continue requires. */
export function isAnswered(answers: Answers, { field }: Question): boolean {
  return answers[field].length > 0;
}

export function hasAnswers(answers: Answers): boolean {
  return Object.values(answers).some((answer) => answer.length > 0);
}

export function listUnanswered(answers: Answers, questions: readonly Question[]): Question[] {
  return questions.filter((question) => !isAnswered(answers, question));
}

/** Chooses an option: replaces a single choice, or toggles one of several. */
export function chooseOption(answers: Answers, { field, options }: Question, key: string): Answers {
  if (field !== 'challenges') return { ...answers, [field]: key };
  const isChosen = (one: string) => answers.challenges.includes(one) !== (one === key);
  return { ...answers, challenges: options.map((option) => option.key).filter(isChosen) };
}

/** Builds the fragment of a link to a result, without `#`: `businessType=agency&revenue=growing&…`. */
export function buildAnswersFragment(answers: Answers, questions: readonly Question[]): string {
  return questions.map(({ field }) => `${field}=${[answers[field]].flat().join(',')}`).join('&');
}

/** Parses answers from a fragment, with or without `#`; null when it carries none. */
export function parseAnswersFragment(fragment: string, questions: readonly Question[]): Answers | null {
  const query = new URLSearchParams(fragment.replace(/^#/, ''));
  if (!questions.some(({ field }) => query.has(field))) return null;
  const fields = questions.map(({ field }) => [field, (query.get(field) ?? '').split(',')]);
  return parseAnswers(Object.fromEntries(fields), questions);
}

/** Answers in the codes that partners receive; empty where unanswered. */
export interface AnswerCodes extends Answers {
  /** The codes that stand for no answer where one is expected, from the questions' `unknown`. */
  readonly unknown: { readonly businessType: string; readonly budget: string };
}

/** Nothing answered, and no questions known. */
export const NO_ANSWER_CODES: AnswerCodes = { ...NO_ANSWERS, unknown: { businessType: '', budget: '' } };

const MAX_NAME_LENGTH = 64;
const MAX_CHALLENGES = 12;

/** Parses answers as a link or session storage carries them (an object by field) into codes. Never throws. */
export type ParseAnswerCodes = (record: unknown) => AnswerCodes;

/** Creates the parser for these questions: an option is named by its key, label, retired label or code. */
export function createAnswerCodeParser(questions: readonly Question[]): ParseAnswerCodes {
  const codes = new Map(questions.map((question) => [question.field, buildCodes(question)]));
  const getUnknown = (field: Question['field']) =>
    questions.find((question) => question.field === field)?.unknown ?? '';
  const unknown = { businessType: getUnknown('businessType'), budget: getUnknown('budget') };
  const parseOne = (field: Question['field'], value: unknown, fallback = ''): string => {
    const name = parseText(value, MAX_NAME_LENGTH);
    return name && (codes.get(field)?.get(normalizeOptionName(name)) || fallback);
  };
  const challengeOrder = [...new Set(codes.get('challenges')?.values())];
  return (record) => {
    const { businessType, budget, revenue, challenges } = Object(record);
    const listed: unknown[] = Array.isArray(challenges) ? challenges.slice(0, MAX_CHALLENGES) : [];
    const answered = new Set(listed.map((value) => parseOne('challenges', value)));
    return {
      businessType: parseOne('businessType', businessType, unknown.businessType),
      budget: parseOne('budget', budget, unknown.budget),
      revenue: parseOne('revenue', revenue),
      challenges: challengeOrder.filter((code) => code !== '' && answered.has(code)),
      unknown,
    };
  };
}

function buildCodes({ options, retired }: Question): ReadonlyMap<string, string> {
  const all = [...options, ...retired];
  const names = [
    ...all.map(({ code = '' }) => [code, code]),
    ...all.map(({ label, code = '' }) => [label, code]),
    ...options.map(({ key, code = '' }) => [key, code]),
  ] as const;
  return new Map(names.map(([name = '', code = '']) => [normalizeOptionName(name), code]));
}

/** What the assessment shows. Steps count from 1. */
export type AssessmentView =
  | { readonly name: 'intro' }
  | { readonly name: 'step'; readonly step: number }
  | { readonly name: 'results' };

/** Reads the view from `?step=`: 1 to `steps`, `results`, and the intro for anything else. */
export function parseView(step: string | null, steps: number): AssessmentView {
  if (step === 'results') return { name: 'results' };
  const number = /^[1-9]$/.test(step ?? '') ? Number(step) : 0;
  return number >= 1 && number <= steps ? { name: 'step', step: number } : { name: 'intro' };
}

/** The address of a view, without origin. */
export function buildViewAddress(view: AssessmentView): string {
  const step = view.name === 'step' ? view.step : view.name === 'results' ? view.name : undefined;
  return buildAddress(ASSESSMENT_PATH, { step });
}

/** The view that these answers allow: never past the first question without an answer. */
export function resolveView(
  view: AssessmentView,
  answers: Answers,
  questions: readonly Question[],
): AssessmentView {
  if (view.name === 'intro') return view;
  const [open] = listUnanswered(answers, questions);
  if (open === undefined) return view;
  const first = questions.indexOf(open) + 1;
  return view.name === 'step' && view.step <= first ? view : { name: 'step', step: first };
}

/** Progress in per cent, 0 to 100. */
export function computeProgress(step: number, steps: number): number {
  return (step / steps) * 100;
}
