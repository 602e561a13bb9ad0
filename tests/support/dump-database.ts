import type pg from 'pg'

/** Schemas of the product. The queue's belongs to its library, which migrates it. */
const SCHEMAS = ['public', 'identity', 'control']
/** Rows that say nothing after the programs have ended, and would make the file long. */
const SHORT_LIVED = ['identity.limit_buckets', 'control.bus_events']
const HEARD = 'dump_heard'

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Makes the database record its migration statements from now on, because PostgreSQL's own dump program is not among
 * the packages. Migrations connect under the name `migrate`.
 */
export async function hearMigrations(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA ${HEARD};
    CREATE TABLE ${HEARD}.statements (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL);
    CREATE FUNCTION ${HEARD}.hear() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $hear$
    BEGIN
      IF current_setting('application_name') = 'migrate' THEN
        INSERT INTO ${HEARD}.statements (text)
        SELECT current_query() WHERE NOT EXISTS (SELECT FROM ${HEARD}.statements WHERE text = current_query());
      END IF;
    END $hear$;
    GRANT USAGE ON SCHEMA ${HEARD} TO PUBLIC;
    CREATE EVENT TRIGGER ${HEARD} ON ddl_command_end EXECUTE FUNCTION ${HEARD}.hear();
    CREATE EVENT TRIGGER ${HEARD}_drop ON sql_drop EXECUTE FUNCTION ${HEARD}.hear();`)
}

type Column = { table: string; schema: string; column: string; isIdentity: boolean }

const readColumns = async (client: pg.Client): Promise<Column[]> => {
  const { rows } = await client.query<Column>(
    `SELECT c.relname AS table, n.nspname AS schema, a.attname AS column, a.attidentity <> '' AS "isIdentity"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY n.nspname, c.relname, a.attnum`,
    [SCHEMAS],
  )
  return rows
}

const insertsOf = async (client: pg.Client, columns: readonly Column[]): Promise<string[]> => {
  const [first] = columns
  if (first === undefined) return []
  const table = `${identifier(first.schema)}.${identifier(first.table)}`
  const names = columns.map(({ column }) => identifier(column))
  const literals = names.map((name) => `quote_nullable(${name}::text)`).join(`, ', ', `)
  const { rows } = await client.query<{ row: string }>(`SELECT concat(${literals}) AS row FROM ${table} ORDER BY 1`)
  if (rows.length === 0 || SHORT_LIVED.includes(`${first.schema}.${first.table}`)) return []
  const overriding = columns.some(({ isIdentity }) => isIdentity) ? ' OVERRIDING SYSTEM VALUE' : ''
  const values = rows.map(({ row }) => `(${row})`).join(',\n')
  return [`INSERT INTO ${table} (${names.join(', ')})${overriding} VALUES\n${values};`]
}

const sequencesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last
     FROM pg_sequences WHERE schemaname = ANY ($1) ORDER BY 1`,
    [SCHEMAS],
  )
  return rows.flatMap(({ name, last }) => (last === null ? [] : [`SELECT setval('${name}', ${last});`]))
}

/**
 * The database as SQL: its migration statements, then every row of the product's schemas. `hearMigrations` must be
 * called first.
 */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`SELECT text FROM ${HEARD}.statements ORDER BY id`)
  const schema = rows.map(({ text }) => `${text.trim().replace(/;$/, '')};`)
  const tables = new Map<string, Column[]>()
  for (const column of await readColumns(client)) {
    const name = `${identifier(column.schema)}.${identifier(column.table)}`
    tables.set(name, [...(tables.get(name) ?? []), column])
  }
  const inserts: string[] = []
  for (const columns of tables.values()) inserts.push(...(await insertsOf(client, columns)))
  return [
    ...schema,
    `SET session_replication_role = replica;`,
    `TRUNCATE ${[...tables.keys()].join(', ')};`,
    ...inserts,
    ...(await sequencesOf(client)),
    `SET session_replication_role = origin;`,
    '',
  ].join('\n\n')
}
