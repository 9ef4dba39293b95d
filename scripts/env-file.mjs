// @ts-check
// node --import ./scripts/env-file.mjs program: settings of the file .env, where the environment sets none.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
