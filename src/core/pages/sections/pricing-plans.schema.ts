import { z } from 'zod';
import { action, sectionFields, text } from './fields.schema.ts';

const plan = z.strictObject({
  name: text.describe('Name of the plan, for example `{plan:starter.name}`.'),
  price: text.describe('The price, for example `{price:starter}`.'),
  per: text.default('/month').describe('What the price is per.'),
  audience: text.describe('Whom the plan is for.'),
  items: z.array(text).min(2).max(10).describe('What it contains.'),
  notFor: text.optional().describe('When it is the wrong plan.'),
  recommended: z.boolean().default(false).describe('The plan that the page recommends.'),
  action: action.describe('The button of the plan.'),
});

/** Plans with their prices; records `pricing_view` when it comes into view. */
export const pricingPlansSchema = z.strictObject({
  type: z.literal('pricing-plans'),
  ...sectionFields,
  plans: z.array(plan).min(1).max(3).describe('The plans, cheapest first.'),
  terms: z.array(text).max(6).default([]).describe('Terms that apply to every plan.'),
});

export type PricingPlans = z.infer<typeof pricingPlansSchema>;
