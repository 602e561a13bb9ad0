import { expect, it } from 'vitest'

import type { ConsoleLine } from '../../agents/console/console-line.ts'
import { AgentError } from '../../agents/platform/agent-error.ts'
import type { RuntimeDriver, ServerFolders, TaskSpec } from '../../agents/runtime/driver/runtime-driver.ts'
import { TaskHandle, type TaskExit } from '../../agents/runtime/driver/task-handle.ts'
import { SERVER_ID } from '../factories/server-spec.ts'
import { waitFor } from '../support/wait-for.ts'

/** One machine with the test game. A new driver on it is like the one of a restarted agent. */
export interface DriverRig {
  newDriver(): RuntimeDriver
  newFolders(): ServerFolders
  /** argv of the test game. */
  readonly game: readonly string[]
  readonly missing: readonly string[]
  /** For drivers that run programs in images. */
  readonly image?: string
  /** Owner of the folders that `newFolders` makes. */
  readonly uid?: number
  environment(): Record<string, string>
}

let tasks = 0

interface Followed {
  readonly exit: Promise<TaskExit>
  readonly stop: () => void
}

const setUp = (rig: DriverRig) => {
  const driver = rig.newDriver()
  const folders = rig.newFolders()
  tasks += 1
  const handle: TaskHandle = {
    version: 1,
    driver: driver.name,
    taskId: `suite-${process.pid}-${tasks}`,
    serverId: SERVER_ID,
    kind: 'server',
  }
  const spec: TaskSpec = {
    handle,
    folders,
    argv: rig.game,
    environment: rig.environment(),
    limits: { memoryMiB: 256, swapMiB: 0, cpuPercent: 100, pids: 512, ioWeight: null },
    image: rig.image ?? null,
    ports: [],
    uid: rig.uid ?? 210_000,
    timeoutMs: null,
  }
  const lines = (): readonly ConsoleLine[] => {
    const source = driver.openConsole(folders)
    source.refresh()
    return source.after(0, 1_000_000).lines
  }
  const says = (text: string) => waitFor(`the console to say ${text}`, () => lines().some((line) => line.text === text))
  const follow = async (by: RuntimeDriver = driver): Promise<Followed> => {
    let settle: (exit: TaskExit) => void = () => {}
    const exit = new Promise<TaskExit>((resolve) => {
      settle = resolve
    })
    const stop = await by.watch(handle, folders, { output: () => {}, exited: settle })
    return { exit, stop }
  }
  return { driver, folders, handle, spec, lines, says, follow }
}

/** The contract of every runtime driver. */
export const runtimeDriverSuite = (open: () => DriverRig): void => {
  it('runs a program and numbers its lines from 1 without a gap [P3]', async () => {
    const { driver, spec, says, lines, handle, folders, follow } = setUp(open())
    expect((await driver.start(spec)).is).toBe('running')
    await says('Done! The game is open')
    expect(lines().map((line) => line.seq)).toEqual(lines().map((_, index) => index + 1))
    expect(lines()[0]).toMatchObject({ stream: 'o', text: 'Start number 1' })
    const { exit } = await follow()
    await driver.signal(handle, folders, 'SIGKILL')
    await exit
  })

  it('passes lines to standard input in order and reports the exit code after the last line', async () => {
    const { driver, spec, says, lines, handle, folders, follow } = setUp(open())
    await driver.start(spec)
    const { exit } = await follow()
    await says('Done! The game is open')
    const written = ['say 1', 'say 2', 'say 3', 'crash'].map((line) => driver.writeLine(handle, folders, line))
    expect(await Promise.all(written)).toEqual([true, true, true, true])
    expect(await exit).toMatchObject({ code: 42, signal: null })
    const said = lines().filter((line) => line.text.startsWith('[Server]'))
    expect(said.map((line) => line.text)).toEqual(['[Server] 1', '[Server] 2', '[Server] 3'])
  })

  it('reports the signal that ended a program', async () => {
    const { driver, spec, says, handle, folders, follow } = setUp(open())
    await driver.start(spec)
    const { exit } = await follow()
    await says('Done! The game is open')
    await driver.signal(handle, folders, 'SIGKILL')
    expect(await exit).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(await driver.recover(handle, folders)).toMatchObject({ is: 'exited', exit: { signal: 'SIGKILL' } })
  })

  it('lets a program end itself on SIGINT', async () => {
    const { driver, spec, says, handle, folders, follow } = setUp(open())
    await driver.start(spec)
    const { exit } = await follow()
    await says('Done! The game is open')
    await driver.signal(handle, folders, 'SIGINT')
    expect(await exit).toMatchObject({ code: 0, signal: null })
    await says('World saved')
  })

  it('runs one task id once, however often it is started [A4]', async () => {
    const rig = open()
    const { driver, spec, says, lines, handle, folders, follow } = setUp(rig)
    const first = await driver.start(spec)
    await says('Done! The game is open')
    expect((await rig.newDriver().start(spec)).is).toBe(first.is)
    expect(lines().filter((line) => line.text.startsWith('Start number'))).toHaveLength(1)
    const { exit } = await follow()
    await driver.signal(handle, folders, 'SIGKILL')
    await exit
    expect((await driver.start(spec)).is).toBe('exited')
    expect(lines().filter((line) => line.text.startsWith('Start number'))).toHaveLength(1)
  })

  it('makes a recorded task that did not begin unable to begin', async () => {
    const rig = open()
    const { driver, spec, lines, handle, folders } = setUp(rig)
    expect(await driver.recover(handle, folders)).toEqual({ is: 'never-started' })
    expect(await rig.newDriver().start(spec)).toEqual({ is: 'never-started' })
    expect(lines()).toEqual([])
  })

  it('continues for a new driver: the program never notices and no line is lost or repeated [P3]', async () => {
    const rig = open()
    const { driver, spec, says, lines, handle, folders, follow } = setUp(rig)
    await driver.start(spec)
    const before = await follow()
    await says('Done! The game is open')
    before.stop()
    await driver.writeLine(handle, folders, 'say between')
    const next = rig.newDriver()
    const copy = TaskHandle.parse(JSON.parse(JSON.stringify(handle)))
    expect((await next.recover(copy, folders)).is).toBe('running')
    const { exit } = await follow(next)
    await next.writeLine(copy, folders, 'say after')
    await next.writeLine(copy, folders, 'stop')
    expect(await exit).toMatchObject({ code: 0 })
    const texts = lines().map((line) => line.text)
    expect(texts.filter((text) => text.startsWith('[Server]'))).toEqual(['[Server] between', '[Server] after'])
    expect(lines().map((line) => line.seq)).toEqual(lines().map((_, index) => index + 1))
  })

  it('reports an end that nobody watched to a new driver', async () => {
    const rig = open()
    const { driver, spec, says, handle, folders, follow } = setUp(rig)
    await driver.start(spec)
    await says('Done! The game is open')
    await driver.writeLine(handle, folders, 'crash')
    const next = rig.newDriver()
    await waitFor('the end', async () => (await next.recover(handle, folders)).is === 'exited')
    expect(await (await follow(next)).exit).toMatchObject({ code: 42 })
  })

  it('refuses a program that cannot be started, and nothing runs then', async () => {
    const rig = open()
    const { driver, spec, handle, folders } = setUp(rig)
    const started = driver.start({ ...spec, argv: rig.missing })
    await expect(started).rejects.toThrow(AgentError)
    expect((await driver.recover(handle, folders)).is).not.toBe('running')
  })

  it('sends no lines or signals to an ended program, and sees nothing of it, without an error', async () => {
    const { driver, spec, says, handle, folders, follow } = setUp(open())
    await driver.start(spec)
    const { exit } = await follow()
    await says('Done! The game is open')
    expect(await driver.listening(handle, folders)).toBeDefined()
    await driver.writeLine(handle, folders, 'stop')
    await exit
    expect(await driver.listening(handle, folders)).toBeUndefined()
    expect(await driver.writeLine(handle, folders, 'say late')).toBe(false)
    await driver.signal(handle, folders, 'SIGKILL')
    expect(await driver.sample(handle, folders)).toBeUndefined()
  })

  it('keeps counting lines across starts, and adds notes between them [P3]', async () => {
    const rig = open()
    const first = setUp(rig)
    await first.driver.start(first.spec)
    const { exit } = await first.follow()
    await first.says('Done! The game is open')
    await first.driver.writeLine(first.handle, first.folders, 'stop')
    await exit
    await first.driver.note(first.folders, [{ text: 'a note' }])
    const handle = { ...first.handle, taskId: `${first.handle.taskId}-again` }
    await first.driver.start({ ...first.spec, handle })
    await first.says('Start number 2')
    const lines = first.lines()
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, index) => index + 1))
    const note = lines.find((line) => line.stream === 'x')
    expect(note?.text).toBe('a note')
    await first.driver.signal(handle, first.folders, 'SIGKILL')
    await waitFor('the end', async () => (await first.driver.recover(handle, first.folders)).is === 'exited')
    expect((await first.driver.tasksOf(SERVER_ID, first.folders)).map((task) => task.taskId).sort()).toContain(
      handle.taskId,
    )
    await first.driver.forget(handle, first.folders)
    const left = await first.driver.tasksOf(SERVER_ID, first.folders)
    expect(left.map((task) => task.taskId)).not.toContain(handle.taskId)
  })
}
