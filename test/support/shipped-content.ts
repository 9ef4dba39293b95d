import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Assessment, assessmentSchema } from '../../src/core/assessment/assessment.schema.ts';
import { partnerSchema } from '../../src/core/outbound/partner.schema.ts';
import type { Partner } from '../../src/core/outbound/partner.ts';
import { type Claim, claimFileSchema } from '../../src/core/pages/claim.schema.ts';
import { buildFigures, fillFigures } from '../../src/core/pages/figures.ts';
import { type Site, siteSchema } from '../../src/core/pages/site.schema.ts';
import type { Calculator, Plans } from '../../src/core/savings/plans.schema.ts';
import { plansSchema } from '../../src/core/savings/plans.schema.ts';

const ROOT = path.resolve(import.meta.dirname, '../../content');

const readYaml = (file: string): unknown => parse(readFileSync(path.join(ROOT, file), 'utf8'));
const listYaml = (folder: string) => readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`);

/** The site's settings that ship, as their file states them. */
export function readShippedSite(): Site {
  return siteSchema.parse(readYaml('site.yaml'));
}

/** The plans that ship. */
export function readShippedPlans(): Plans {
  return plansSchema.parse(readYaml('plans.yaml'));
}

/** A savings calculator that ships; throws when it is missing. */
export function readShippedCalculator(name: string): Calculator {
  const calculator = readShippedPlans().calculators[name];
  if (calculator === undefined) throw new Error(`there is no calculator "${name}"`);
  return calculator;
}

/** The partners that ship, by key. */
export function readShippedPartners(): Map<string, Partner> {
  return new Map(
    listYaml('partners')
      .map((file) => partnerSchema.parse(readYaml(file)))
      .map((one) => [one.key, one]),
  );
}

/** The claims that ship, by key. */
export function readShippedClaims(): Map<string, Claim> {
  return new Map(
    listYaml('claims')
      .flatMap((file) => Object.entries(claimFileSchema.parse(readYaml(file))))
      .map(([key, claim]) => [key, { ...claim, key }]),
  );
}

/** The assessment that ships, as its file states it. */
export function readAssessmentFile(): unknown {
  return readYaml('assessment.yaml');
}

/** The assessment that ships, with every figure in its place; throws for a figure that is nowhere. */
export function readShippedAssessment(): Assessment {
  const figures = buildFigures(readShippedPlans(), readShippedClaims());
  return fillFigures(assessmentSchema.parse(readAssessmentFile()), figures, (name) => {
    throw new Error(`there is no figure "${name}"`);
  });
}
