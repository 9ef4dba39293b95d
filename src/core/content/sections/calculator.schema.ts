import { z } from 'zod';
import { sectionFields } from './fields.schema.ts';

/** The savings calculator with a number of tools and their average cost. */
export const trialCalculatorSchema = z.strictObject({
  type: z.literal('trial-calculator'),
  ...sectionFields,
});

/** The savings calculator with five costs. */
export const roiCalculatorSchema = z.strictObject({ type: z.literal('roi-calculator'), ...sectionFields });
