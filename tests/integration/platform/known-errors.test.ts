import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { StaffKnownErrors } from '#contracts/http/panel/known-errors.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { readServerKnownErrors } from '../../../control-plane/servers/startup/known-errors.ts'
import { addNode, addServer } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let rented: Awaited<ReturnType<typeof addServer>>
let templateId: string
beforeAll(async () => {
  database = await platformDatabase()
  const node = await addNode(database.owner)
  rented = await addServer(database.owner, node.nodeId, { installed: true, state: 'offline' })
  const [row] = await database.owner.query<{ template_id: string }>(
    'select template_id from control.servers where id = $1',
    [rented.id],
  )
  templateId = row?.template_id ?? ''
})
afterAll(() => database.close())
beforeEach(() => database.owner.query('delete from cms_api.known_errors'))

const add = (name: string, templateIds: string[] = []) => {
  const text = (kind: string) => ({ en: `${name} ${kind}`, hu: `${name} ${kind} hu`, de: `${name} ${kind} de` })
  return database.owner.query(
    `insert into cms_api.known_errors (id, title, explanation, pattern, actions, template_ids)
     values ($1, $2, $3, 'the oven is cold', '{files,startup}', $4)`,
    [systemIds.next(), JSON.stringify(text('title')), JSON.stringify(text('text')), templateIds],
  )
}
const read = (caller: { userId: string; isAdmin?: boolean } = { userId: rented.ownerId }) =>
  readServerKnownErrors(testContext(database.db), {
    caller: { isAdmin: false, locale: 'hu', ...caller },
    serverId: rented.id,
  })

it("are those of the server's template and of all templates, in the reader's language", async () => {
  await add('everywhere')
  await add('here', [systemIds.next(), templateId])
  await add('elsewhere', [systemIds.next()])
  const answer = await read()
  if (!answer.ok) throw new Error(answer.code)
  const { rules } = StaffKnownErrors.parse(answer.errors)
  expect(rules.map(({ title, explanation }) => [title, explanation])).toEqual([
    ['everywhere title hu', 'everywhere text hu'],
    ['here title hu', 'here text hu'],
  ])
  expect(rules[0]).toMatchObject({ pattern: 'the oven is cold', actions: ['files', 'startup'] })
})

it('are for whoever may read the console', async () => {
  await add('everywhere')
  expect(await read({ userId: systemIds.next() })).toEqual({ ok: false, code: 'NOT_FOUND' })
  const others = PERMISSIONS.filter((permission) => permission !== 'console.read')
  const addUser = async (permissions: readonly string[]) => {
    const userId = systemIds.next()
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())`,
      [rented.id, userId, permissions],
    )
    return userId
  }
  expect(await read({ userId: await addUser(['console.read']) })).toMatchObject({ ok: true })
  expect(await read({ userId: await addUser(others) })).toEqual({
    ok: false,
    code: 'FORBIDDEN',
    permission: 'console.read',
  })
})
