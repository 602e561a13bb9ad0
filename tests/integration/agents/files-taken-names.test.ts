import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import {
  BIN_PART,
  type BinEntry,
  type NodeFileCall,
  type NodeFileInput,
  type TakenName,
} from '#contracts/panel/node-files.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, IDENTIFIER } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WebSource } from '../../support/web-source.ts'

const OTHER_ID = '01990000-0000-7000-8000-000000000002'
const OTHER = 'acdefghm'
const HOST = '127.0.0.1'

let files: FilesRig
let there: string
let source: WebSource
beforeAll(async () => {
  files = await FilesRig.open()
  there = await files.addServer(OTHER_ID, OTHER, { uid: files.uid + 1 })
  source = await WebSource.open(HOST)
  Object.assign(files.network, { resolve: () => Promise.resolve([HOST]), isAllowed: () => true })
  await files.openDoor()
})
afterAll(async () => {
  await files.close()
  await source.close()
})
beforeEach(async () => {
  for (const folder of [files.root, there])
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true })
  files.usage = { bytes: 0, ownBytes: 0 }
  files.activities.length = 0
  source.requests.length = 0
  for (const server of [SERVER_ID, OTHER_ID]) await on(server, 'empty-bin', {})
})

const on = async (server: string, call: NodeFileCall, input: object) =>
  files.ask(`/servers/${server}/files/${call}`, {
    method: 'POST',
    body: JSON.stringify(input),
    ...(await rightsOn(server)),
  })
const rightsOn = async (server: string, permissions: readonly string[] = PERMISSIONS) => ({
  token: await files.token({ server, permissions }),
})
const asked = async (change: Partial<NodeFileInput<'transfer'>>): Promise<NodeFileInput<'transfer'>> => ({
  paths: ['world', 'ops.json'],
  server: OTHER_ID,
  token: (await rightsOn(OTHER_ID)).token,
  folder: '',
  ...change,
})
const send = async (change: Partial<NodeFileInput<'transfer'>>): Promise<FileJob> =>
  files.job('transfer', await asked(change))
const pull = (taken: TakenName, name = 'pack.jar'): Promise<FileJob> =>
  files.job('pull', { address: `http://web.test:${source.port}/${name}`, folder: '', taken })
const binOf = async (server: string): Promise<BinEntry[]> =>
  ((await on(server, 'bin', {})).json as { entries: BinEntry[] }).entries
const restore = async (server: string, id: string, to: string) => (await on(server, 'restore', { id, to })).status
const parts = () =>
  [files.area, path.join(path.dirname(there), 'files')].flatMap((area) => fs.readdirSync(path.join(area, 'parts')))
/** The content of each file by its path. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]),
  )

const putBoth = () => {
  files.put('world/level.dat', 'mine')
  files.put('ops.json', 'my ops')
  files.own()
  fs.mkdirSync(path.join(there, 'world'))
  fs.writeFileSync(path.join(there, 'world/level.dat'), 'theirs')
  fs.writeFileSync(path.join(there, 'world/seed.txt'), 'seed')
  if (process.getuid?.() !== 0) return
  for (const name of ['world', 'world/level.dat', 'world/seed.txt'])
    fs.chownSync(path.join(there, name), files.uid + 1, files.uid + 1)
}

describe('a name that is taken on the other server', () => {
  it('gets a number, as often as it is taken, and everything that was there stays', async () => {
    putBoth()
    expect((await send({ taken: 'number' })).refusals).toEqual([null, null])
    expect((await send({ taken: 'number' })).refusals).toEqual([null, null])
    expect(contentOf(there)).toEqual({
      'world/level.dat': 'theirs',
      'world/seed.txt': 'seed',
      'world (2)/level.dat': 'mine',
      'world (3)/level.dat': 'mine',
      'ops.json': 'my ops',
      'ops (2).json': 'my ops',
    })
    expect(parts()).toEqual([])
    expect(files.activities.map(({ detail }) => detail)).toContain(`world (2) ← ${IDENTIFIER}:world (+1)`)
  })

  it('is given to what arrives, and what had it is in the bin there, from where it comes back whole', async () => {
    putBoth()
    expect((await send({ taken: 'replace' })).refusals).toEqual([null, null])
    expect(contentOf(there)).toEqual({ 'world/level.dat': 'mine', 'ops.json': 'my ops' })
    const [replaced, ...more] = await binOf(OTHER_ID)
    expect([replaced?.path, replaced?.kind, more]).toEqual(['world', 'folder', []])
    expect(await binOf(SERVER_ID)).toEqual([])
    expect(await restore(OTHER_ID, replaced?.id ?? '', 'old world')).toBe(200)
    expect(contentOf(path.join(there, 'old world'))).toEqual({ 'level.dat': 'theirs', 'seed.txt': 'seed' })
  })

  it('of a move leaves this server in either way', async () => {
    putBoth()
    expect((await send({ paths: ['world'], taken: 'replace', moves: true })).refusals).toEqual([null])
    expect((await send({ paths: ['ops.json'], taken: 'number', moves: true })).refusals).toEqual([null])
    expect([contentOf(files.root), contentOf(there)]).toEqual([{}, { 'world/level.dat': 'mine', 'ops.json': 'my ops' }])
  })

  it('is not given away if what has it does not fit into the bin, and nothing has changed then', async () => {
    putBoth()
    const before = contentOf(there)
    const large = path.join(there, 'world/large.bin')
    fs.writeFileSync(large, Buffer.alloc(Math.ceil(files.limitBytes * BIN_PART) + 4_096))
    expect((await send({ taken: 'replace' })).refusals).toEqual(['BIN_TOO_SMALL', null])
    fs.rmSync(large)
    expect(contentOf(there)).toEqual({ ...before, 'ops.json': 'my ops' })
    expect([await binOf(OTHER_ID), parts()]).toEqual([[], []])
  })

  it('is given away only with the permission to change files there', async () => {
    putBoth()
    const may = PERMISSIONS.filter((each) => each !== 'file.update')
    const { token } = await rightsOn(OTHER_ID, may)
    const refused = await files.call('transfer', await asked({ taken: 'replace', token }))
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    expect((await send({ taken: 'number', token })).refusals).toEqual([null, null])
    expect(contentOf(there)).toMatchObject({ 'world/level.dat': 'theirs', 'world (2)/level.dat': 'mine' })
  })
})

describe('a name that a file from the web should have', () => {
  it('gets a number beside what has it', async () => {
    files.put('pack.jar', 'old')
    source.send('new')
    expect(await pull('number')).toMatchObject({ state: 'done', path: 'pack (2).jar' })
    expect(await pull('number')).toMatchObject({ state: 'done', path: 'pack (3).jar' })
    expect(contentOf(files.root)).toEqual({ 'pack.jar': 'old', 'pack (2).jar': 'new', 'pack (3).jar': 'new' })
    expect(files.activities.map(({ detail }) => detail)).toContain(`pack (2).jar ← web.test:${source.port}`)
  })

  it('is given to it once it is complete, and the old file is in the bin', async () => {
    files.put('pack.jar', 'old')
    source.send('new')
    expect(await pull('replace')).toMatchObject({ state: 'done', path: 'pack.jar' })
    expect(contentOf(files.root)).toEqual({ 'pack.jar': 'new' })
    const [replaced] = await binOf(SERVER_ID)
    expect(await restore(SERVER_ID, replaced?.id ?? '', 'old.jar')).toBe(200)
    expect(files.text('old.jar')).toBe('old')
  })

  it('stays with the old file while the new one does not arrive', async () => {
    files.put('pack.jar', 'old')
    source.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x'.repeat(10))
      setImmediate(() => response.destroy())
    }
    expect(await pull('replace')).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    await waitFor('its part to go', () => parts().length === 0)
    expect([contentOf(files.root), await binOf(SERVER_ID)]).toEqual([{ 'pack.jar': 'old' }, []])
  })

  it('takes the place of a folder as well, and never of one that the permission does not cover', async () => {
    files.put('pack.jar/inner.txt', 'inner')
    source.send('new')
    const input = { address: `http://web.test:${source.port}/pack.jar`, folder: '', taken: 'replace' } as const
    const may = PERMISSIONS.filter((each) => each !== 'file.update')
    const refused = await files.call('pull', input, await rightsOn(SERVER_ID, may))
    expect([refused.status, codeOf(refused), source.requests.length]).toEqual([403, 'FORBIDDEN', 0])
    expect(await pull('replace')).toMatchObject({ state: 'done', path: 'pack.jar' })
    expect(contentOf(files.root)).toEqual({ 'pack.jar': 'new' })
    const [replaced] = await binOf(SERVER_ID)
    expect(await restore(SERVER_ID, replaced?.id ?? '', 'pack')).toBe(200)
    expect(files.text('pack/inner.txt')).toBe('inner')
  })
})
