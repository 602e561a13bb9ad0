import { randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import type { NodeFileInput } from '#contracts/panel/node-files.ts'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { nextId, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, IDENTIFIER } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const OTHER_ID = '01990000-0000-7000-8000-000000000002'
const OTHER = 'acdefghm'
const MIB = 1024 * 1024
const isRoot = process.getuid?.() === 0

let files: FilesRig
let there: string
let otherUid: number
beforeAll(async () => {
  files = await FilesRig.open()
  otherUid = files.uid + 1
  there = await files.addServer(OTHER_ID, OTHER, { uid: otherUid })
  await files.openDoor()
})
afterAll(() => files.close())

const areas = () => [files.area, path.join(path.dirname(there), 'files')]
/** Everything that is not complete, on both servers. */
const left = () =>
  areas()
    .flatMap((area) => ['parts', 'ready', 'bin'].map((name) => path.join(area, name)))
    .flatMap((folder) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []))

beforeEach(() => {
  for (const folder of [files.root, there])
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true })
  files.usage = { bytes: 0, ownBytes: 0 }
  files.activities.length = 0
  for (const id of [SERVER_ID, OTHER_ID]) setSpec(id, { suspended: false })
})

const setSpec = (id: string, change: object): void => {
  const { core } = files.rig.manager.find(id) ?? {}
  if (core?.spec) Object.assign(core.spec, change)
}
const without = (...missing: Permission[]) => PERMISSIONS.filter((each) => !missing.includes(each))
const tokenThere = (change: Record<string, unknown> = {}) => files.token({ server: OTHER_ID, ...change })
const input = async (change: Partial<NodeFileInput<'transfer'>> = {}): Promise<NodeFileInput<'transfer'>> => ({
  paths: ['world'],
  server: OTHER_ID,
  token: change.token ?? (await tokenThere()),
  folder: '',
  ...change,
})
const send = async (change: Partial<NodeFileInput<'transfer'>> = {}): Promise<FileJob> =>
  files.job('transfer', await input(change))
const begin = async (change: Partial<NodeFileInput<'transfer'>> = {}): Promise<FileJob> =>
  ((await files.call('transfer', await input(change))).json as { job: FileJob }).job
const jobsNow = async () => ((await files.call('jobs', {})).json as { jobs: FileJob[] }).jobs
/** Until so many bytes have passed; before, the target may have no process. A start may be answered later than that. */
const underWay = (moreThanBytes = 0) =>
  waitFor('bytes on their way', async () =>
    (await jobsNow()).some(({ state, done }) => state === 'running' && done > moreThanBytes),
  )
const refusal = async (change: Partial<NodeFileInput<'transfer'>>, token?: string) => {
  const answer = await files.call('transfer', await input(change), { token })
  return [answer.status, codeOf(answer), (answer.json as { error?: { permission?: string } }).error?.permission]
}
const at = (name: string) => path.join(there, name)
/** Path, mode and content of everything below a folder. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const target = path.join(folder, name)
      const stats = fs.lstatSync(target)
      const content = stats.isFile() ? fs.readFileSync(target).toString('base64') : ''
      return [name, `${(stats.mode & 0o777).toString(8)} ${content}`]
    }),
  )
const putWorld = () => {
  files.put('world/level.dat', randomBytes(300_000))
  files.put('world/region/r.0.0.mca', randomBytes(1_200_000))
  files.put('world/region/árvíztűrő – 1.txt', 'text')
  files.put('world/empty.txt', '')
  files.put('world/start.sh', '#!/bin/sh\n')
  fs.chmodSync(path.join(files.root, 'world/start.sh'), 0o751)
  fs.chmodSync(path.join(files.root, 'world/level.dat'), 0o664)
  fs.mkdirSync(path.join(files.root, 'world/nothing'), { mode: 0o750 })
  fs.utimesSync(path.join(files.root, 'world/level.dat'), 1_700_000_000, 1_700_000_000)
  files.own()
}

describe('a copy to another server', () => {
  it('has every byte, mode and time, belongs to the other user, and is in both activity logs', async () => {
    putWorld()
    files.put('ops.json', 'ops')
    fs.mkdirSync(at('from a friend'))
    if (isRoot) fs.chownSync(at('from a friend'), otherUid, otherUid)
    const before = treeOf(files.root)
    const job = await send({ paths: ['world', 'ops.json'], folder: 'from a friend' })
    expect(job).toMatchObject({
      state: 'done',
      kind: 'transfer',
      path: 'from a friend/world',
      things: 2,
      moves: false,
      refusals: [null, null],
      leftOut: [],
    })
    expect(job.done).toBeGreaterThan(1_500_000)
    expect(treeOf(at('from a friend'))).toEqual(before)
    expect(treeOf(files.root)).toEqual(before)
    expect(fs.statSync(at('from a friend/world/level.dat')).mtimeMs).toBe(1_700_000_000_000)
    if (isRoot) {
      const owners = fs
        .readdirSync(at('from a friend'), { recursive: true, encoding: 'utf8' })
        .map((name) => fs.lstatSync(path.join(at('from a friend'), name)).uid)
      expect(new Set(owners)).toEqual(new Set([otherUid]))
    }
    expect(left()).toEqual([])
    expect(files.activities.map(({ serverId, type, detail, userId }) => [serverId, type, detail, userId])).toEqual([
      [SERVER_ID, 'server:file.copy-to', `world → ${OTHER}:from a friend/world (+1)`, USER_ID],
      [OTHER_ID, 'server:file.arrive', `from a friend/world ← ${IDENTIFIER}:world (+1)`, USER_ID],
    ])
  })

  it('replaces nothing: what exists is refused by itself, and the rest arrives', async () => {
    putWorld()
    files.put('ops.json', 'mine')
    fs.mkdirSync(at('world'))
    fs.writeFileSync(at('world/level.dat'), 'theirs')
    const job = await send({ paths: ['world', 'missing', 'ops.json'] })
    expect([job.state, job.refusals, job.path]).toEqual(['done', ['ALREADY_EXISTS', 'NOT_FOUND', null], 'world'])
    expect(treeOf(there)).toMatchObject({ 'ops.json': expect.stringContaining('644') as string })
    expect(fs.readdirSync(at('world'))).toEqual(['level.dat'])
    expect(fs.readFileSync(at('world/level.dat'), 'utf8')).toBe('theirs')
  })

  it('leaves links and special files out and names them, and refuses them as things of their own', async () => {
    putWorld()
    fs.symlinkSync('/etc/passwd', path.join(files.root, 'world/link'))
    fs.symlinkSync('world', path.join(files.root, 'alone'))
    execFileSync('mkfifo', [path.join(files.root, 'world/pipe')])
    files.own()
    const job = await send({ paths: ['world', 'alone'] })
    expect([job.refusals, job.leftOutCount]).toEqual([[null, 'LINK_REFUSED'], 2])
    expect(job.leftOut.map(({ name, why }) => `${name} ${why}`).sort()).toEqual([
      'world/link link',
      'world/pipe special',
    ])
    expect(fs.readdirSync(there)).toEqual(['world'])
    expect(fs.readdirSync(at('world')).sort()).toEqual(['empty.txt', 'level.dat', 'nothing', 'region', 'start.sh'])
  })

  it('names a backslash as it is, and leaves out names that no call could ask for', async () => {
    putWorld()
    files.put('world/a\\b', 'one name')
    files.put('world/%2e%2e', 'climbs')
    // Last, because the rig gives files to their user by names that are text.
    fs.writeFileSync(Buffer.concat([Buffer.from(`${files.root}/world/`), Buffer.from([0xff, 0xfe])]), 'no text')
    const job = await send()
    expect(job.leftOut.map(({ name, why }) => `${name} ${why}`).sort()).toEqual([
      'world/%2e%2e name',
      'world/\ufffd\ufffd name',
    ])
    expect(fs.readFileSync(at('world/a\\b'), 'utf8')).toBe('one name')
  })

  it('needs a folder that is there, and is no link', async () => {
    putWorld()
    fs.writeFileSync(at('file'), '')
    fs.symlinkSync(files.root, at('link'))
    for (const [folder, code] of [
      ['missing', 'NOT_FOUND'],
      ['file', 'NOT_A_FOLDER'],
      ['link', 'NOT_A_FOLDER'],
    ] as const) {
      expect(await send({ folder })).toMatchObject({ state: 'failed', refusal: code })
    }
    expect(await refusal({ folder: '../x' })).toEqual([400, 'INVALID_PATH', undefined])
    expect(fs.readdirSync(there).sort()).toEqual(['file', 'link'])
  })

  it('that the other storage does not hold leaves nothing there', async () => {
    files.put('big.bin', randomBytes(3 * MIB))
    files.put('small.txt', 'small')
    files.usage = { bytes: files.limitBytes - 2 * MIB, ownBytes: 0 }
    const job = await send({ paths: ['big.bin', 'small.txt'] })
    expect(job.refusals).toEqual(['NO_SPACE', null])
    expect(fs.readdirSync(there)).toEqual(['small.txt'])
    expect(left()).toEqual([])
  })

  it('of many empty files takes a block of the storage for each', async () => {
    for (const name of Array.from({ length: 40 }).keys()) files.put(`world/${name}.txt`, '')
    files.usage = { bytes: files.limitBytes - 30 * 4_096, ownBytes: 0 }
    expect((await send()).refusals).toEqual(['NO_SPACE'])
    expect([fs.readdirSync(there), left()]).toEqual([[], []])
  })
})

describe('a move to another server', () => {
  it('deletes here what has arrived there, and says so', async () => {
    putWorld()
    const before = treeOf(path.join(files.root, 'world'))
    files.put('ops.json', 'ops')
    const job = await send({ paths: ['world', 'ops.json'], moves: true })
    expect(job).toMatchObject({ state: 'done', moves: true, refusals: [null, null] })
    expect(treeOf(at('world'))).toEqual(before)
    expect(files.tree()).toEqual([])
    expect(left()).toEqual([])
    expect(files.activities.map(({ type }) => type)).toEqual(['server:file.move-to', 'server:file.arrive'])
  })

  it('keeps here what did not arrive, whole or in part', async () => {
    putWorld()
    fs.symlinkSync('level.dat', path.join(files.root, 'world/link'))
    files.put('taken.txt', 'mine')
    fs.writeFileSync(at('taken.txt'), 'theirs')
    files.own()
    const before = treeOf(files.root)
    const job = await send({ paths: ['world', 'taken.txt'], moves: true })
    expect([job.state, job.refusals, job.leftOutCount]).toEqual(['done', ['SOURCE_KEPT', 'ALREADY_EXISTS'], 1])
    expect(treeOf(files.root)).toEqual(before)
    expect(fs.readFileSync(at('taken.txt'), 'utf8')).toBe('theirs')
    expect(fs.existsSync(at('world/level.dat'))).toBe(true)
    expect(files.activities.map(({ type }) => type)).toEqual(['server:file.copy-to', 'server:file.arrive'])
  })

  it('loses nothing that changes meanwhile', async () => {
    putWorld()
    files.put('world/big.bin', randomBytes(192 * MIB))
    const starting = begin({ moves: true })
    // The order of the disk does not matter: more than all other files together, so that this one is on its way.
    await underWay(2 * MIB)
    const changed = ['world/big.bin', 'world/level.dat'].map((name) => path.join(files.root, name))
    for (const name of changed) fs.appendFileSync(name, 'later')
    const ended = await files.ended(await starting)
    expect([ended.state, ended.refusals]).toEqual(['done', ['SOURCE_KEPT']])
    for (const name of changed) expect(fs.readFileSync(name).subarray(-5).toString()).toBe('later')
    expect(left()).toEqual([])
  })
})

describe('the right to a transfer', () => {
  beforeEach(() => putWorld())
  const nothingThere = () => expect([fs.readdirSync(there), files.exists('world/level.dat')]).toEqual([[], true])

  it('is of one person on both servers', async () => {
    expect(await refusal({ token: await tokenThere({ sub: nextId() }) })).toEqual([403, 'FORBIDDEN', undefined])
    nothingThere()
  })

  it('is a token of its purpose, its server, its time and a session that goes on', async () => {
    const iat = Math.floor(files.rig.clock.now() / 1_000) - 3_600
    const ended = nextId()
    files.revocations.add({ userId: null, serverId: null, sessionId: ended, issuedBeforeMs: Date.now() + 600_000 })
    for (const token of [
      await files.token({ server: OTHER_ID, purpose: 'console' }, { typ: 'JWT' }),
      await files.token({ server: OTHER_ID }, { typ: 'download+jwt' }),
      await files.token(),
      await tokenThere({ iat, exp: iat + 600 }),
      await tokenThere({ aud: nextId() }),
      await tokenThere({ sid: ended }),
      'nothing',
    ]) {
      expect(await refusal({ token })).toEqual([401, 'INVALID_TOKEN', undefined])
    }
    nothingThere()
  })

  it('is the permission of each side', async () => {
    const source = (missing: Permission) => files.token({ permissions: without(missing) })
    const target = async (missing: Permission) => ({ token: await tokenThere({ permissions: without(missing) }) })
    expect(await refusal({}, await source('file.read'))).toEqual([403, 'FORBIDDEN', 'file.read'])
    expect(await refusal({ moves: true }, await source('file.update'))).toEqual([403, 'FORBIDDEN', 'file.update'])
    expect(await refusal(await target('file.create'))).toEqual([403, 'FORBIDDEN', 'file.create'])
    nothingThere()
    expect((await files.call('transfer', await input(), { token: await source('file.update') })).status).toBe(200)
    await waitFor('the copy', () => fs.existsSync(at('world')))
  })

  it('is for another server that is here', async () => {
    const itself = await refusal({ server: SERVER_ID, token: await files.token() })
    expect(itself).toEqual([400, 'INVALID_REQUEST', undefined])
    const away = nextId().replace('7000-9000', '7000-8000')
    const absent = await refusal({ server: away, token: await files.token({ server: away }) })
    expect(absent).toEqual([404, 'NOT_FOUND', undefined])
    nothingThere()
  })

  it('ends where a server is read-only: nothing arrives there, and nothing leaves it, but its files can be copied', async () => {
    setSpec(OTHER_ID, { suspended: true })
    expect(await refusal({})).toEqual([403, 'READ_ONLY', undefined])
    setSpec(OTHER_ID, { suspended: false })
    setSpec(SERVER_ID, { suspended: true })
    expect(await refusal({ moves: true })).toEqual([403, 'READ_ONLY', undefined])
    nothingThere()
    expect((await send()).refusals).toEqual([null])
    expect(treeOf(at('world'))).toEqual(treeOf(path.join(files.root, 'world')))
  })
})

describe('a transfer in the middle', () => {
  const LARGE = 2_048 * MIB
  const putLarge = (bytes: number) => fs.truncateSync(files.put('big.bin', ''), bytes)
  // A hole: large enough to be on its way still when a busy machine comes to the next line, and made at once.
  beforeEach(() => putLarge(LARGE))
  const stateOf = async (id: string) => (await jobsNow()).find((job) => job.id === id)?.state
  const running = async (change: Partial<NodeFileInput<'transfer'>> = {}) => {
    const job = await begin({ paths: ['big.bin'], ...change })
    await underWay()
    return job
  }
  const untouched = async () => {
    await waitFor('the parts to go', () => left().length === 0)
    expect([fs.readdirSync(there), files.tree()]).toEqual([[], ['big.bin']])
    expect(fs.statSync(path.join(files.root, 'big.bin')).size).toBe(LARGE)
  }

  it.each(['source', 'target'])('is cancelled at its %s and leaves nothing', async (side) => {
    const job = await running({ moves: true })
    const token = side === 'source' ? await files.token() : await tokenThere()
    const at = `/servers/${side === 'source' ? SERVER_ID : OTHER_ID}/files`
    const asked = { method: 'POST', token }
    const { json } = await files.ask(`${at}/jobs`, { ...asked, body: '{}' })
    expect((json as { jobs: FileJob[] }).jobs.find(({ id }) => id === job.id)).toMatchObject({
      arrives: side === 'target',
      path: 'big.bin',
      state: 'running',
    })
    expect((await files.ask(`${at}/end-job`, { ...asked, body: JSON.stringify({ id: job.id }) })).status).toBe(200)
    await waitFor('its end', async () => (await stateOf(job.id)) === 'cancelled')
    await untouched()
    expect(files.activities).toEqual([])
  })

  it.each(['source', 'target'])('ends with the access to its %s', async (side) => {
    const [sid, token] = [nextId(), await tokenThere({ sid: nextId() })]
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
    const asked = await input({ paths: ['big.bin'], token })
    const { json } = await files.call('transfer', asked, { token: await files.token({ sid }) })
    const { job } = json as { job: FileJob }
    await underWay()
    files.revocations.add({
      userId: null,
      serverId: null,
      sessionId: side === 'source' ? sid : claims.sid,
      issuedBeforeMs: files.rig.clock.now() + 1_000,
    })
    files.door.revoked()
    await expect.poll(() => stateOf(job.id)).toBe('cancelled')
    await untouched()
  })

  it('of a file that shrinks is refused, and leaves nothing', async () => {
    const job = await running({ moves: true })
    fs.truncateSync(path.join(files.root, 'big.bin'), 1)
    expect((await files.ended(job)).refusals).toEqual(['CHANGED'])
    await waitFor('the parts to go', () => left().length === 0)
    expect([fs.readdirSync(there), files.tree()]).toEqual([[], ['big.bin']])
  })

  it('takes nothing more to a server that may not change any more', async () => {
    files.put('small.txt', 'small')
    // This one arrives.
    putLarge(256 * MIB)
    const starting = begin({ paths: ['big.bin', 'small.txt'], moves: true })
    await underWay()
    setSpec(OTHER_ID, { suspended: true })
    expect((await files.ended(await starting)).refusals).toEqual(['SOURCE_KEPT', 'READ_ONLY'])
    expect([fs.readdirSync(there), files.tree()]).toEqual([['big.bin'], ['big.bin', 'small.txt']])
  })

  it('is interrupted by the end of the node, and leaves nothing half-made', async () => {
    const job = await running({ moves: true })
    await files.openDoor()
    const after = await jobsNow()
    expect(after).toContainEqual(expect.objectContaining({ id: job.id, state: 'interrupted', moves: true }))
    for (const id of [SERVER_ID, OTHER_ID]) {
      const asked = { method: 'POST', body: JSON.stringify({ path: '' }), token: await files.token({ server: id }) }
      await files.ask(`/servers/${id}/files/list`, asked)
    }
    await untouched()
  })

  it.each(['source', 'target'])('fails with the process of its %s, and leaves nothing half-made', async (side) => {
    const job = await running({ moves: true })
    await files.workers.end({ serverId: side === 'source' ? SERVER_ID : OTHER_ID, stateFile: '' })
    const ended = await files.ended(job)
    expect([ended.state, ended.refusals]).toEqual(['done', ['BUSY']])
    const asked = { method: 'POST', body: JSON.stringify({ path: '' }), token: await tokenThere() }
    await files.ask(`/servers/${OTHER_ID}/files/list`, asked)
    await untouched()
  })
})
