import { expect, it } from 'vitest';
import { listAllAnswers } from '../../../test/support/all-answers.ts';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { type Answers, NO_ANSWERS } from '../../core/assessment/answers.ts';
import { readAssessmentRequest } from './assessment-page.ts';

const URL_OF_PAGE = 'http://site.example/assessment';
const assessment = readSampleAssessment();
const [complete = NO_ANSWERS] = listAllAnswers(assessment.questions);

function buildForm(answers: Partial<Answers>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(answers)) {
    for (const one of [value].flat()) form.append(field, one);
  }
  return form;
}

const createSite = () => createTestSite({ content: { assessment } });

const post = async (body: BodyInit | null, query = '', site = createSite()) =>
  readAssessmentRequest(await site, new Request(URL_OF_PAGE + query, { method: 'POST', body }));

it.each([
  ['', { name: 'intro' }],
  ['?step=2', { name: 'step', step: 2 }],
  ['?step=results', { name: 'results' }],
  ['?step=%3Cb%3E', { name: 'intro' }],
])('GET /assessment%s shows %o', async (query, view) => {
  const page = await readAssessmentRequest(await createSite(), new Request(URL_OF_PAGE + query));
  expect(page).toEqual({ status: 200, view, answers: NO_ANSWERS, posted: false, gpc: false });
});

it('shows the result of a complete form', async () =>
  expect(await post(buildForm(complete))).toEqual({
    status: 200,
    view: { name: 'results' },
    answers: complete,
    posted: true,
    gpc: false,
  }));

it('shows the result of a form with labels, as pages of an earlier version post it', async () => {
  const labels = { ...complete, businessType: 'Digital Marketing Agency', budget: 'Under $100' };
  expect(await post(buildForm(labels))).toMatchObject({ status: 200, answers: complete });
});

it('shows a form without all answers again, with those that it had', async () =>
  expect(await post(buildForm({ ...complete, budget: 'a lot' }))).toMatchObject({
    status: 422,
    view: { name: 'form' },
    answers: { ...complete, budget: '' },
  }));

const { businessType } = complete;

it.each<[string, Partial<Answers>, string, number]>([
  ['the next step after an answer', { businessType }, '?step=2', 2],
  ['the same step without an answer', {}, '?step=2', 1],
  ['the next step, with earlier answers in the browser', { revenue: complete.revenue }, '?step=3', 3],
  ['the last step, with earlier answers in the browser', { budget: complete.budget }, '?step=results', 4],
])('Continue before hydration shows %s and keeps what was chosen', async (_, answers, query, step) => {
  expect(await post(buildForm(answers), query)).toEqual({
    status: 200,
    view: { name: 'step', step },
    answers: { ...NO_ANSWERS, ...answers },
    posted: false,
    gpc: false,
  });
});

it('Continue before hydration on the last step shows the result of a complete form', async () =>
  expect(await post(buildForm(complete), '?step=results')).toMatchObject({
    status: 200,
    view: { name: 'results' },
    posted: true,
  }));

it.each([[null], ['%%%'], ['{"businessType":"Other"}'], [new Uint8Array([0, 255])]])(
  'treats a body that is no form, %j, as a form without answers',
  async (body) => expect(await post(body)).toMatchObject({ status: 422, answers: NO_ANSWERS }),
);

it('stores a complete form once, as the event that pages with scripts cause', async () => {
  const site = createSite();
  await post(buildForm({}), '', site);
  await post(buildForm(complete), '', site);
  expect(await collect((await site).visitors.events.read({}))).toMatchObject([
    { name: 'assessment_completed', label: 'agency_to_GoHighLevel', clientTime: null },
  ]);
});

it('shows the result without waiting for an event store that hangs', async () => {
  const events = Object.assign(createMemoryEventStore(), {
    append: () => new Promise<never>(() => undefined),
  });
  expect(
    await post(buildForm(complete), '', createTestSite({ content: { assessment }, events })),
  ).toMatchObject({ status: 200, view: { name: 'results' } });
});
