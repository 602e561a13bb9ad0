import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Bundles } from '../../../agents/platform/bundles.ts'
import { systemClock } from '../../../agents/platform/clock.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { isAlive } from '../../../agents/platform/process-identity.ts'
import { ProcessDriver } from '../../../agents/runtime/process/process-driver.ts'
import { readState, taskFolder, writeSpec } from '../../../agents/runtime/process/task-files.ts'
import type { ServerFolders, TaskSpec } from '../../../agents/runtime/runtime-driver.ts'
import { ProcessTable } from '../../../agents/stats/process-table.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { runtimeDriverSuite } from '../../suites/runtime-driver.suite.ts'
import { bundleForTest, scratchFolder, shimCommandOf } from '../../support/agent-bundles.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const UID = 210_000
const isRoot = process.getuid?.() === 0
const scratch = scratchFolder()
let bundles: Bundles
let count = 0

const newFolders = (deep = ''): ServerFolders => {
  count += 1
  const base = path.join(scratch.path, deep, `server-${count}`)
  const folders = {
    root: path.join(base, 'root'),
    state: path.join(base, 'state'),
    console: path.join(base, 'console'),
  }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
  if (isRoot) chownSync(folders.root, UID, UID)
  return folders
}

const newDriver = (): ProcessDriver =>
  new ProcessDriver({
    clock: systemClock,
    timers: systemTimers,
    processes: new ProcessTable(systemClock),
    shimCommand: shimCommandOf(bundles),
    ownUser: isRoot,
    warnings: [],
  })

const specFor = (folders: ServerFolders, argv: readonly string[], change: Partial<TaskSpec> = {}): TaskSpec => {
  count += 1
  return {
    handle: {
      version: 1,
      driver: 'process',
      taskId: `task-${process.pid}-${count}`,
      serverId: SERVER_ID,
      kind: 'server',
    },
    folders,
    argv,
    environment: { GAME_START_DELAY_MS: '10' },
    limits: { memoryMiB: 256, swapMiB: 0, cpuPercent: 100, pids: 64, ioWeight: null },
    image: null,
    ports: [],
    uid: UID,
    timeoutMs: null,
    ...change,
  }
}

const game = (): readonly string[] => [process.execPath, bundles.programs.get('test-game') ?? '']

const exitOf = (driver: ProcessDriver, spec: TaskSpec) =>
  waitFor('the end of the task', async () => {
    const observed = await driver.recover(spec.handle, spec.folders)
    return observed.is === 'exited' && observed.exit
  })

const textsOf = (driver: ProcessDriver, folders: ServerFolders): string[] => {
  const source = driver.openConsole(folders)
  return source.after(0, 1_000_000).lines.map((line) => line.text)
}

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundles = await bundleForTest(scratch.path)
})
afterAll(() => scratch.remove())

describe('process driver', () => {
  runtimeDriverSuite(() => ({
    newDriver,
    newFolders,
    game: game(),
    missing: ['/no/such/program'],
    environment: () => ({ GAME_START_DELAY_MS: '10' }),
  }))

  it('gives the program only the environment of its task', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game(), { environment: { GAME_START_DELAY_MS: '10', GREETING: '$(id)`id`' } })
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    await driver.writeLine(spec.handle, folders, 'environment')
    const answer = await waitFor('the answer', () =>
      textsOf(driver, folders).find((text) => text.startsWith('Environment: ')),
    )
    expect(answer).toBe('Environment: BAKTER_TASK GAME_START_DELAY_MS GREETING')
    await driver.writeLine(spec.handle, folders, 'stop')
    await exitOf(driver, spec)
  })

  it('runs the program under its own user when it can, and never lets it gain privileges', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    const pid = readState(taskFolder(folders.state, spec.handle.taskId))?.child.pid ?? 0
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const uid = isRoot ? UID : process.getuid?.()
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'))
    if (isRoot) expect(status).toMatch(/^Groups:\s*$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1/m)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
  })

  it('ends a program whose time is over, also when nobody watches', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game(), { timeoutMs: 700 })
    await driver.start(spec)
    expect(await exitOf(driver, spec)).toMatchObject({ signal: 'SIGKILL' })
    expect(textsOf(driver, folders).join('\n')).toContain('the time limit is over')
  })

  it('ends what a killed shim has left behind, so that no second copy can run [S-1]', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    const state = readState(taskFolder(folders.state, spec.handle.taskId))
    if (state === undefined) throw new Error('No state.')
    await driver.writeLine(spec.handle, folders, 'deaf')
    process.kill(state.shim.pid, 'SIGKILL')
    await waitFor('the end of the shim', () => !isAlive(state.shim))
    expect(await driver.recover(spec.handle, folders)).toMatchObject({
      is: 'exited',
      exit: { code: null, signal: null },
    })
    await waitFor('the end of the program', () => !isAlive(state.child))
  })

  it('lets a shim that comes too late begin nothing [A4, S-1]', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game())
    await driver.recover(spec.handle, folders)
    const folder = taskFolder(folders.state, spec.handle.taskId)
    const { handle, environment, argv } = spec
    const plain = { version: 1 as const, taskId: handle.taskId, kind: handle.kind, timeoutMs: null, uid: null }
    writeSpec(folder, { ...plain, argv, environment, workingFolder: folders.root, consoleFolder: folders.console })
    const [command = '', ...args] = shimCommandOf(bundles)
    const late = startOwnProcess({ command, args: [...args, folder] })
    expect(await late.ended).toEqual({ code: 3, signal: null })
    expect(textsOf(driver, folders)).toEqual([])
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const driver = newDriver()
    const folders = newFolders('a-rather-long-name-for-a-folder/'.repeat(4))
    const spec = specFor(folders, game())
    expect((await driver.start(spec)).is).toBe('running')
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    expect(await driver.writeLine(spec.handle, folders, 'stop')).toBe(true)
    expect(await exitOf(driver, spec)).toMatchObject({ code: 0 })
  })

  it('keeps all lines of a flood, in their order', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    await driver.writeLine(spec.handle, folders, 'count 20000')
    await driver.writeLine(spec.handle, folders, 'stop')
    await exitOf(driver, spec)
    const source = driver.openConsole(folders)
    const counted: string[] = []
    for (let at = 0; at < source.lastSeq;) {
      const { lines } = source.after(at, 5_000)
      at = lines.at(-1)?.seq ?? source.lastSeq
      counted.push(...lines.filter((line) => line.text.startsWith('count ')).map((line) => line.text))
    }
    expect(counted).toEqual(Array.from({ length: 20_000 }, (_, index) => `count ${index + 1}`))
  })

  it('measures the whole process tree', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    const sample = await waitFor('a sample', () => driver.sample(spec.handle, folders))
    expect(sample.memoryBytes).toBeGreaterThan(10 << 20)
    expect(sample.cpuMs).toBeGreaterThan(0)
    expect(sample.processes).toBe(1)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(readdirSync(folders.state)).toEqual(['tasks'])
  })
})
