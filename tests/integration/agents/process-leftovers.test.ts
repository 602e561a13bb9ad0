import { chownSync, readFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { identityOf, isAlive, type ProcessIdentity } from '../../../agents/platform/process-identity.ts'
import { leftoversOf } from '../../../agents/runtime/process/leftovers.ts'
import { readState, taskFolder } from '../../../agents/runtime/process/task-files.ts'
import { waitFor } from '../../support/wait-for.ts'
import { exitOf, isRoot, ProcessDriverRig, textsOf, UID } from '../../support/process-driver-rig.ts'

let rig: ProcessDriverRig

beforeAll(async () => {
  rig = await ProcessDriverRig.open()
})
afterAll(() => rig.remove())

describe('processes that a task leaves behind', () => {
  it('are ended after their shim was killed, so that no second copy can run [S-1]', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game())
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
      const driver = rig.newDriver()
      const folders = rig.newFolders()
      const spec = rig.specFor(folders, [process.execPath, '-e', daemon(environment)])
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

  it('survive as daemons of another task, also when both tasks have one user', async () => {
    const driver = rig.newDriver()
    const specs = [rig.newFolders(), rig.newFolders()].map((folders) =>
      rig.specFor(folders, [process.execPath, '-e', daemon('process.env')]),
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

  it('survive as programs of another task that dropped their mark, also when both tasks have one user', async () => {
    if (!isRoot) return
    const driver = rig.newDriver()
    const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const [first, second] = [
      rig.specFor(rig.newFolders(), idle),
      rig.specFor(rig.newFolders(), ['/usr/bin/env', '-i', ...idle]),
    ]
    for (const spec of [first, second]) await driver.start(spec)
    const child = readState(taskFolder(second.folders.state, second.handle.taskId))?.child.pid ?? 0
    await waitFor('the program without a mark', () => readFileSync(`/proc/${child}/environ`, 'latin1') === '')
    await driver.signal(first.handle, first.folders, 'SIGKILL')
    await exitOf(driver, first)
    expect(await driver.recover(second.handle, second.folders)).toMatchObject({ is: 'running' })
    await driver.signal(second.handle, second.folders, 'SIGKILL')
    await exitOf(driver, second)
  })

  it("are ended when they carry the mark of another server's living task [S-1, S-5]", async () => {
    if (!isRoot) return
    const driver = rig.newDriver()
    const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const other = rig.specFor(rig.newFolders(), idle, { uid: UID + 1 })
    await driver.start(other)
    const mark = `{ BAKTER_TASK: '${other.handle.taskId}' }`
    const spec = rig.specFor(rig.newFolders(), [process.execPath, '-e', daemon(mark)])
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

  it('may multiply up to their process limit, and are all ended', async () => {
    if (!isRoot) return
    const driver = rig.newDriver()
    const folders = rig.newFolders()
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
    const limits = { ...rig.specFor(folders, []).limits, pids: 40 }
    const spec = rig.specFor(folders, [process.execPath, '-e', script], { uid, limits })
    await driver.start(spec)
    const told = await waitFor('the refusal', () => textsOf(driver, folders).find((text) => text.startsWith('Refused')))
    expect(told).toMatch(/^Refused after \d\d?: EAGAIN$/)
    const owner = { taskId: spec.handle.taskId, uid, startTicks: '0', stateFolder: folders.state }
    expect(leftoversOf(owner).length).toBeGreaterThan(10)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(leftoversOf(owner)).toEqual([])
  })
})
