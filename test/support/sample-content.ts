import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Assessment, assessmentSchema } from '../../src/core/assessment/assessment.schema.ts';
import { partnerSchema } from '../../src/core/outbound/partner.schema.ts';
import { fillUtm, type Partner } from '../../src/core/outbound/partner.ts';
import { type Claim, claimFileSchema } from '../../src/core/pages/claims/claim.schema.ts';
import { buildFigures, fillFigures } from '../../src/core/pages/claims/placeholders.ts';
import { type SiteDetails, siteSchema } from '../../src/core/pages/site.schema.ts';
import { productSchema } from '../../src/core/products/product.schema.ts';
import type { Product } from '../../src/core/products/product.ts';
import {
  buildSavings,
  type Calculator,
  calculatorsSchema,
  type SavingsSettings,
} from '../../src/core/savings/calculators.schema.ts';

/** The content that ships, for tests that are about it. */
export const SHIPPED_CONTENT = path.resolve(import.meta.dirname, '../../content');
/** The content of tests: an edit of what ships changes no rule. */
const SAMPLE_CONTENT = path.resolve(import.meta.dirname, '../fixtures/content');

const readYaml = (root: string, file: string): unknown => parse(readFileSync(path.join(root, file), 'utf8'));
const listYaml = (root: string, folder: string) =>
  readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);

/** The settings of the sample site. */
export function readSampleSite(): SiteDetails {
  return siteSchema.parse(readYaml(SAMPLE_CONTENT, 'site.yaml'));
}

/** The products of a content folder, by key. */
export function readSampleProducts(root = SAMPLE_CONTENT): Map<string, Product> {
  return new Map(
    listYaml(root, 'products').map((file) => {
      const key = path.basename(file, '.yaml');
      return [key, { key, ...productSchema.parse(readYaml(root, file)) }];
    }),
  );
}

/** The plans and calculators of a content folder. */
export function readSampleSavings(root = SAMPLE_CONTENT): SavingsSettings {
  const file = calculatorsSchema.parse(readYaml(root, 'calculators.yaml'));
  return buildSavings(file, readSampleProducts(root), (at, reason) => {
    throw new Error(`${at.join('.')} ${reason}`);
  });
}

/** A savings calculator of the sample content; throws when it is missing. */
export function readSampleCalculator(name: string): Calculator {
  const calculator = readSampleSavings().calculators[name];
  if (calculator === undefined) throw new Error(`there is no calculator "${name}"`);
  return calculator;
}

/** The partners of a content folder, by key. */
export function readSamplePartners(root = SAMPLE_CONTENT): Map<string, Partner> {
  const { utm } = siteSchema.parse(readYaml(root, 'site.yaml'));
  return new Map(
    listYaml(root, 'partners')
      .map((file) => fillUtm(partnerSchema.parse(readYaml(root, file)), utm))
      .map((one) => [one.key, one]),
  );
}

/** The claims of a content folder, by key. */
export function readSampleClaims(root = SAMPLE_CONTENT): Map<string, Claim> {
  return new Map(
    listYaml(root, 'claims')
      .flatMap((file) => Object.entries(claimFileSchema.parse(readYaml(root, file))))
      .map(([key, claim]) => [key, { ...claim, key }]),
  );
}

/** The sample assessment, as its file states it. */
export function readAssessmentFile(): unknown {
  return readYaml(SAMPLE_CONTENT, 'assessment.yaml');
}

/** The sample assessment, with every figure in its place; throws for a figure that is nowhere. */
export function readSampleAssessment(): Assessment {
  const figures = buildFigures({
    savings: readSampleSavings(),
    products: readSampleProducts(),
    claims: readSampleClaims(),
  });
  return fillFigures(assessmentSchema.parse(readAssessmentFile()), figures, (name) => {
    throw new Error(`there is no figure "${name}"`);
  });
}
