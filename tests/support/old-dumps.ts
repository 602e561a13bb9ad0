import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import * as z from 'zod'

import { runSqlMigrations } from '../../scripts/sql-migrations.ts'
import { migrateCms } from '../../src/cms/migrate.ts'
import { createDatabase } from './postgres.ts'
import { PanelFacts } from './use-panel.ts'

const FOLDER = 'tests/fixtures/dumps'

const Account = z.object({ username: z.string(), password: z.string() })
/** The facts about a database written by `write-dump.ts`: its people, and the keys that sealed its secrets. */
const Facts = z.object({
  madeAt: z.iso.datetime(),
  smtpPassword: z.string(),
  customer: Account.extend({
    email: z.string(),
    access: z.string(),
    refresh: z.string(),
    serverId: z.string(),
    balance: z.object({ balanceFt: z.int(), heldFt: z.int() }),
  }),
  admin: Account,
  support: Account,
  /** In dumps with more than one payment method. */
  money: z
    .object({
      debtor: z.object({ username: z.string(), debtFt: z.int() }),
      invoices: z.int(),
      unmatched: z.int(),
      postings: z.int(),
      tier: z.string(),
    })
    .optional(),
  /** In dumps of a release with the panel. */
  panel: PanelFacts.optional(),
  secrets: z.object({ payloadSecret: z.string(), secretsKey: z.string(), controlPlaneSecret: z.string() }),
})

/** The names of the product states that have a dump. */
export const oldDumps = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''))

/** Fills a separate database with an old state. */
export const restoreDump = async (name: string) => {
  const facts = Facts.parse(JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')))
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(readFileSync(`${FOLDER}/${name}.sql`, 'utf8')).finally(() => client.end())
  return { facts, url: database.url, drop: database.drop }
}

/**
 * Migrates a database to the present, in the order of `scripts/migrate.ts`, except the queue, which its library
 * migrates.
 */
export const migrateToPresent = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run = async (schema: string, folder: string) =>
    (await runSqlMigrations(client, { schema, folder })).map((name) => `${schema}/${name}`)
  try {
    return [
      ...(await migrateCms(url)).map((name) => `public/${name}`),
      ...(await run('identity', 'src/identity/migrations')),
      ...(await run('control', 'control-plane/platform/migrations')),
    ]
  } finally {
    await client.end()
  }
}

/** The migrations of a dumped database, by the same names. */
export const migrationsIn = async (client: pg.Client): Promise<string[]> => {
  const namesIn = async (table: string, schema: string) => {
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`)
    return rows.map(({ name }) => `${schema}/${name}`)
  }
  return [
    ...(await namesIn('public.payload_migrations', 'public')),
    ...(await namesIn('identity.migrations', 'identity')),
    ...(await namesIn('control.migrations', 'control')),
  ]
}
