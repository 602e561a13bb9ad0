import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { HistoryReader } from '../../../../../agents/console/history-reader.ts'
import { realDisk } from '../../../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import { ConsoleWriters } from '../../../../../agents/runtime/docker/console-writers.ts'
import type { Containers } from '../../../../../agents/runtime/docker/containers.ts'
import type { DockerEngine } from '../../../../../agents/runtime/docker/engine.ts'
import { TaskFollower } from '../../../../../agents/runtime/docker/task-follower.ts'
import { TaskRecords } from '../../../../../agents/runtime/docker/task-record.ts'
import type { TaskExit } from '../../../../../agents/runtime/driver/task-handle.ts'
import { SERVER_ID } from '../../../../factories/server-spec.ts'
import { ManualClock } from '../../../../setup/manual-clock.ts'
import { ManualTimers } from '../../../../support/manual-timers.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { waitFor } from '../../../../support/wait-for.ts'

let timers: ManualTimers
let follower: TaskFollower
let ends: TaskExit[]
/** The engine's word about the memory; it says 137 of the end. */
let isOom: boolean
let asked: number
/** How often the engine still says that the container runs. */
let runsFor: number
/** When the engine says that the container ended; empty as by an engine that does not say it. */
let finishedAt: string
let logPath: string
let consoleFolder: string

beforeEach(() => {
  const clock = new ManualClock()
  timers = new ManualTimers(clock)
  ends = []
  isOom = false
  asked = 0
  runsFor = 0
  finishedAt = ''
  const base = temporaryFolder()
  const folders = { root: base, state: path.join(base, 'state'), console: path.join(base, 'console') }
  mkdirSync(path.join(folders.state, 'tasks/task'), { recursive: true })
  mkdirSync(folders.console)
  consoleFolder = folders.console
  logPath = path.join(base, 'log')
  writeFileSync(logPath, '')
  const inspect = () => {
    asked += 1
    const end = { ExitCode: 137, OOMKilled: isOom, FinishedAt: finishedAt }
    return Promise.resolve({
      ok: true,
      value: { is: 'found', container: { is: asked <= runsFor ? 'running' : 'ended', end } },
    })
  }
  follower = new TaskFollower(
    {
      handle: { version: 1, driver: 'docker', taskId: 'task', serverId: SERVER_ID, kind: 'server' },
      folders,
      task: { version: 1, kind: 'server', fate: 'begin', afterSeq: 0, timeoutMs: null },
      start: { version: 1, containerId: 'c', pid: 0, startTicks: '', startedAtMs: clock.now(), logPath },
    },
    {
      clock,
      timers,
      log: silentLog,
      writers: new ConsoleWriters(),
      records: new TaskRecords(realDisk),
      engine: {} as unknown as DockerEngine,
      containers: { inspect } as unknown as Containers,
    },
    () => follower.close(),
  )
  onTestFinished(() => follower.close())
})

const watch = (): void => void follower.watch({ output: () => {}, exited: (exit) => ends.push(exit) })
const end = async (): Promise<TaskExit | undefined> => {
  await waitFor('the end', async () => {
    await timers.advance(500)
    return ends.length > 0
  })
  return ends[0]
}

describe('the end of a container by SIGKILL', () => {
  it('is for memory when the engine says so only after it', async () => {
    watch()
    await waitFor('the first look', () => asked === 1)
    isOom = true
    expect(await end()).toMatchObject({ signal: 'SIGKILL', oomKilled: true })
  })

  it('is for memory when only an event says so', async () => {
    follower.noteOom()
    watch()
    expect(await end()).toMatchObject({ signal: 'SIGKILL', oomKilled: true })
  })

  it('is for no reason that the engine does not give', async () => {
    watch()
    expect(await end()).not.toHaveProperty('oomKilled')
  })

  it('that the agent sent is told without asking why', async () => {
    follower.noteKill()
    watch()
    await waitFor('the end', () => ends.length > 0)
    expect(asked).toBe(1)
  })
})

describe('the last lines of a container', () => {
  const print = (log: string): void =>
    appendFileSync(logPath, `${JSON.stringify({ log: `${log}\n`, stream: 'stdout', time: '2026-11-20T12:00:00Z' })}\n`)
  const linesAtTheEnd = async (): Promise<string[]> => {
    isOom = true
    print('before')
    watch()
    await waitFor('the first look', () => asked === 1)
    await waitFor('the first line', () => new HistoryReader(consoleFolder).lastSeq === 1)
    print('last')
    await end()
    return new HistoryReader(consoleFolder).after(0, 10).lines.map(({ text }) => text)
  }

  it('are waited for when the engine was away at the end: it tells the end before it has written them', async () => {
    finishedAt = new Date(new ManualClock().now() - 5_000).toISOString()
    expect(await linesAtTheEnd()).toEqual(['before', 'last'])
  })
})

describe('the end of a process that has gone', () => {
  const awaited = async (withinMs: number): Promise<TaskExit | undefined> => {
    follower.noteKill()
    const seen: { exit?: TaskExit | undefined } = {}
    void follower.awaitEnd(withinMs).then((exit) => Object.assign(seen, { exit }))
    await waitFor('the answer', async () => {
      await timers.advance(25)
      return 'exit' in seen
    })
    return seen.exit
  }

  it('is asked for again while the engine still says that it runs', async () => {
    runsFor = 3
    expect(await awaited(10_000)).toMatchObject({ signal: 'SIGKILL' })
    expect(asked).toBe(4)
  })

  it('is waited for when another question is under way', async () => {
    void follower.look()
    expect(await awaited(10_000)).toMatchObject({ signal: 'SIGKILL' })
  })

  it('is unknown when the engine does not say it in time', async () => {
    runsFor = Infinity
    expect(await awaited(100)).toBeUndefined()
    expect(asked).toBeGreaterThan(1)
  })
})
