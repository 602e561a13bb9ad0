import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { realDisk } from '../../../agents/platform/disk.ts'
import type { DockerDriver } from '../../../agents/runtime/docker/docker-driver.ts'
import { containerName, labelsOf } from '../../../agents/runtime/docker/labels.ts'
import { taskFolder, TaskRecords } from '../../../agents/runtime/docker/task-record.ts'
import type { ServerFolders, TaskSpec } from '../../../agents/runtime/driver/runtime-driver.ts'
import type { TaskExit } from '../../../agents/runtime/driver/task-handle.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { dockerRig, GAME_UID, OWNER, textsOf } from '../../support/docker-driver-rig.ts'
import { IMAGE_GAME, loadTestImage } from '../../support/docker-image.ts'
import { waitFor } from '../../support/wait-for.ts'

const OPEN = 'Done! The game is open'

let daemon: TestDockerDaemon
let image: string
let folder: string
let rig: ReturnType<typeof dockerRig>

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  image = (await loadTestImage(daemon.docker)).id
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-faults-'))
  rig = dockerRig(daemon, { image, folder })
})
afterEach(async () => {
  rig.closeAll()
  for (const { Id } of await daemon.docker.listContainers({ all: true })) {
    await daemon.docker.getContainer(Id).remove({ force: true })
  }
})
afterAll(async () => {
  await daemon.remove()
  rmSync(folder, { recursive: true, force: true })
})

const claimed = (spec: TaskSpec): void => {
  const records = new TaskRecords(realDisk)
  const task = { version: 1, kind: spec.handle.kind, fate: 'begin', afterSeq: 0, timeoutMs: spec.timeoutMs } as const
  records.claim(taskFolder(spec.folders.state, spec.handle.taskId), task)
}

/** The remains of an agent that was killed right after it created a container. */
const created = (spec: TaskSpec, owner = OWNER) =>
  daemon.docker.createContainer({
    name: containerName(OWNER, spec.handle),
    Image: image,
    Entrypoint: [...IMAGE_GAME],
    Env: ['GAME_START_DELAY_MS=10'],
    Labels: labelsOf(owner, spec.handle),
    WorkingDir: '/home/container',
    User: '0',
    OpenStdin: true,
    HostConfig: { NetworkMode: 'none' },
  })

const says = (driver: DockerDriver, folders: ServerFolders, text: string) =>
  waitFor(`the console to say ${text}`, () => {
    const texts = textsOf(driver, folders)
    if (!texts.includes(text)) throw new Error(`It says ${JSON.stringify(texts.slice(-9))}.`)
    return true
  })

const endOf = async (driver: DockerDriver, spec: TaskSpec) => {
  const ends: TaskExit[] = []
  await driver.watch(spec.handle, spec.folders, { output: () => {}, exited: (exit) => ends.push(exit) })
  return ends
}

const running = async (driver = rig.newDriver(), change: Partial<TaskSpec> = {}) => {
  const folders = rig.newFolders()
  const spec = rig.newSpec(folders, change)
  await driver.start(spec)
  await says(driver, folders, OPEN)
  return { driver, folders, spec }
}

const containers = async (): Promise<number> => (await daemon.docker.listContainers({ all: true })).length

describe('an agent that was killed while it started a container', () => {
  it('before the container was created never begins the task [A4]', async () => {
    const spec = rig.newSpec(rig.newFolders())
    claimed(spec)
    expect(await rig.newDriver().recover(spec.handle, spec.folders)).toEqual({ is: 'never-started' })
    expect(await rig.newDriver().start(spec)).toEqual({ is: 'never-started' })
    expect(await containers()).toBe(0)
  })

  it('after the container was created removes it without running it [A4]', async () => {
    const spec = rig.newSpec(rig.newFolders())
    claimed(spec)
    await created(spec)
    expect(await rig.newDriver().recover(spec.handle, spec.folders)).toEqual({ is: 'never-started' })
    expect(await containers()).toBe(0)
    expect(await rig.newDriver().start(spec)).toEqual({ is: 'never-started' })
  })

  it('after the container was started follows it from its first line [P3, S-2]', async () => {
    const spec = rig.newSpec(rig.newFolders())
    claimed(spec)
    await (await created(spec)).start()
    const driver = rig.newDriver()
    expect((await driver.recover(spec.handle, spec.folders)).is).toBe('running')
    await says(driver, spec.folders, OPEN)
    expect(textsOf(driver, spec.folders)[0]).toBe('Start number 1')
    expect(await driver.writeLine(spec.handle, spec.folders, 'say again')).toBe(true)
    await says(driver, spec.folders, '[Server] again')
  })

  it('and lost its record with the disk finds the container by its labels [S-1]', async () => {
    const spec = rig.newSpec(rig.newFolders())
    await (await created(spec)).start()
    const driver = rig.newDriver()
    expect(await driver.tasksOf(spec.handle.serverId, spec.folders)).toEqual([spec.handle])
    expect((await driver.recover(spec.handle, spec.folders)).is).toBe('running')
  })
})

describe('foreign containers [case 128]', () => {
  it.each([
    ['no labels', {}],
    ['the labels of another agent', { installation: 'another', node: OWNER.node }],
  ])('are never touched, even with the very name and %s', async (_, owner) => {
    const driver = rig.newDriver()
    const spec = rig.newSpec(rig.newFolders())
    const foreign = await created(spec, { installation: '', node: '', ...owner })
    await foreign.start()
    await expect(driver.start(spec)).rejects.toThrow('Docker did not create a container')
    expect(await driver.recover(spec.handle, spec.folders)).toEqual({ is: 'never-started' })
    await driver.signal(spec.handle, spec.folders, 'SIGKILL')
    await driver.forget(spec.handle, spec.folders)
    await driver.removeServer(spec.handle.serverId)
    expect((await foreign.inspect()).State.Running).toBe(true)
  })
})

describe('an engine in trouble', () => {
  it('that is killed and restarted stops no game, and no line is lost or repeated [S-2, fault 30]', async () => {
    const { driver, folders, spec } = await running()
    const ends = await endOf(driver, spec)
    await driver.writeLine(spec.handle, folders, 'say before')
    await says(driver, folders, '[Server] before')
    await daemon.kill()
    expect((await driver.recover(spec.handle, folders)).is).toBe('running')
    await daemon.start()
    await waitFor('a line to be taken', () => driver.writeLine(spec.handle, folders, 'say after'))
    await says(driver, folders, '[Server] after')
    expect(ends).toEqual([])
    await driver.writeLine(spec.handle, folders, 'crash')
    await waitFor('the end', () => ends.length > 0)
    expect(ends).toMatchObject([{ code: 42 }])
    const texts = textsOf(driver, folders)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('that hangs blocks nothing for ever, ends nothing, and usage is still reported [S-3, fault 30]', async () => {
    const first = rig.newDriver()
    const { folders, spec } = await running(first)
    first.close()
    // Impatient only once the container is there: to make one may take longer.
    const driver = rig.newDriver({ timeoutMs: 1_000 })
    await waitFor('the driver', async () => (await driver.recover(spec.handle, folders)).is === 'running')
    const ends = await endOf(driver, spec)
    await daemon.freeze()
    try {
      expect((await driver.recover(spec.handle, folders)).is).toBe('running')
      expect(await driver.sample(spec.handle, folders)).toMatchObject({ processes: expect.any(Number) as number })
      expect(ends).toEqual([])
      // A server that must stop still stops: the kernel is asked where the engine does not answer.
      await driver.signal(spec.handle, folders, 'SIGKILL')
    } finally {
      daemon.thaw()
    }
    await waitFor('the end', () => ends.length > 0)
    expect(ends).toMatchObject([{ code: null, signal: 'SIGKILL' }])
  })

  it('reports the end of a container that was removed by hand [fault 32]', async () => {
    const { driver, folders, spec } = await running()
    const ends = await endOf(driver, spec)
    await daemon.docker.getContainer(containerName(OWNER, spec.handle)).remove({ force: true })
    await waitFor('the end', () => ends.length > 0)
    expect(ends[0]?.code).toBe(null)
    const again = rig.newSpec(folders)
    expect((await driver.start(again)).is).toBe('running')
  })

  it.each(['docker.attaching', 'docker.attached'] as const)(
    'reports once the end of a container that dies at %s, and nobody waits for the line [fault 31]',
    async (point) => {
      let kill = (): Promise<unknown> => Promise.resolve()
      const faults = (name: string): Promise<void> => (name === point ? kill().then(() => {}) : Promise.resolve())
      const { driver, folders, spec } = await running(rig.newDriver({ faults }))
      const ends = await endOf(driver, spec)
      const container = daemon.docker.getContainer(containerName(OWNER, spec.handle))
      kill = async () => {
        await container.kill({ signal: 'SIGKILL' })
        await container.wait()
      }
      // The engine may still take it, for nobody; whoever sent it gets an answer either way.
      expect(await driver.writeLine(spec.handle, folders, 'say into the void')).toBeTypeOf('boolean')
      await waitFor('the end', () => ends.length > 0)
      expect(ends).toMatchObject([{ code: null, signal: 'SIGKILL' }])
      expect(await driver.writeLine(spec.handle, folders, 'say again')).toBe(false)
      expect(textsOf(driver, folders)).not.toContain('[Server] into the void')
    },
  )

  it('reveals an end whose event was missed while nobody listened [fault 31]', async () => {
    const { driver, folders, spec } = await running()
    await driver.writeLine(spec.handle, folders, 'say last words')
    await says(driver, folders, '[Server] last words')
    driver.close()
    await daemon.docker.getContainer(containerName(OWNER, spec.handle)).kill({ signal: 'SIGKILL' })
    const next = rig.newDriver()
    expect(await next.recover(spec.handle, folders)).toMatchObject({ is: 'exited', exit: { signal: 'SIGKILL' } })
    expect(textsOf(next, folders).filter((text) => text === '[Server] last words')).toHaveLength(1)
  })
})

describe('the console of a container', () => {
  it('sends a burst of 200,000 lines once, across a change of drivers and the rotation of the log [P3]', async () => {
    const first = rig.newDriver()
    const { folders, spec } = await running(first, { limits: { ...rig.limits, cpuPercent: 400 } })
    await first.writeLine(spec.handle, folders, 'count 200000')
    await waitFor('the first lines', () => first.openConsole(folders).lastSeq > 5_000)
    first.close()
    const next = rig.newDriver()
    await next.recover(spec.handle, folders)
    const numbers: number[] = []
    const source = next.openConsole(folders)
    let seq = 0
    await waitFor(
      'the last line',
      () => {
        source.refresh()
        const { lines, dropped } = source.after(seq, 1_000_000)
        expect(dropped).toBe(0)
        for (const line of lines) {
          expect(line.seq).toBe((seq += 1))
          const counted = /^count (\d+)$/.exec(line.text)?.[1]
          if (counted !== undefined) numbers.push(Number(counted))
        }
        return numbers.length >= 200_000
      },
      60_000,
    )
    expect(numbers.every((value, index) => value === index + 1)).toBe(true)
    expect(numbers).toHaveLength(200_000)
  })
})

describe('the confinement of a running server [case 124]', () => {
  it('is enforced by the kernel: separate user, no capability, a filter, no new privileges, only its folder writable', async () => {
    const { driver, folders, spec } = await running()
    const container = daemon.docker.getContainer(containerName(OWNER, spec.handle))
    const { State, HostConfig } = await container.inspect()
    const children = readFileSync(`/proc/${State.Pid}/task/${State.Pid}/children`, 'utf8').trim()
    const status = readFileSync(`/proc/${children}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:(\t${GAME_UID}){4}$`, 'm'))
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'))
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, Privileged: false, PidsLimit: 64 })
    const mounts = readFileSync(`/proc/${State.Pid}/mounts`, 'utf8').split('\n')
    expect(mounts.find((mount) => mount.split(' ')[1] === '/')).toMatch(/ ro[, ]/)
    await driver.writeLine(spec.handle, folders, 'environment')
    await waitFor('the answer', () => textsOf(driver, folders).some((text) => text.startsWith('Environment: ')))
    expect(textsOf(driver, folders).find((text) => text.startsWith('Environment: '))).not.toMatch(/BAKTER|DOCKER/)
  })

  it('ends a program that exceeds its memory, and reports it', async () => {
    const driver = rig.newDriver()
    const spec = rig.newSpec(rig.newFolders(), {
      argv: ['/usr/bin/node', '--eval', 'const held = []; for (;;) held.push(Buffer.alloc(5_000_000, 1))'],
      limits: { ...rig.limits, memoryMiB: 96 },
    })
    await driver.start(spec)
    const ends = await endOf(driver, spec)
    await waitFor('the end', () => ends.length > 0)
    expect(ends).toMatchObject([{ code: null, signal: 'SIGKILL', oomKilled: true }])
  })

  it('keeps a fork bomb within its process limit [case 118]', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const bomb = `const { spawn } = require('node:child_process')
      let failed = 0
      for (let n = 0; n < 100; n += 1) spawn('/bin/sleep', ['60']).on('error', () => (failed += 1))
      setTimeout(() => console.log(failed > 0 ? 'held' : 'free'), 500)`
    const limits = { ...rig.limits, pids: 32 }
    const spec = rig.newSpec(folders, { argv: ['/usr/bin/node', '--eval', bomb], limits })
    await driver.start(spec)
    await says(driver, folders, 'held')
    expect((await driver.sample(spec.handle, folders))?.processes).toBeLessThanOrEqual(32)
  })
})

describe('installations', () => {
  it('run as root with five capabilities, write to the install stream, and end at their time limit', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const script = `console.log(require('node:fs').readFileSync('/proc/self/status', 'utf8'))
      console.log(process.cwd())
      setInterval(() => {}, 1000)`
    const spec = rig.newSpec(folders, { argv: ['/usr/bin/node', '--eval', script], timeoutMs: 10_000 })
    const task = { ...spec, handle: { ...spec.handle, kind: 'install' as const } }
    await driver.start(task)
    await says(driver, folders, '/mnt/server')
    const lines = driver.openConsole(folders).after(0, 1_000).lines
    expect(new Set(lines.map((line) => line.stream))).toEqual(new Set(['i']))
    const texts = lines.map((line) => line.text)
    expect(texts).toContain('NoNewPrivs:    1')
    // CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID
    expect(texts).toContain('CapEff:    00000000000000cb')
    const ends = await endOf(driver, task)
    await waitFor('the end', () => ends.length > 0)
    expect(ends).toMatchObject([{ signal: 'SIGKILL' }])
    expect(textsOf(driver, folders).at(-1)).toContain('the time limit was reached')
  })
})
