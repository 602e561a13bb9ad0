import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Bundles } from '../../../agents/platform/bundles.ts'
import { DEFAULT_HISTORY } from '../../../agents/console/history.ts'
import { systemClock } from '../../../agents/platform/clock.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { identityOf, isAlive, type ProcessIdentity } from '../../../agents/platform/process-identity.ts'
import { leftoversOf } from '../../../agents/runtime/process/leftovers.ts'
import { ProcessDriver } from '../../../agents/runtime/process/process-driver.ts'
import { readState, taskFolder, writeSpec } from '../../../agents/runtime/process/task-files.ts'
import type { ServerFolders, TaskSpec } from '../../../agents/runtime/runtime-driver.ts'
import { ProcessTable } from '../../../agents/stats/process-table.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { runtimeDriverSuite } from '../../suites/runtime-driver.suite.ts'
import { bundleForTest, scratchFolder, shimCommandOf } from '../../support/agent-bundles.ts'
import { ownUsers } from '../../support/own-users.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const UID = ownUsers() + 100
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
    limits: { memoryMiB: 256, swapMiB: 0, cpuPercent: 100, pids: 512, ioWeight: null },
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
    uid: UID,
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

  const daemon = (environment: string): string => `
    const { spawn } = require('node:child_process')
    const options = { detached: true, stdio: 'ignore', cwd: '/', env: ${environment} }
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options)
    child.once('spawn', () => console.log('Daemon ' + child.pid))
    child.unref()
    setInterval(() => {}, 1000)`
  // Without a user of its own a task is known by the mark in its environment alone.
  const environments = isRoot ? ['process.env', '{}', "{ BAKTER_TASK: 'made-up' }"] : ['process.env']

  it.each(environments.flatMap((environment) => ['program', 'shim'].map((killed) => ({ environment, killed }))))(
    'ends a daemon in a session of its own with its task: $environment, the $killed is killed [S-1]',
    async ({ environment, killed }) => {
      const driver = newDriver()
      const folders = newFolders()
      const spec = specFor(folders, [process.execPath, '-e', daemon(environment)])
      await driver.start(spec)
      const told = await waitFor('the daemon', () =>
        textsOf(driver, folders).find((text) => text.startsWith('Daemon ')),
      )
      const left = identityOf(Number(told.slice('Daemon '.length)))
      expect(isAlive(left)).toBe(true)
      const state = readState(taskFolder(folders.state, spec.handle.taskId))
      process.kill((killed === 'shim' ? state?.shim.pid : state?.child.pid) ?? 0, 'SIGKILL')
      await exitOf(driver, spec)
      expect(isAlive(left)).toBe(false)
      expect(state !== undefined && isAlive(state.child)).toBe(false)
    },
  )

  it('leaves the daemons of another task alone, also when both have one user', async () => {
    const driver = newDriver()
    const specs = [newFolders(), newFolders()].map((folders) =>
      specFor(folders, [process.execPath, '-e', daemon('process.env')]),
    )
    const daemons: ProcessIdentity[] = []
    for (const spec of specs) {
      await driver.start(spec)
      const told = await waitFor('the daemon', () =>
        textsOf(driver, spec.folders).find((text) => text.startsWith('Daemon ')),
      )
      daemons.push(identityOf(Number(told.slice('Daemon '.length))))
    }
    const [first, second] = specs
    if (first === undefined || second === undefined) throw new Error('Two are made.')
    await driver.signal(first.handle, first.folders, 'SIGKILL')
    await exitOf(driver, first)
    expect(daemons.map(isAlive)).toEqual([false, true])
    await driver.signal(second.handle, second.folders, 'SIGKILL')
    await exitOf(driver, second)
    expect(daemons.map(isAlive)).toEqual([false, false])
  })

  it('leaves a program of another task alone that has laid off its mark, also when both have one user', async () => {
    if (!isRoot) return
    const driver = newDriver()
    const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const [first, second] = [specFor(newFolders(), idle), specFor(newFolders(), ['/usr/bin/env', '-i', ...idle])]
    for (const spec of [first, second]) await driver.start(spec)
    const child = readState(taskFolder(second.folders.state, second.handle.taskId))?.child.pid ?? 0
    await waitFor('the program without a mark', () => readFileSync(`/proc/${child}/environ`, 'latin1') === '')
    await driver.signal(first.handle, first.folders, 'SIGKILL')
    await exitOf(driver, first)
    expect(await driver.recover(second.handle, second.folders)).toMatchObject({ is: 'running' })
    await driver.signal(second.handle, second.folders, 'SIGKILL')
    await exitOf(driver, second)
  })

  it("ends a daemon that wears the mark of a living task of another server's [S-1, S-5]", async () => {
    if (!isRoot) return
    const driver = newDriver()
    const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const other = specFor(newFolders(), idle, { uid: UID + 1 })
    await driver.start(other)
    const mark = `{ BAKTER_TASK: '${other.handle.taskId}' }`
    const spec = specFor(newFolders(), [process.execPath, '-e', daemon(mark)])
    await driver.start(spec)
    const told = await waitFor('the daemon', () =>
      textsOf(driver, spec.folders).find((text) => text.startsWith('Daemon ')),
    )
    const left = identityOf(Number(told.slice('Daemon '.length)))
    await driver.signal(spec.handle, spec.folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(isAlive(left)).toBe(false)
    expect(await driver.recover(other.handle, other.folders)).toMatchObject({ is: 'running' })
    await driver.signal(other.handle, other.folders, 'SIGKILL')
    await exitOf(driver, other)
  })

  it('lets a program that multiplies have its number of processes, and ends all of it', async () => {
    if (!isRoot) return
    const driver = newDriver()
    const folders = newFolders()
    const uid = UID + 9_000
    chownSync(folders.root, uid, uid)
    const script = `
      const { spawn } = require('node:child_process')
      let open = 0
      const more = () => {
        const child = spawn('/bin/sleep', ['300'], { stdio: 'ignore', detached: true, env: {} })
        child.once('error', (error) => { console.log('Refused after ' + open + ': ' + error.code); setInterval(() => {}, 1000) })
        child.once('spawn', () => { open += 1; more() })
      }
      more()`
    const limits = { ...specFor(folders, []).limits, pids: 40 }
    const spec = specFor(folders, [process.execPath, '-e', script], { uid, limits })
    await driver.start(spec)
    const told = await waitFor('the refusal', () => textsOf(driver, folders).find((text) => text.startsWith('Refused')))
    expect(told).toMatch(/^Refused after \d\d?: EAGAIN$/)
    const owner = { taskId: spec.handle.taskId, uid, startTicks: '0' }
    expect(leftoversOf(owner).length).toBeGreaterThan(10)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(leftoversOf(owner)).toEqual([])
  })

  it('bounds what waits for a program that never reads its input', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const spec = specFor(folders, [process.execPath, '-e', 'console.log("here"); setInterval(() => {}, 1000)'])
    await driver.start(spec)
    await waitFor('the program', () => textsOf(driver, folders).includes('here'))
    let taken = 0
    while (taken < 200 && (await driver.writeLine(spec.handle, folders, 'x'.repeat(4_000)))) taken += 1
    expect(taken).toBeLessThan(100)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    expect(await exitOf(driver, spec)).toMatchObject({ signal: 'SIGKILL' })
  })

  it('bounds file and speed of a program that floods its console, tells it, and takes its input [case 122, P14]', async () => {
    const driver = newDriver()
    const folders = newFolders()
    const script = `
      const block = ('y'.repeat(199) + '\\n').repeat(500)
      const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more) }
      process.stdin.once('data', () => process.exit(7))
      more()`
    const spec = specFor(folders, [process.execPath, '-e', script])
    await driver.start(spec)
    const source = driver.openConsole(folders)
    const bytesKept = () =>
      readdirSync(folders.console).reduce((sum, name) => sum + statSync(path.join(folders.console, name)).size, 0)
    // 40 MB of output, of which the newest are kept.
    await waitFor('the flood', () => source.refresh() && source.lastSeq > 200_000, 60_000)
    const { keepSegments, segmentBytes } = DEFAULT_HISTORY
    expect(source.firstSeq).toBeGreaterThan(1)
    expect(bytesKept()).toBeLessThan((keepSegments + 1) * segmentBytes)
    expect(await driver.writeLine(spec.handle, folders, 'end')).toBe(true)
    expect(await exitOf(driver, spec)).toMatchObject({ code: 7 })
    source.refresh()
    // A program that gets too little of the processor to flood has its note where the flood ended, not at its own end.
    const notes: string[] = []
    for (let seq = source.firstSeq - 1; seq < source.lastSeq;) {
      const { lines } = source.after(seq, 1_000)
      notes.push(...lines.flatMap((line) => (line.stream === 'x' ? [line.text] : [])))
      seq = lines.at(-1)?.seq ?? source.lastSeq
    }
    expect(notes.join('\n')).toMatch(/Output was slowed down by .* none is lost/)
  })

  it('shows the program no descriptor of the agent and no folder of another server', async () => {
    if (!isRoot) return
    const driver = newDriver()
    const [folders, other] = [newFolders(), newFolders()]
    for (const { state, console: lines } of [folders, other])
      for (const folder of [state, lines]) chmodSync(folder, 0o700)
    chmodSync(other.root, 0o700)
    chownSync(other.root, UID + 1, UID + 1)
    const script = `
      const fs = require('node:fs')
      const links = fs.readdirSync('/proc/self/fd').flatMap((fd) => {
        try { return [fs.readlinkSync('/proc/self/fd/' + fd)] } catch { return [] }
      })
      const closed = ${JSON.stringify([folders.state, folders.console, ...Object.values(other)])}.map((folder) => {
        try { fs.readdirSync(folder); return 'open' } catch (error) { return error.code }
      })
      const shim = fs.readFileSync('/proc/' + process.ppid + '/status', 'utf8').match(/^Uid:\\t(\\d+)/m)[1]
      let environ = 'read'
      try { fs.readFileSync('/proc/' + process.ppid + '/environ') } catch (error) { environ = error.code }
      console.log(JSON.stringify({ links, closed, shim, environ, umask: process.umask() }))`
    const spec = specFor(folders, [process.execPath, '-e', script])
    await driver.start(spec)
    await exitOf(driver, spec)
    const text = await waitFor('its words', () => textsOf(driver, folders).find((line) => line.startsWith('{')))
    const seen = JSON.parse(text) as { links: string[]; closed: string[]; shim: string; environ: string; umask: number }
    expect(seen.links.filter((link) => !/^(pipe:|anon_inode:|socket:|\/dev\/null|\/proc\/)/.test(link))).toEqual([])
    expect(seen.closed).toEqual(Array<string>(5).fill('EACCES'))
    expect(seen).toMatchObject({ shim: '0', environ: 'EACCES', umask: 0o077 })
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
