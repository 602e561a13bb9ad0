import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { FileWorkers, type WorkerOwner } from '../../../agents/files/file-workers.ts'
import { createFileWorkers } from '../../../agents/files/recorded-workers.ts'
import { answeredJson } from '../../../agents/files/worker-answers.ts'
import { realDisk } from '../../../agents/platform/disk.ts'
import { identityOf, isAlive } from '../../../agents/platform/process-identity.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { bundleForTest, scratchFolder } from '../../support/agent-bundles.ts'
import { waitFor } from '../../support/wait-for.ts'

let scratch: ReturnType<typeof scratchFolder>
let owner: WorkerOwner
let workers: FileWorkers
let events: string[]
let pids: number[]
const log = { info: () => {}, warn: () => {}, error: () => {} }

beforeEach(async () => {
  scratch = scratchFolder()
  const folder = (name: string): string => {
    const at = path.join(scratch.path, name)
    fs.mkdirSync(at)
    return at
  }
  const [root, area] = [folder('root'), folder('area')]
  owner = { serverId: SERVER_ID, uid: null, root, area, stateFile: path.join(scratch.path, 'worker.json') }
  ;[events, pids] = [[], []]
  const bundles = await bundleForTest(scratch.path)
  workers = new FileWorkers({
    program: bundles.fileWorker,
    unpacker: bundles.unpacker,
    log,
    figures: { workers: 2, idleMs: 20 },
    began: (_owner, pid) => {
      events.push(`${pids.push(pid)} began`)
    },
    ended: (_owner, pid) => void events.push(`${pids.indexOf(pid) + 1} ended`),
  })
})
afterEach(async () => {
  await workers.close()
  scratch.remove()
})

const use = (): Promise<unknown> =>
  workers.use(owner, (session) => {
    const stream = session.request({ ':method': 'POST', ':path': '/call/bin' })
    stream.end('{}')
    return answeredJson(stream)
  })

it('a worker begins once the one before has ended, however many ask: a process that clears up keeps its files', async () => {
  await use()
  // It cannot end by itself any more, and is ended by force.
  process.kill(pids[0] ?? 0, 'SIGSTOP')
  await waitFor('the idle worker to be let go', () => workers.size === 0)
  expect(await Promise.all([use(), use(), use()])).toEqual([{ entries: [] }, { entries: [] }, { entries: [] }])
  expect(events.slice(0, 3)).toEqual(['1 began', '1 ended', '2 began'])
  expect(pids.length).toBe(2)
})

it('no process is left when they are closed, or when the server is about to be removed', async () => {
  await use()
  process.kill(pids[0] ?? 0, 'SIGSTOP')
  await waitFor('the idle worker to be let go', () => workers.size === 0)
  await workers.end(owner)
  expect(events).toEqual(['1 began', '1 ended'])
  await use()
  await workers.close()
  expect(events).toEqual(['1 began', '1 ended', '2 began', '2 ended'])
})

/** A process that goes on until it is ended, and is recorded as the worker of an agent that was killed. */
const recorded = async (...mark: readonly string[]) => {
  const child = spawn(process.execPath, ['-e', "setInterval(() => {}, 1_000); console.log('up')", '--', ...mark], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise<void>((resolve) => {
    child.stdout.once('data', () => resolve())
  })
  const identity = identityOf(child.pid ?? 0)
  fs.writeFileSync(owner.stateFile, JSON.stringify(identity))
  return { child, identity }
}
/** The workers of the agent that follows a killed one. */
const nextAgents = async () =>
  createFileWorkers({ bundles: await bundleForTest(scratch.path), disk: realDisk, log, settings: {} })

it('the worker that a killed agent has left is ended before the server is removed, also when nobody uses its files', async () => {
  const { identity } = await recorded('bakter-file-worker')
  expect(isAlive(identity)).toBe(true)
  await (await nextAgents()).end(owner)
  expect(isAlive(identity)).toBe(false)
})

it('a process that is no file worker is never ended, whatever the record says', async () => {
  const { child, identity } = await recorded()
  try {
    await (await nextAgents()).end(owner)
    expect(isAlive(identity)).toBe(true)
  } finally {
    child.kill('SIGKILL')
  }
})
