import {
  type Compilable,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlStatement, SqlValue } from './sql-executor.ts';

/**
 * Creates a Kysely that composes queries with optional parts and runs none of them: `buildStatement` compiles one,
 * the executor runs it. Import this file where a query is needed, not at start: Kysely takes 80 ms and 26 MB.
 */
export function createQueryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Compiles a query into a statement. Its values have the types of the columns that they are compared with. */
export function buildStatement(query: Compilable): SqlStatement {
  const { sql, parameters } = query.compile();
  return { sql, values: parameters as readonly SqlValue[] };
}
