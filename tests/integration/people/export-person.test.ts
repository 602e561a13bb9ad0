import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportPage } from '../../../control-plane/people/export-person.ts'
import { systemIds } from '#platform/ids.ts'
import { exportPageOf, exportStatement } from '../../../src/domain/users/personal-statements.ts'
import { PERSONAL_TABLES, personalTablesOf } from '../../../src/domain/users/personal-tables.ts'
import { exportOf, permitExport } from '../../../src/identity/accounts/export-person.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { openWholeSite } from '../../factories/whole-site.ts'
import type { Leaver, WholeSite } from '../../factories/whole-site.ts'
import { PASSWORD, somewhere } from '../../support/people.ts'

let rig: WholeSite
beforeAll(async () => {
  rig = await openWholeSite()
})
afterAll(() => rig.close())
beforeEach(() => rig.site.context.db.query('truncate identity.limit_buckets'))

type PlanNode = {
  readonly 'Node Type': string
  readonly Output?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}
const nodesOf = (plan: PlanNode | undefined): readonly PlanNode[] =>
  plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const exported = async (who: Leaver) => {
  const proof = await permitExport(
    rig.site.context,
    { person: who.person, password: PASSWORD, code: undefined },
    somewhere(),
  )
  if (!proof.ok) throw new Error(proof.code)
  const readElsewhere = async ({ table, email, offset }: { table: string; email: string | null; offset: number }) => {
    const page = await exportPage(rig.control, { person: { userId: who.userId, email }, table, offset })
    if (!page) throw new Error(`no page of ${table}`)
    return page
  }
  let text = ''
  for await (const chunk of exportOf(rig.site.context, proof, readElsewhere)) text += chunk
  return { text, json: JSON.parse(text) as { email: string; tables: Record<string, Record<string, unknown>[]> } }
}

describe('the data export', () => {
  test('the export contains all data of the person, no secret, and nothing of anybody else', async () => {
    const [anna, bob] = [await rig.person({ lived: true }), await rig.person({ lived: true })]
    const { text, json } = await exported(anna)
    const taken = PERSONAL_TABLES.filter((table) => table.export !== null).map(({ table }) => table)
    expect(Object.keys(json.tables).sort()).toEqual(taken.toSorted())
    const empty = ['identity.passkeys', 'identity.account_deletions']
    expect(taken.filter((table) => json.tables[table]?.length === 0 && !empty.includes(table))).toEqual([])
    expect(json.email).toBe(anna.email)
    expect(text).toContain(anna.userId)
    for (const canary of [bob.canary, bob.userId, bob.email, 'secret-', 'hash of', 'invalid']) {
      expect([canary, text.includes(canary)]).toEqual([canary, false])
    }
  })

  test('the export needs the password, and is reported by mail and in the log', async () => {
    const anna = await rig.person()
    const wish = { person: anna.person, password: 'a guess', code: undefined }
    expect(await permitExport(rig.site.context, wish, somewhere())).toEqual({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await rig.mails.all('data-export', anna.email)).toEqual([])
    const { json } = await exported(anna)
    expect(await rig.mails.all('data-export', anna.email)).toHaveLength(1)
    const log = json.tables['identity.activities'] ?? []
    expect(log.filter(({ type }) => type === 'account.exported')).toHaveLength(1)
  })

  test('the export does not reveal that an address belongs to another account (case 15)', async () => {
    const anna = await rig.person()
    const claim = {
      username: `claimant-of-${anna.username}`,
      email: anna.email,
      password: PASSWORD,
      language: 'en' as const,
    }
    const made = await register(rig.site.context, claim, somewhere())
    const session = await rig.signIn(claim.username)
    if (!made.ok || !session.ok) throw new Error('no claimant')
    const claimant = { ...anna, ...claim, userId: made.userId, person: { ...session.tokens.subject, device: null } }
    const { text, json } = await exported(claimant)
    expect(json.email).toBe(anna.email)
    expect(text).not.toMatch(/invalid|claim(?!ant)/)
    // Mails that went to the address are its owner's.
    expect(json.tables['control.mails']).toEqual([])
  })

  test('the export is read in pages, complete and in order', async () => {
    const anna = await rig.person()
    await rig.site.context.db.query(
      `insert into identity.activities (id, user_id, type, status, address, created_at)
       select gen_random_uuid(), $1, 'login', 'success', n::text, now() from generate_series(1, 1201) n`,
      [anna.userId],
    )
    const { json } = await exported(anna)
    const addresses = (json.tables['identity.activities'] ?? []).map(({ address }) => address)
    expect(addresses.filter((address) => /^\d+$/.test(String(address)))).toHaveLength(1_201)
    expect(new Set(addresses).size).toBeGreaterThan(1_201)
  })

  test('the files that the person attached to tickets are in the export, whole and each read on its own', async () => {
    const [anna, bob] = [await rig.person(), await rig.person()]
    const files = [Buffer.from('a log of Anna'), Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))]
    for (const [who, bytes] of [...files.map((file) => [anna, file] as const), [bob, Buffer.from('of Bob')] as const])
      await rig.control.query(
        `insert into control.ticket_attachments (id, author_id, name, kind, media_type, bytes, created_at)
         values (gen_random_uuid(), $1, 'latest.log', 'text', 'text/plain', $2, clock_timestamp())`,
        [who.userId, bytes],
      )
    const { json } = await exported(anna)
    const rows = json.tables['control.ticket_attachments'] ?? []
    expect(rows.map(({ name, size }) => [name, size])).toEqual(files.map(({ length }) => ['latest.log', length]))
    expect(rows.map(({ base64 }) => Buffer.from(String(base64), 'base64'))).toEqual(files)
    expect(rows.some((row) => 'bytes' in row)).toBe(false)
    const page = await exportPage(rig.control, {
      person: { userId: anna.userId, email: null },
      table: 'control.ticket_attachments',
      offset: 0,
    })
    expect([page?.rows.length, page?.next]).toEqual([1, 1])
  })

  test('no page of the export encodes rows that are on other pages, and no bytes become hex', async () => {
    for (const table of personalTablesOf('control plane')) {
      const person = { userId: systemIds.next(), email: 'anna@example.test' }
      const statement = exportStatement(table, person, { offset: 3, limit: exportPageOf(table) })
      if (table.export === null || statement === undefined) continue
      const [explained] = await rig.control.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (verbose, format json) ${statement.text}`,
        statement.values,
      )
      const nodes = nodesOf(explained?.['QUERY PLAN'][0].Plan)
      const limits = nodes.filter((node) => node['Node Type'] === 'Limit')
      expect([table.table, limits.length]).toEqual([table.table, 1])
      const below = limits.flatMap(({ Plans = [] }) => Plans.flatMap(nodesOf)).flatMap(({ Output = [] }) => Output)
      expect([table.table, below.filter((column) => /encode|to_jsonb/.test(column))]).toEqual([table.table, []])
      if (table.export.file === undefined) continue
      expect(statement.text).not.toContain('to_jsonb(t)')
      const columns = await rig.control.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema || '.' || table_name = $1`,
        [table.table],
      )
      const told = [...table.export.beside, table.export.file, ...table.columns]
      expect(columns.map(({ name }) => name).sort()).toEqual(told.sort())
    }
  })

  test('the export fails with the control plane before its first byte', async () => {
    const anna = await rig.person()
    const away = () => Promise.reject(new Error('away'))
    const chunks = exportOf(rig.site.context, { ...anna, isTheirs: true }, away)
    await expect(chunks.next()).rejects.toThrow('away')
  })
})
