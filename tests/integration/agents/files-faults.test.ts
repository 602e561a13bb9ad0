import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FILE_FAULTS } from '../../../agents/files/file-faults.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import {
  beginUpload,
  bytesOf,
  FILE_OPERATIONS,
  FileWorkerRig,
  HALF_BYTES,
  NEW_BYTES,
  uploadFrom,
} from '../../support/file-operations.ts'

let scratch: ReturnType<typeof scratchFolder>
let rig: FileWorkerRig

beforeEach(() => {
  scratch = scratchFolder()
  rig = new FileWorkerRig(scratch.path)
})
afterEach(async () => {
  await rig.close()
  scratch.remove()
})

describe('bytes that arrive', () => {
  it.each([
    ['fewer', NEW_BYTES.length + 1],
    ['more', NEW_BYTES.length - 1],
  ])('%s than were announced are refused, and change nothing', async (_which, announced) => {
    rig.layOut()
    const worker = await rig.begin()
    const before = await rig.state(worker)
    for (const [at, replaces] of [
      ['new.zip', 'new'],
      ['ops.json', 'any'],
    ] as const) {
      const writing = worker.content.write(at, bytesOf(NEW_BYTES), { bytes: announced, replaces })
      await expect(writing).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    }
    expect(await rig.state(worker)).toEqual(before)
  })
})

const visited = new Set<string>()

describe('an agent that is killed', () => {
  for (const [operation, { prepare, run }] of Object.entries(FILE_OPERATIONS)) {
    it(`at each step of ${operation} leaves what was before or what should be, and nothing half made`, async () => {
      const allowed = new Map<string, unknown>()
      for (const fault of [null, 'none', ...FILE_FAULTS]) {
        rig.layOut()
        await prepare?.(await rig.begin())
        if (fault !== null) {
          let reach: (value: 'killed') => void = () => {}
          const killed = new Promise<'killed'>((resolve) => (reach = resolve))
          // A killed process cleans nothing up: it stops here for ever.
          const worker = await rig.begin((name) => {
            if (name !== fault) return Promise.resolve()
            visited.add(name)
            reach('killed')
            return new Promise(() => {})
          })
          await Promise.race([run(worker), killed])
        }
        const state = await rig.state(await rig.begin())
        if (fault === null || fault === 'none') allowed.set(JSON.stringify(state), state)
        expect([fault, [...allowed.keys()].includes(JSON.stringify(state)), state]).toEqual([fault, true, state])
        expect(state.left).toEqual({ journal: false })
        expect(state.entries).toBe(true)
      }
      expect(allowed.size).toBe(2)
    })
  }

  it('at each step of an upload in parts lets it go on from what arrived, byte for byte', async () => {
    const offsets: Record<string, number> = {}
    for (const fault of FILE_FAULTS) {
      rig.layOut()
      const id = await beginUpload((await rig.begin()).uploads)
      let reach: (value: 'killed') => void = () => {}
      const killed = new Promise<'killed'>((resolve) => (reach = resolve))
      const worker = await rig.begin((name) => {
        if (name !== fault) return Promise.resolve()
        reach('killed')
        return new Promise(() => {})
      })
      if ((await Promise.race([uploadFrom(worker.uploads, id), killed])) !== 'killed') continue
      const next = await rig.begin()
      offsets[fault] = await uploadFrom(next.uploads, id)
      const { files } = await rig.state(next)
      expect([fault, files['new.zip'] === NEW_BYTES]).toEqual([fault, true])
    }
    // At the first part, its bytes count once they are recorded; all other steps are of the end.
    const all = NEW_BYTES.length
    const ends = ['place.journalled', 'place.linked', 'place.unlinked', 'write.placed'].map((step) => [step, all])
    expect(offsets).toEqual({ 'upload.written': 0, 'upload.recorded': HALF_BYTES, ...Object.fromEntries(ends) })
  })

  it('was killed at every step that there is', () => {
    expect([...visited].sort()).toEqual([...FILE_FAULTS].sort())
  })
})
