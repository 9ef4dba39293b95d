import { afterAll } from 'vitest';
import { closeMemoryDatabases } from './memory-executor.ts';

afterAll(closeMemoryDatabases);
