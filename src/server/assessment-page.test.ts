import { describe, expect, it } from 'vitest';
import { listAllAnswers } from '../../test/support/all-answers.ts';
import { collect } from '../../test/support/sample-events.ts';
import { readShippedAssessment } from '../../test/support/shipped-content.ts';
import { createMemoryEventStore } from '../adapters/events/memory-event-store.ts';
import { type AssessmentAnswers, NO_ANSWERS } from '../core/assessment/answers.ts';
import { createAssessmentKeeper, type KeepAssessment } from './assessment-keeper.ts';
import { readAssessmentRequest } from './assessment-page.ts';
import { createClickKeeper } from './go/click-keeper.ts';

const assessment = readShippedAssessment();
const keepNothing: KeepAssessment = async () => undefined;
const url = 'http://site.example/assessment';

function buildForm(answers: Partial<AssessmentAnswers>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(answers)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(field, String(one));
  }
  return form;
}
const post = (body: BodyInit | null, keep = keepNothing) =>
  readAssessmentRequest(new Request(url, { method: 'POST', body }), assessment, keep);

const [complete = NO_ANSWERS] = listAllAnswers(assessment.questions);

describe('/assessment', () => {
  it.each([
    ['', { name: 'intro' }],
    ['?step=2', { name: 'step', step: 2 }],
    ['?step=results', { name: 'results' }],
    ['?step=%3Cb%3E', { name: 'intro' }],
  ])('GET %j shows %o', async (query, view) => {
    const answer = await readAssessmentRequest(new Request(url + query), assessment, keepNothing);
    expect(answer).toEqual({ status: 200, view, answers: NO_ANSWERS, posted: false, reduced: false });
  });

  it('a complete form gets its result', async () => {
    const answer = await post(buildForm(complete));
    expect(answer).toEqual({
      status: 200,
      view: { name: 'results' },
      answers: complete,
      posted: true,
      reduced: false,
    });
  });

  it('a form without all answers comes back with those that it had', async () => {
    const answer = await post(buildForm({ ...complete, budget: 'a lot' }));
    expect(answer).toMatchObject({
      status: 422,
      view: { name: 'form' },
      answers: { ...complete, budget: '' },
    });
  });

  it.each([[null], ['%%%'], ['{"businessType":"Other"}'], [new Uint8Array([0, 255])]])(
    'a body that is no form, %j, counts as one without answers',
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 422, answers: NO_ANSWERS });
    },
  );

  it('keeps a complete form, once, as the event of the endpoint', async () => {
    const store = createMemoryEventStore();
    const keep = createAssessmentKeeper({
      keep: async (event) => void (await store.append([event])),
      rules: assessment,
      clock: { now: () => 1_763_600_000_000 },
      newId: () => '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52',
    });
    await post(buildForm({}), keep);
    await post(buildForm(complete), keep);
    expect(await collect(store.read({}))).toMatchObject([
      { name: 'assessment_completed', label: 'Digital Marketing Agency_to_GoHighLevel', clientTime: null },
    ]);
  });

  it('does not wait for a store that hangs', async () => {
    const hanging = { append: () => new Promise<never>(() => undefined) };
    const keeper = createClickKeeper({
      store: hanging,
      newId: () => '',
      log: { warn: () => undefined, error: () => undefined },
      budgetMs: 10,
    });
    const keep = createAssessmentKeeper({
      keep: keeper.keep,
      rules: assessment,
      clock: { now: () => 0 },
      newId: () => '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52',
    });
    expect(await post(buildForm(complete), keep)).toMatchObject({ status: 200, view: { name: 'results' } });
  });
});
