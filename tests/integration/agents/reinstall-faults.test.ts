import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FaultName, FaultPoint } from '../../../agents/platform/fault-point.ts'
import { layoutOf, type ServerLayout } from '../../../agents/servers/layout.ts'
import { wipeFiles } from '../../../agents/servers/wipe-files.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { ServerRig } from '../../support/server-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Every point that a reinstallation of a running server passes. */
const POINTS: readonly FaultName[] = [
  'install.accepted',
  'stop.recorded',
  'stop.signalled',
  'exit.observed',
  'install.recorded',
  'install.spawned',
  'install.exited',
  'command.finished',
]

let rig: ServerRig
let mine: ServerLayout
let other: ServerLayout
const prepareFiles = async ({ layout }: { layout: ServerLayout }, wipe: boolean): Promise<void> => {
  if (wipe) await wipeFiles(layout, () => Promise.resolve())
  mkdirSync(layout.root, { recursive: true })
}

const write = (folder: string, name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

beforeEach(() => {
  rig = new ServerRig()
  rig.world.programs.set('installer', {
    started: (process) => {
      rig.installs += 1
      write(process.environment['HOME'] ?? '', 'game.jar', `installation ${rig.installs}`)
      process.exit(rig.installExit)
    },
  })
  mine = layoutOf(rig.folder, 'acdefghj')
  other = layoutOf(rig.folder, 'neighbor')
})
afterEach(() => rig.remove())

/** A running server with a world and something in its bin, beside a server of somebody else. */
const running = async (): Promise<void> => {
  await rig.agent({ change: { prepareFiles } })
  await rig.install()
  write(mine.root, 'worlds/first/level.dat', 'the world')
  write(mine.files, 'bin/1/content', 'deleted yesterday')
  write(other.root, 'worlds/level.dat', 'of somebody else')
  await rig.power('start')
  expect(rig.state()).toBe('running')
}

const once = (name: FaultName): { point: FaultPoint; wasKilled: () => boolean } => {
  let killed = false
  const point: FaultPoint = async (at) => {
    if (at !== name || killed) return
    killed = true
    await new Promise(() => {})
  }
  return { point, wasKilled: () => killed }
}

const send = (id: string, wipe: boolean): void => {
  const spec = rig.spec()
  const command = { id, serverId: SERVER_ID, generation: 1, requestId: 'r', kind: 'reinstall', wipe, spec } as const
  void rig.manager.execute(command).catch(() => {})
}

/** Orders a reinstallation until it is answered, again from every new agent: what the control plane does. */
const reinstalled = async (wipe: boolean, wasKilled: () => boolean): Promise<boolean> => {
  const id = nextId()
  send(id, wipe)
  let isSecond = false
  await waitFor('the reinstallation to be answered', async () => {
    if (wasKilled() && !isSecond) {
      isSecond = true
      await rig.agent({ change: { prepareFiles } })
      send(id, wipe)
    }
    await rig.timers.advance(1_000)
    return rig.result(id) !== undefined
  })
  return rig.result(id)?.ok === true
}

const filesOf = ({ root }: ServerLayout): string[] => readdirSync(root, { recursive: true }).map(String).toSorted()

describe.each([
  ['keeps the files', false, ['game.jar', 'worlds', 'worlds/first', 'worlds/first/level.dat'], POINTS],
  ['removes the files', true, ['game.jar'], [...POINTS, 'install.wiped']],
] as const)('a reinstallation that %s', (_, wipe, files, points) => {
  it.each(points)('is finished by the next agent when the agent is killed at %s [A4]', async (name) => {
    await running()
    const fault = once(name)
    rig.manager.detach()
    await rig.agent({ change: { prepareFiles }, faults: fault.point })
    expect(await reinstalled(wipe, fault.wasKilled)).toBe(true)
    expect(fault.wasKilled(), 'the point was reached').toBe(true)
    await rig.timers.advance(20_000)

    expect(filesOf(mine)).toEqual(files)
    expect(readFileSync(path.join(mine.root, 'game.jar'), 'utf8')).toBe('installation 2')
    expect(readFileSync(path.join(mine.files, 'bin/1/content'), 'utf8')).toBe('deleted yesterday')
    expect(readFileSync(path.join(other.root, 'worlds/level.dat'), 'utf8')).toBe('of somebody else')
    expect(existsSync(`${mine.root}.leaving`)).toBe(false)
    expect([rig.state(), rig.installs]).toEqual(['offline', 2])
  })
})
