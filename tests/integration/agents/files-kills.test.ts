import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { JobKind } from '#contracts/panel/file-jobs.ts'
import type { NodeFileInput } from '#contracts/panel/node-files.ts'
import type { FILE_FAULTS } from '../../../agents/files/file-faults.ts'
import { isAlive } from '../../../agents/platform/process-identity.ts'
import { filesState, HALF_BYTES, layOutFiles, NEW_BYTES } from '../../support/file-operations.ts'
import { FilesAgent, refusalIn } from '../../support/files-agent.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Two agents start in a case, and each step of it has a time-out of its own, which names it. */
const STORY = { timeout: 300_000 }
const NEW = Buffer.from(NEW_BYTES)

let agent: FilesAgent
beforeAll(async () => {
  agent = await FilesAgent.open()
}, 120_000)
afterAll(() => agent.close())

type Step = (typeof FILE_FAULTS)[number]

interface Operation {
  readonly steps: readonly Step[]
  /** The files that have to be there before. */
  prepare?(): Promise<unknown>
  /** Begins it, and does not wait for a job. */
  begin(): Promise<unknown>
  /** Does all of it, or what an interruption left to do. */
  run(): Promise<unknown>
  /** The job that is named as interrupted afterwards. */
  readonly job?: JobKind
}

const done = async (answer: ReturnType<FilesAgent['call']>): Promise<void> => {
  const { status, json } = await answer
  expect([status, json]).toEqual([200, expect.not.objectContaining({ refusals: [expect.any(String)] })])
}

const jobOf = <Kind extends JobKind>(kind: Kind, input: NodeFileInput<Kind>) => ({
  job: kind,
  begin: () => agent.call(kind, input),
  run: async () => expect(await agent.job(kind, input)).toMatchObject({ state: 'done', leftOut: [] }),
})

const firstInBin = async (): Promise<string> => {
  const { json } = await agent.call('bin', {})
  return (json as { entries: { id: string }[] }).entries[0]?.id ?? ''
}
const restore = async () => done(agent.call('restore', { id: await firstInBin() }))
const deleted = (name: string) => () => agent.job('delete', { paths: [name], deletionJobs: true })
const once = (run: () => Promise<unknown>) => ({ begin: run, run })
const move = (from: string, to: string) => once(() => done(agent.call('move', { moves: [{ from, to }] })))

/** As the editor saves: the version that it has read. */
const save = async (): Promise<void> => {
  const { headers } = await agent.read('ops.json')
  await done(agent.write('ops.json', NEW, { 'if-match': String(headers['etag']) }))
}

let upload = ''
/** Asks how much has arrived, and sends the rest in parts. */
const sendUpload = async (): Promise<void> => {
  for (let offset = await agent.offsetOf(upload); offset < NEW.length;) {
    const end = offset < HALF_BYTES ? HALF_BYTES : NEW.length
    const { status } = await agent.sendPart(upload, offset, NEW.subarray(offset, end))
    expect(status).toBe(204)
    offset = end
  }
}

const FILE_PLACED = ['place.journalled', 'place.linked', 'place.unlinked'] as const
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'the beginning of an upload': {
    steps: ['upload.created'],
    ...once(async () => (upload = await agent.beginUpload('new.zip', NEW.length))),
    run: async () => {
      upload = await agent.beginUpload('new.zip', NEW.length)
      await sendUpload()
    },
  },
  'an upload': {
    steps: ['upload.written', 'upload.recorded', ...FILE_PLACED, 'write.placed'],
    prepare: async () => (upload = await agent.beginUpload('new.zip', NEW.length)),
    ...once(sendUpload),
  },
  'a save of the editor': { steps: ['write.begun', 'write.complete', 'write.placed'], ...once(save) },
  'a move of a file': { steps: FILE_PLACED, ...move('ops.json', 'world/ops.json') },
  'a move of a folder': { steps: ['place.renaming'], ...move('world', 'old') },
  'a copy of a file': {
    steps: ['copy.complete', ...FILE_PLACED],
    ...jobOf('copy', { moves: [{ from: 'ops.json', to: 'copy.json' }] }),
  },
  'a copy of a folder': {
    steps: ['copy.complete', 'place.renaming'],
    ...jobOf('copy', { moves: [{ from: 'world', to: 'copy' }] }),
  },
  'an archive that is made': {
    steps: ['compress.complete', ...FILE_PLACED],
    ...jobOf('compress', { folder: '', names: ['world', 'ops.json'], to: 'all.zip', format: 'zip' }),
  },
  'an extraction into a new folder': {
    steps: ['extract.unpacked', 'extract.ready', 'place.renaming', 'extract.placed'],
    ...jobOf('extract', { path: 'mods.tar', format: 'tar', to: 'mods' }),
  },
  'an extraction over files': {
    steps: ['extract.unpacked', 'extract.ready', 'extract.placing'],
    ...jobOf('extract', { path: 'mods.tar', format: 'tar', to: '', replaces: true }),
  },
  'a deletion of a file': {
    steps: ['bin.made', 'bin.recorded', 'bin.taken'],
    ...jobOf('delete', { paths: ['ops.json'], deletionJobs: true }),
  },
  'a deletion of a folder': {
    steps: ['bin.made', 'bin.recorded', 'bin.taken'],
    ...jobOf('delete', { paths: ['world'], deletionJobs: true }),
  },
  'a deletion for good': {
    steps: ['destroy.moved'],
    ...jobOf('delete', { paths: ['world'], forever: true, deletionJobs: true }),
  },
  'an emptied bin': {
    steps: ['bin.leaving'],
    prepare: deleted('world'),
    ...jobOf('empty-bin', { deletionJobs: true }),
  },
  'a restore of a file': {
    steps: [...FILE_PLACED, 'restore.placed'],
    prepare: deleted('ops.json'),
    ...once(restore),
  },
  'a restore of a folder': {
    steps: ['place.renaming', 'restore.placed'],
    prepare: deleted('world'),
    ...once(restore),
  },
}

const stateNow = async () => {
  const { json } = await agent.call('bin', {})
  return filesState(agent, (json as { entries: { id: string; path: string }[] }).entries)
}

const layOut = async ({ prepare }: Operation) => {
  await agent.clear()
  layOutFiles(agent.root)
  agent.own()
  await prepare?.()
  return stateNow()
}

/** The ends of the process that works on the files when its agent is killed. */
const ENDS = {
  'with its worker': ({ pid }: { pid: number }) => void process.kill(pid, 'SIGKILL'),
  'and leaves its worker, which clears up': ({ pid }: { pid: number }) => void process.kill(pid, 'SIGCONT'),
  'and leaves its worker, which hangs': () => {},
} as const
const ENDING = Object.keys(ENDS) as (keyof typeof ENDS)[]

const cases = Object.entries(OPERATIONS).flatMap(([name, { steps }]) =>
  steps.flatMap((step) => ENDING.map((end) => ({ name, step, end }))),
)

describe('the agent is killed by SIGKILL', () => {
  it.each(sliceOf(cases, 10))('at $step of $name, $end', STORY, async ({ name, step, end }) => {
    const operation = OPERATIONS[name]
    if (operation === undefined) throw new Error(name)
    const before = await layOut(operation)
    await operation.run()
    const after = await stateNow()
    expect(after).not.toEqual(before)
    expect(await layOut(operation)).toEqual(before)

    await agent.kill()
    await agent.start(`${step}:1:stop`)
    operation.begin().catch(() => {})
    const worker = await agent.stoppedWorker()
    const agentEnds = agent.kill()
    ENDS[end](worker)
    await agentEnds
    await agent.start()

    const state = await stateNow()
    expect(isAlive(worker)).toBe(false)
    expect([before, after]).toContainEqual(state)
    if (operation.job !== undefined) {
      expect((await agent.jobs())[0]).toMatchObject({ kind: operation.job, state: 'interrupted' })
    }
    // An operation that was not done can be done now, and an upload goes on.
    if (JSON.stringify(state) === JSON.stringify(before)) await operation.run()
    expect(await stateNow()).toEqual(after)
  })

  it(
    'in the middle of a part of an upload: what arrived is there, and the rest makes the same file',
    STORY,
    async () => {
      const content = Buffer.alloc(24 * 1024 * 1024, 'never the same bytes twice, so that a gap would show. ')
      for (let at = 0; at < content.length; at += 4_096) content.writeUInt32LE(at, at)
      const half = content.length / 2
      await agent.clear()
      upload = await agent.beginUpload('large.bin', content.length)
      expect((await agent.sendPart(upload, 0, content.subarray(0, half))).status).toBe(204)
      const part = agent.open(upload, {
        method: 'PATCH',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-offset': String(half),
          'content-type': 'application/offset+octet-stream',
          'content-length': String(content.length - half),
        },
        // The rest never comes.
        body: content.subarray(half, half + 4 * 1024 * 1024),
      })
      part.catch(() => {})
      await waitFor('bytes of the part on the disk', () => agent.uploadedBytes(upload) > half)
      const worker = agent.worker()
      await agent.kill()
      await agent.start()
      const offset = await agent.offsetOf(upload)
      expect(worker !== undefined && isAlive(worker)).toBe(false)
      expect(offset).toBeGreaterThanOrEqual(half)
      const last = await agent.sendPart(upload, offset, content.subarray(offset))
      expect([last.status, refusalIn(last)]).toEqual([204, undefined])
      expect((await agent.read('large.bin')).bytes.equals(content)).toBe(true)
    },
  )
})
