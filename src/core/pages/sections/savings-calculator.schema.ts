import { z } from 'zod';
import { sectionFields } from './fields.schema.ts';

/** A savings calculator of `content/plans.yaml`. */
export const savingsCalculatorSchema = z.strictObject({
  type: z.literal('savings-calculator'),
  ...sectionFields,
  calculator: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'only a-z, 0-9 and -')
    .describe('Key of a calculator in content/plans.yaml.'),
});
