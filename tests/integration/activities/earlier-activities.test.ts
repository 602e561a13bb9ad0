import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

const MIGRATION = 'control-plane/platform/migrations/0050-0099/0097_server_activities.sql'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
})
afterAll(() => database.close())

/** Rows as an earlier release wrote them, after what the migration does with rows. */
const migrated = async (rows: readonly { type: string; detail?: object }[]) => {
  await database.owner.query('truncate control.activities')
  const ids = rows.map(() => systemIds.next())
  for (const [n, { type, detail = {} }] of rows.entries()) {
    await database.owner.query(
      `insert into control.activities (id, user_id, server_id, type, status, detail, created_at)
       values ($1, $2, $2, $3, 'success', $4, now())`,
      [ids[n], systemIds.next(), type, JSON.stringify(detail)],
    )
  }
  const updates = readFileSync(MIGRATION, 'utf8')
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim().startsWith('update'))
  expect(updates).toHaveLength(4)
  for (const statement of updates) await database.owner.query(statement)
  const found = await database.owner.query<{ id: string; done_by: string; text: string | null }>(
    `select id, done_by, detail ->> 'text' as text from control.activities`,
  )
  return ids.map((id) => found.find((row) => row.id === id))
}

it('rows of an earlier release say who acted: the server, our systems, staff, or their user', async () => {
  const rows = await migrated([
    { type: 'server:crashed' },
    { type: 'server.expired' },
    { type: 'server.refunded' },
    { type: 'server:moved-by-force', detail: { reason: 'lost' } },
    { type: 'server:moved-by-force', detail: { reason: 'lost', from: 'a', to: 'b' } },
    { type: 'server.start' },
  ])
  expect(rows.map((row) => row?.done_by)).toEqual(['server', 'system', 'staff', 'staff', 'user', 'user'])
})

it('commands of an earlier release that may contain a secret keep their first word, and others stay', async () => {
  const commands = [
    ['/login hunter2', '/login •••'],
    ['authme:register hunter2 hunter2', 'authme •••'],
    ['set sv_password hunter2', 'set •••'],
    ['password=hunter2', 'password •••'],
    ['use 0123456789abcdef0123456789abcdef', 'use •••'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.sig', '•••'],
    ['say hello everyone', 'say hello everyone'],
    ['op anna', 'op anna'],
  ] as const
  const rows = await migrated(commands.map(([text]) => ({ type: 'server:console.command', detail: { text } })))
  expect(rows.map((row) => row?.text)).toEqual(commands.map(([, kept]) => kept))
  expect(JSON.stringify(rows)).not.toContain('hunter2')
})

it('a path is no command', async () => {
  const rows = await migrated([{ type: 'server:file.write', detail: { text: 'plugins/password/config.yml' } }])
  expect(rows[0]?.text).toBe('plugins/password/config.yml')
})
