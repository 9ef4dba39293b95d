// @ts-check
// node --import ./scripts/start/env-file.mjs PROGRAM: loads .env. Variables of the environment take precedence.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
