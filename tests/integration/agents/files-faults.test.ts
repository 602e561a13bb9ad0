import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FILE_FAULTS, type FileFaultPoint } from '../../../agents/files/file-faults.ts'
import { Unpacker } from '../../../agents/files/archives/unpacker.ts'
import { OwnArea } from '../../../agents/files/own-area.ts'
import { ServerRoot } from '../../../agents/files/server-root.ts'
import { workerCalls } from '../../../agents/files/worker/calls.ts'
import { HeldFolder } from '../../../agents/platform/held-folder.ts'
import { noFaults } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { tarOf } from '../../support/archives.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'

const ROOM = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
const WORK = { signal: new AbortController().signal, progress: () => {} }
let scratch: ReturnType<typeof scratchFolder>
let opened: HeldFolder[]
const MORNING = new Date('2026-01-02T08:00:00Z')
const rootOf = () => path.join(scratch.path, 'root')
const areaOf = () => path.join(scratch.path, 'files')

const MODS = tarOf([
  { name: 'ops.json', content: 'new ops' },
  { name: 'world/level.dat', content: 'new level' },
  { name: 'world/new.dat', content: 'new' },
  { name: 'config/mod.toml', content: 'mod' },
])

/**
 * The files of the server, which is the same at every kill: an archive holds the times of its files and folders, so they
 * are fixed.
 */
const laidOut = () => {
  fs.mkdirSync(path.join(rootOf(), 'world/region'), { recursive: true })
  fs.writeFileSync(path.join(rootOf(), 'world/level.dat'), 'level')
  fs.writeFileSync(path.join(rootOf(), 'world/region/r.mca'), 'region')
  fs.writeFileSync(path.join(rootOf(), 'ops.json'), 'ops')
  fs.writeFileSync(path.join(rootOf(), 'mods.tar'), MODS)
  for (const at of fs.readdirSync(rootOf(), { recursive: true, encoding: 'utf8' }))
    fs.utimesSync(path.join(rootOf(), at), MORNING, MORNING)
}

beforeEach(() => {
  scratch = scratchFolder()
  opened = []
  for (const folder of [rootOf(), areaOf()]) fs.mkdirSync(folder)
  laidOut()
})
afterEach(async () => {
  for (const folder of opened) await folder.close()
  scratch.remove()
})

/** A worker over the folder; a new one begins as after a kill, with what is on the disk. */
const begin = async (faults: FileFaultPoint = noFaults) => {
  const [root, area] = [await HeldFolder.open(rootOf()), await HeldFolder.open(areaOf())]
  opened.push(root, area)
  const unpacker = new Unpacker(() => Buffer.alloc(0))
  const deps = {
    root: new ServerRoot(root),
    area: await OwnArea.open(area),
    ids: systemIds,
    now: Date.now,
    faults,
    unpacker,
  }
  const worker = workerCalls(deps)
  await worker.recover()
  worker.growth.measured({ freeBytes: 1e9, measurement: 1 })
  return worker
}
type Worker = Awaited<ReturnType<typeof begin>>

/** Content of every file by its path, and every folder with a slash. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const at = path.join(entry.parentPath, entry.name)
      const name = path.relative(folder, at)
      return entry.isDirectory() ? [`${name}/`, ''] : [name, fs.readFileSync(at, 'utf8')]
    }),
  )

const bytes = (text: string) => Readable.from([Buffer.from(text)])
const newBytes = 'x'.repeat(100_000)
const first = async (worker: Worker) => (await worker.calls.bin({}, ROOM)).entries[0]?.id ?? ''

/** What is done, and which contents are allowed afterwards: before, or after, and nothing between. */
const OPERATIONS: Readonly<
  Record<string, { prepare?: (worker: Worker) => Promise<unknown>; run: (worker: Worker) => Promise<unknown> }>
> = {
  'a move of a file': { run: ({ calls }) => calls.move({ moves: [{ from: 'ops.json', to: 'world/ops.json' }] }, ROOM) },
  'a move of a folder': { run: ({ calls }) => calls.move({ moves: [{ from: 'world', to: 'old' }] }, ROOM) },
  'a copy of a folder': { run: ({ jobs }) => jobs.copy({ moves: [{ from: 'world', to: 'copy' }] }, WORK) },
  'a copy of a file': { run: ({ jobs }) => jobs.copy({ moves: [{ from: 'ops.json', to: 'copy.json' }] }, WORK) },
  'a deletion of a folder': { run: ({ calls }) => calls.delete({ paths: ['world'], forever: false }, ROOM) },
  'a deletion of a file for good': { run: ({ calls }) => calls.delete({ paths: ['ops.json'], forever: true }, ROOM) },
  'a restore of a file': {
    prepare: ({ calls }) => calls.delete({ paths: ['ops.json'], forever: false }, ROOM),
    run: async (worker) => worker.calls.restore({ id: await first(worker) }, ROOM),
  },
  'a restore of a folder': {
    prepare: ({ calls }) => calls.delete({ paths: ['world'], forever: false }, ROOM),
    run: async (worker) => worker.calls.restore({ id: await first(worker) }, ROOM),
  },
  'an emptied bin': {
    prepare: ({ calls }) => calls.delete({ paths: ['world'], forever: false }, ROOM),
    run: ({ calls }) => calls['empty-bin']({}, ROOM),
  },
  'an archive that is made': {
    run: ({ jobs }) => jobs.compress({ folder: '', names: ['world', 'ops.json'], to: 'all.zip', format: 'zip' }, WORK),
  },
  'an extraction into a new folder': {
    run: ({ jobs }) => jobs.extract({ path: 'mods.tar', format: 'tar', to: 'mods', replaces: false }, WORK),
  },
  'an extraction into a folder that has files': {
    run: ({ jobs }) => jobs.extract({ path: 'mods.tar', format: 'tar', to: '', replaces: true }, WORK),
  },
  'an upload': {
    run: ({ content }) => content.write('new.zip', bytes(newBytes), { bytes: newBytes.length, replaces: 'new' }),
  },
  'a saved file': {
    run: ({ content }) => content.write('ops.json', bytes(newBytes), { bytes: newBytes.length, replaces: 'any' }),
  },
}

/** The server's files, what is in the bin by its old path, and whatever else is left in the node's own area. */
const stateOf = async (worker: Worker) => {
  const { entries } = await worker.calls.bin({}, ROOM)
  return {
    files: contentOf(rootOf()),
    bin: Object.fromEntries(entries.map(({ id, path: at }) => [at, contentOf(path.join(areaOf(), 'bin', id))])),
    left: {
      ...contentOf(path.join(areaOf(), 'parts')),
      ...contentOf(path.join(areaOf(), 'ready')),
      journal: fs.existsSync(path.join(areaOf(), 'moving.json')),
    },
    entries: fs.readdirSync(path.join(areaOf(), 'bin')).length === entries.length,
  }
}
/** Times of deletion differ from run to run. */
const comparable = ({ files, bin, left, entries }: Awaited<ReturnType<typeof stateOf>>) => ({
  files,
  bin: Object.fromEntries(Object.entries(bin).map(([at, content]) => [at, { ...content, 'about.json': '' }])),
  left,
  entries,
})

describe('bytes that arrive', () => {
  it.each([
    ['fewer', newBytes.length + 1],
    ['more', newBytes.length - 1],
  ])('%s than were announced are refused, and change nothing', async (_which, announced) => {
    const worker = await begin()
    const before = comparable(await stateOf(worker))
    for (const [at, replaces] of [
      ['new.zip', 'new'],
      ['ops.json', 'any'],
    ] as const) {
      const writing = worker.content.write(at, bytes(newBytes), { bytes: announced, replaces })
      await expect(writing).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    }
    expect(comparable(await stateOf(worker))).toEqual(before)
  })
})

const visited = new Set<string>()

describe('an agent that is killed', () => {
  for (const [operation, { prepare, run }] of Object.entries(OPERATIONS)) {
    it(`at each step of ${operation} leaves what was before or what should be, and nothing half made`, async () => {
      const allowed = new Map<string, unknown>()
      for (const fault of [null, 'none', ...FILE_FAULTS]) {
        fs.rmSync(scratch.path, { recursive: true })
        fs.mkdirSync(areaOf(), { recursive: true })
        laidOut()
        await prepare?.(await begin())
        if (fault !== null) {
          let reach: (value: 'killed') => void = () => {}
          const killed = new Promise<'killed'>((resolve) => (reach = resolve))
          // A killed process cleans nothing up: it stops here for ever.
          const worker = await begin((name) => {
            if (name !== fault) return Promise.resolve()
            visited.add(name)
            reach('killed')
            return new Promise(() => {})
          })
          await Promise.race([run(worker), killed])
        }
        const state = comparable(await stateOf(await begin()))
        if (fault === null || fault === 'none') allowed.set(JSON.stringify(state), state)
        expect([fault, [...allowed.keys()].includes(JSON.stringify(state)), state]).toEqual([fault, true, state])
        expect(state.left).toEqual({ journal: false })
        expect(state.entries).toBe(true)
      }
      expect(allowed.size).toBe(2)
    })
  }

  it('was killed at every step that there is', () => {
    expect([...visited].sort()).toEqual([...FILE_FAULTS].sort())
  })
})
