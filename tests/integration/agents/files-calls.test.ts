import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { BinEntry, FolderPage, Results, SearchResult } from '#contracts/panel/node-files.ts'
import { codeOf, FilesRig, type Answer } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open()
})
afterAll(() => rig.close())
beforeEach(async () => {
  rig.clear()
  rig.usage = { bytes: 0, ownBytes: 0 }
  await rig.settled('empty-bin', {})
  rig.activities.length = 0
})

const page = (answer: Answer): FolderPage => answer.json as FolderPage
const names = (answer: Answer): string[] => page(answer).entries.map(({ name }) => name)
const refusals = (answer: Answer): Results['refusals'] => (answer.json as Results).refusals
const bin = async (): Promise<BinEntry[]> => ((await rig.call('bin', {})).json as { entries: BinEntry[] }).entries

describe('the list of a folder', () => {
  it('has folders first, numbers by their value, and neither case nor accents in the way', async () => {
    for (const name of ['log-10.txt', 'log-2.txt', 'Zebra.yml', 'ábra.png', 'b.txt']) rig.put(name)
    rig.put('world/level.dat')
    expect(names(await rig.call('list', { path: '' }))).toEqual([
      'world',
      'ábra.png',
      'b.txt',
      'log-2.txt',
      'log-10.txt',
      'Zebra.yml',
    ])
  })

  it('says kind, size, time and permissions of each entry, and follows no link', async () => {
    rig.put('a.txt', '12345')
    fs.mkdirSync(path.join(rig.root, 'folder'), { mode: 0o750 })
    fs.symlinkSync('/etc/passwd', path.join(rig.root, 'link'))
    rig.own()
    const { entries, total } = page(await rig.call('list', { path: '' }))
    expect(total).toBe(3)
    expect(entries.map(({ name, kind, size, mode }) => ({ name, kind, size, mode }))).toEqual([
      { name: 'folder', kind: 'folder', size: 0, mode: 0o750 },
      { name: 'a.txt', kind: 'file', size: 5, mode: 0o644 },
      { name: 'link', kind: 'link', size: 0, mode: 0o777 },
    ])
    const { mtimeMs } = fs.statSync(path.join(rig.root, 'a.txt'))
    expect(entries[1]?.mtimeMs).toBe(mtimeMs)
  })

  it('comes in pages that together are the whole folder, in each order', async () => {
    for (let index = 0; index < 25; index += 1) {
      rig.put(`f${index}`, 'x'.repeat((index * 7) % 25))
      fs.utimesSync(path.join(rig.root, `f${index}`), 1_000 + ((index * 11) % 25), 1_000 + ((index * 11) % 25))
    }
    for (const order of ['name', 'size', 'time'] as const) {
      const pages = []
      for (const from of [0, 10, 20])
        pages.push(...page(await rig.call('list', { path: '', from, limit: 10, order })).entries)
      expect(pages).toHaveLength(25)
      const values = pages.map(
        (entry) => ({ name: Number(entry.name.slice(1)), size: entry.size, time: entry.mtimeMs })[order],
      )
      expect(values).toEqual(values.toSorted((one, other) => one - other))
      const last = page(await rig.call('list', { path: '', limit: 1, order, descending: true })).entries[0]
      expect(last).toEqual(pages.at(-1))
    }
  })
})

describe('making, moving and copying', () => {
  it("makes files and folders of the server's own user, and refuses a name that exists", async () => {
    expect((await rig.call('create-folder', { path: 'plugins' })).status).toBe(200)
    expect((await rig.call('create-file', { path: 'plugins/config.yml' })).status).toBe(200)
    const owners = ['plugins', 'plugins/config.yml'].map((name) => fs.statSync(path.join(rig.root, name)).uid)
    expect(new Set(owners)).toEqual(new Set([process.getuid?.() === 0 ? rig.uid : process.getuid?.()]))
    for (const call of ['create-folder', 'create-file'] as const) {
      const answer = await rig.call(call, { path: 'plugins' })
      expect([answer.status, codeOf(answer)]).toEqual([409, 'ALREADY_EXISTS'])
    }
  })

  it('moves several things, and says of each how it ended; nothing is replaced', async () => {
    for (const name of ['a', 'b', 'c']) rig.put(name, name)
    rig.put('into/b', 'the other b')
    const moves = ['a', 'b', 'missing', 'c'].map((name) => ({ from: name, to: `into/${name}` }))
    expect(refusals(await rig.call('move', { moves }))).toEqual([null, 'ALREADY_EXISTS', 'NOT_FOUND', null])
    expect(rig.tree()).toEqual(['b', 'into', 'into/a', 'into/b', 'into/c'])
    expect(rig.text('into/b')).toBe('the other b')
  })

  it('moves a folder into another one, and never into itself or over a folder with content', async () => {
    rig.put('world/level.dat')
    rig.put('full/x')
    rig.put('file')
    fs.mkdirSync(path.join(rig.root, 'worlds'))
    rig.own()
    expect(refusals(await rig.call('move', { moves: [{ from: 'world', to: 'world/inside' }] }))).toEqual([
      'INTO_ITSELF',
    ])
    // The kernel would put it in the place of an empty folder.
    for (const to of ['full', 'worlds', 'file']) {
      const answer = await rig.call('move', { moves: [{ from: 'world', to }] })
      expect([to, refusals(answer)]).toEqual([to, ['ALREADY_EXISTS']])
    }
    expect(refusals(await rig.call('move', { moves: [{ from: 'world', to: 'worlds/world' }] }))).toEqual([null])
    expect(rig.tree()).toEqual(['file', 'full', 'full/x', 'worlds', 'worlds/world', 'worlds/world/level.dat'])
  })

  it('copies a folder with its links and permissions, and leaves nothing when it does not fit', async () => {
    rig.put('world/region/r.0.0.mca', Buffer.alloc(100_000, 7))
    fs.chmodSync(path.join(rig.root, 'world/region/r.0.0.mca'), 0o640)
    fs.symlinkSync('/etc/passwd', path.join(rig.root, 'world/link'))
    rig.own()
    expect(refusals(await rig.settled('copy', { moves: [{ from: 'world', to: 'copy' }] }))).toEqual([null])
    expect(rig.tree().filter((name) => name.startsWith('copy'))).toEqual([
      'copy',
      'copy/link',
      'copy/region',
      'copy/region/r.0.0.mca',
    ])
    expect(fs.readFileSync(path.join(rig.root, 'copy/region/r.0.0.mca')).equals(Buffer.alloc(100_000, 7))).toBe(true)
    expect(fs.statSync(path.join(rig.root, 'copy/region/r.0.0.mca')).mode & 0o777).toBe(0o640)
    expect(fs.readlinkSync(path.join(rig.root, 'copy/link'))).toBe('/etc/passwd')
    const { storageMiB } = rig.rig.server().core.spec?.limits ?? { storageMiB: 0 }
    rig.usage = { bytes: storageMiB * 1024 * 1024 - 50_000, ownBytes: 0 }
    expect(refusals(await rig.settled('copy', { moves: [{ from: 'world', to: 'second' }] }))).toEqual(['NO_SPACE'])
    expect(rig.exists('second')).toBe(false)
    expect(fs.readdirSync(path.join(rig.area, 'parts'))).toEqual([])
  })

  it("changes permissions of files and folders, and of no link's target", async () => {
    rig.put('start.sh')
    fs.symlinkSync('start.sh', path.join(rig.root, 'link'))
    rig.own()
    expect(refusals(await rig.call('change-mode', { paths: ['start.sh', 'link'], mode: 0o755 }))).toEqual([
      null,
      'LINK_REFUSED',
    ])
    expect(fs.statSync(path.join(rig.root, 'start.sh')).mode & 0o7777).toBe(0o755)
    expect((await rig.call('change-mode', { paths: ['start.sh'], mode: 0o4755 })).status).toBe(400)
  })
})

describe('the bin', () => {
  it('takes what is deleted, and gives it back where it was, even if the folder is gone', async () => {
    rig.put('plugins/a/config.yml', 'mine')
    expect(refusals(await rig.settled('delete', { paths: ['plugins/a/config.yml'] }))).toEqual([null])
    expect(refusals(await rig.settled('delete', { paths: ['plugins'], forever: true }))).toEqual([null])
    expect(rig.tree()).toEqual([])
    const [entry] = await bin()
    expect(entry).toMatchObject({ path: 'plugins/a/config.yml', kind: 'file' })
    const answer = await rig.call('restore', { id: entry?.id ?? '' })
    expect(answer.json).toEqual({ path: 'plugins/a/config.yml' })
    expect(rig.text('plugins/a/config.yml')).toBe('mine')
    expect(await bin()).toEqual([])
  })

  it('never puts something back over something else', async () => {
    rig.put('ops.json', 'old')
    await rig.settled('delete', { paths: ['ops.json'] })
    rig.put('ops.json', 'new')
    const [entry] = await bin()
    const id = entry?.id ?? ''
    expect(codeOf(await rig.call('restore', { id }))).toBe('ALREADY_EXISTS')
    expect(rig.text('ops.json')).toBe('new')
    expect(await bin()).toHaveLength(1)
    expect((await rig.call('restore', { id, to: 'ops (2).json' })).status).toBe(200)
    expect([rig.text('ops.json'), rig.text('ops (2).json')]).toEqual(['new', 'old'])
  })

  it('refuses what is larger than its part of the storage, which can be deleted for good', async () => {
    const { storageMiB } = rig.rig.server().core.spec?.limits ?? { storageMiB: 0 }
    fs.writeFileSync(path.join(rig.root, 'huge'), '')
    rig.own()
    fs.truncateSync(path.join(rig.root, 'huge'), 0)
    // Blocks are what counts, and a sparse file has none.
    fs.writeFileSync(path.join(rig.root, 'huge'), Buffer.alloc(Math.ceil(storageMiB * 0.11) * 1024 * 1024))
    expect(refusals(await rig.settled('delete', { paths: ['huge'] }))).toEqual(['BIN_TOO_SMALL'])
    expect(rig.exists('huge')).toBe(true)
    expect(refusals(await rig.settled('delete', { paths: ['huge'], forever: true }))).toEqual([null])
    expect(rig.exists('huge')).toBe(false)
    expect(await bin()).toEqual([])
  })

  it('loses the oldest when it exceeds its part, and what is older than seven days', async () => {
    const { storageMiB } = rig.rig.server().core.spec?.limits ?? { storageMiB: 0 }
    const part = Buffer.alloc(Math.floor(storageMiB * 0.06) * 1024 * 1024)
    for (const name of ['first', 'second']) {
      rig.put(name, part)
      await rig.settled('delete', { paths: [name] })
    }
    expect((await bin()).map(({ path: at }) => at)).toEqual(['second'])
    const folder = path.join(rig.area, 'bin', fs.readdirSync(path.join(rig.area, 'bin'))[0] ?? '')
    const about = JSON.parse(fs.readFileSync(path.join(folder, 'about.json'), 'utf8')) as { deletedAtMs: number }
    fs.writeFileSync(
      path.join(folder, 'about.json'),
      JSON.stringify({ ...about, deletedAtMs: Date.now() - 8 * 24 * 3_600_000 }),
    )
    expect(await bin()).toEqual([])
    expect(fs.readdirSync(path.join(rig.area, 'bin'))).toEqual([])
  })
})

describe('the search', () => {
  it('finds by name and by content below a folder, with the line, and not in binary files or behind links', async () => {
    rig.put('plugins/Essentials/config.yml', 'one\nSpawn-On-Join: true\n')
    rig.put('plugins/data.bin', Buffer.from('spawn-on-join\0'))
    rig.put('other/config.yml', 'spawn-on-join')
    fs.symlinkSync('/etc', path.join(rig.root, 'plugins/etc'))
    const found = (answer: Answer) => answer.json as SearchResult
    expect(found(await rig.call('search', { path: 'plugins', content: 'spawn-on-JOIN' }))).toEqual({
      matches: [{ path: 'plugins/Essentials/config.yml', kind: 'file', line: 2, text: 'Spawn-On-Join: true' }],
      isPartial: false,
    })
    expect(
      found(await rig.call('search', { path: '', name: 'CONFIG' }))
        .matches.map(({ path: at }) => at)
        .sort(),
    ).toEqual(['other/config.yml', 'plugins/Essentials/config.yml'])
    expect(found(await rig.call('search', { path: '', name: 'passwd' })).matches).toEqual([])
  })

  it('ends at 200 matches and says so', async () => {
    for (let index = 0; index < 230; index += 1) rig.put(`many/x${index}`)
    const { matches, isPartial } = (await rig.call('search', { path: '', name: 'x' })).json as SearchResult
    expect([matches.length, isPartial]).toEqual([200, true])
  })
})

describe('the log of activities', () => {
  it('names each change, who made it, from where, and what was done of it', async () => {
    rig.put('a', 'a')
    rig.put('b', 'b')
    await rig.call('create-folder', { path: 'new' })
    await rig.call('move', {
      moves: [
        { from: 'a', to: 'new/a' },
        { from: 'missing', to: 'x' },
      ],
    })
    await rig.settled('delete', { paths: ['b', 'new'] })
    await rig.call('list', { path: '' })
    await rig.call('create-folder', { path: 'b/c' })
    expect(rig.activities.map(({ type, detail, way, address }) => [type, detail, way, address])).toEqual([
      ['server:file.create-directory', 'new', 'panel', '192.0.2.7'],
      ['server:file.rename', 'a → new/a', 'panel', '192.0.2.7'],
      ['server:file.delete', 'b (+1)', 'panel', '192.0.2.7'],
    ])
    await rig.call('create-folder', { path: 'made' }, { token: await rig.token({ way: 'api' }) })
    expect(rig.activities.at(-1)).toMatchObject({ detail: 'made', way: 'api', address: '192.0.2.7' })
  })
})

describe('since when the server runs', () => {
  it('is the time of its start by the clock of the node, and nothing while it does not run', async () => {
    const { clock } = rig.rig
    const since = async () => ((await rig.call('running-since', {})).json as { sinceMs: number | null }).sinceMs
    expect(await since()).toBeNull()
    clock.set(clock.now() + 5_000)
    const beforeMs = clock.now()
    expect(await rig.rig.power('start')).toMatchObject({ ok: true })
    await waitFor('the game', () => rig.rig.state() === 'running')
    const sinceMs = await since()
    expect(sinceMs).toBeGreaterThanOrEqual(beforeMs)
    expect(sinceMs).toBeLessThanOrEqual(clock.now())
    clock.set(clock.now() + 60_000)
    expect(await since()).toBe(sinceMs)
    expect(await rig.rig.power('kill')).toMatchObject({ ok: true })
    expect(await since()).toBeNull()
  })
})
