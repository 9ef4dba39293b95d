import { z } from 'zod';
import { sectionFields } from './fields.schema.ts';

/** Which calculator a section or a hero shows. */
export const calculatorKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'only a-z, 0-9 and -')
  .describe('Key of a calculator in content/plans.yaml.');

/** A savings calculator of `content/plans.yaml`. */
export const savingsCalculatorSchema = z.strictObject({
  type: z.literal('savings-calculator'),
  ...sectionFields,
  calculator: calculatorKey,
});
