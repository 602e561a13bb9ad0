import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DescribedFiles, TemplateFiles } from '#contracts/panel/described-files.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { readDescribedFiles } from '../../../control-plane/servers/startup/described-files.ts'
import { describedFiles } from '../../../src/cms/seed/content/described-files.ts'
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
beforeEach(() => database.owner.query('delete from cms_api.template_files'))

const add = (id: string, files: unknown) =>
  database.owner.query('insert into cms_api.template_files (id, described_files) values ($1, $2)', [
    id,
    JSON.stringify(files),
  ])
const read = (caller: { userId: string; isAdmin?: boolean } = { userId: rented.ownerId }) =>
  readDescribedFiles(testContext(database.db), {
    caller: { isAdmin: false, locale: 'hu', ...caller },
    serverId: rented.id,
  })

it("are those of the server's template alone, in the reader's language", async () => {
  const files = TemplateFiles.parse(describedFiles['minecraft-paper'])
  await add(templateId, files)
  await add(systemIds.next(), [{ ...files[0], path: 'other.yml' }])
  const answer = await read()
  if (!answer.ok) throw new Error(answer.code)
  const { files: said } = DescribedFiles.parse(answer.described)
  expect(said.map(({ path, format }) => [path, format])).toEqual([['bukkit.yml', 'yaml']])
  expect(said[0]?.groups[0]).toEqual({ id: 'settings', name: 'Szerver' })
  expect(said[0]?.fields.find(({ key }) => key === 'settings.allow-end')).toMatchObject({
    name: 'A Vég',
    help: 'A játékosok eljuthatnak a Végbe.',
    kind: { is: 'switch', preset: 'true' },
  })
  expect(said[0]?.fields.find(({ key }) => key === 'settings.deprecated-verbose')?.kind).toMatchObject({
    names: { true: 'Mindig' },
  })
})

it('are none where the template describes none', async () => {
  expect(await read()).toEqual({ ok: true, described: { files: [] } })
})

it('are for whoever may read files', async () => {
  expect(await read({ userId: systemIds.next() })).toEqual({ ok: false, code: 'NOT_FOUND' })
  const addUser = async (permissions: readonly string[]) => {
    const userId = systemIds.next()
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())`,
      [rented.id, userId, permissions],
    )
    return userId
  }
  expect(await read({ userId: await addUser(['file.list', 'file.read']) })).toMatchObject({ ok: true })
  const others = PERMISSIONS.filter((permission) => permission !== 'file.read')
  expect(await read({ userId: await addUser(others) })).toEqual({
    ok: false,
    code: 'FORBIDDEN',
    permission: 'file.read',
  })
})
