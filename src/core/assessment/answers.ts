import type { Question } from '../content/assessment.schema.ts';

/** A visitor's answers, as labels of the options; the record that session storage keeps. */
export interface AssessmentAnswers {
  readonly businessType: string;
  readonly revenue: string;
  /** In the order of the options. */
  readonly challenges: readonly string[];
  readonly budget: string;
}

export const NO_ANSWERS: AssessmentAnswers = { businessType: '', revenue: '', challenges: [], budget: '' };

/**
 * Reads answers from a stored record, a JSON body or form fields by name. What is no option of its question
 * counts as not answered; nothing else is taken over.
 */
export function parseAnswers(value: unknown, questions: readonly Question[]): AssessmentAnswers {
  const given = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const chosen = (field: Question['field']): string[] => {
    const answer = given.get(field);
    const texts: unknown[] = Array.isArray(answer) ? answer : [answer];
    const question = questions.find((one) => one.field === field);
    return question?.options.map(({ label }) => label).filter((label) => texts.includes(label)) ?? [];
  };
  return {
    businessType: chosen('businessType')[0] ?? '',
    revenue: chosen('revenue')[0] ?? '',
    challenges: chosen('challenges'),
    budget: chosen('budget')[0] ?? '',
  };
}

/** The labels chosen for a question; none when it is not answered. */
export function listChosen(answers: AssessmentAnswers, field: Question['field']): readonly string[] {
  const answer = answers[field];
  if (typeof answer !== 'string') return answer;
  return answer === '' ? [] : [answer];
}

/** Whether a question has the answer that Continue asks for. */
export function isAnswered(answers: AssessmentAnswers, { field }: Pick<Question, 'field'>): boolean {
  return listChosen(answers, field).length > 0;
}

/** Whether anything has been answered. */
export function hasAnswers(answers: AssessmentAnswers): boolean {
  return answers.businessType + answers.revenue + answers.budget !== '' || answers.challenges.length > 0;
}

/** The questions without an answer, in order. */
export function listUnanswered(answers: AssessmentAnswers, questions: readonly Question[]): Question[] {
  return questions.filter((question) => !isAnswered(answers, question));
}

/** Chooses an option: in place of the earlier one, or, where several may be chosen, in or out of the list. */
export function chooseOption(
  answers: AssessmentAnswers,
  { field, options }: Question,
  label: string,
): AssessmentAnswers {
  if (field !== 'challenges') return { ...answers, [field]: label };
  const without = answers.challenges.filter((one) => one !== label);
  const toggled = without.length === answers.challenges.length ? [...without, label] : without;
  return {
    ...answers,
    challenges: options.map((option) => option.label).filter((one) => toggled.includes(one)),
  };
}
