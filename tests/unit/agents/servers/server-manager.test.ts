import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { realDisk } from '../../../../agents/platform/disk.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig

beforeEach(() => {
  rig = new ServerRig()
})
afterEach(() => rig.remove())

const type = (line: string) => rig.server().writeLine(line)

describe('servers of a node', () => {
  it('goes through its states in order and tells each with the id of the request [I3]', async () => {
    await rig.agent()
    expect(await rig.install()).toMatchObject({ ok: true })
    expect(await rig.power('start')).toMatchObject({ ok: true })
    expect(await rig.power('stop')).toMatchObject({ ok: true })
    expect(rig.states()).toEqual(['installing', 'offline', 'starting', 'running', 'stopping', 'offline'])
    const requests = rig.events.flatMap((event) => (event.kind === 'server.state' ? [event.requestId] : []))
    expect(new Set(requests)).toEqual(new Set(['r']))
  })

  it('logs the beginning and the end of a command with the id of its request [I3]', async () => {
    await rig.agent()
    await rig.install()
    const about = { serverId: SERVER_ID, requestId: 'r', command: 'install' }
    expect(rig.logged).toMatchObject([
      { message: 'a command arrived', fields: about },
      { message: 'a command ended', fields: about },
    ])
  })

  it('refuses to start what is not installed, suspended, expired, or unknown', async () => {
    await rig.agent()
    expect(await rig.power('start')).toMatchObject({ ok: false, code: 'NOT_INSTALLED' })
    await rig.install()
    expect(await rig.power('start', { generation: 2, suspended: true })).toMatchObject({ code: 'SUSPENDED' })
    const expiresAtMs = rig.clock.now()
    expect(await rig.power('start', { generation: 3, expiresAtMs })).toMatchObject({ code: 'EXPIRED' })
    expect(rig.world.begun.filter((task) => !task.includes('-i'))).toEqual([])
  })

  it('reports a failed installation and can do it again', async () => {
    await rig.agent()
    rig.installExit = 3
    expect(await rig.install()).toMatchObject({ ok: false, code: 'INSTALL_FAILED' })
    expect(rig.state()).toBe('install_failed')
    rig.installExit = 0
    expect(await rig.install()).toMatchObject({ ok: true })
  })

  it('runs a command id once and repeats its answer [A4]', async () => {
    await rig.agent()
    const id = nextId()
    await rig.install({}, id)
    const answers = () => rig.events.filter((event) => event.kind === 'command.finished').length
    expect(answers()).toBe(1)
    await rig.install({}, id)
    expect(answers()).toBe(2)
    expect(rig.installs).toBe(1)
  })

  it('refuses a stale generation and keeps what it knows [A5]', async () => {
    await rig.agent()
    await rig.install({ generation: 5 })
    expect(await rig.power('start', { generation: 4 })).toMatchObject({ ok: false, code: 'STALE_GENERATION' })
    expect(rig.state()).toBe('offline')
    expect(rig.server().core.spec?.generation).toBe(5)
  })

  it('calls an end before the done text a failed start-up, and one after it a crash', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start', { generation: 2, environment: { GAME_EXIT_ON_START: '7' } })
    await waitFor('the failed start', () => rig.state() === 'startup_failed')
    expect(rig.server().core.record.exit).toEqual({ code: 7, signal: null, oom: false })
    await rig.power('start', { generation: 3 })
    await type('crash')
    await waitFor('the crash', () => rig.state() === 'crashed')
  })

  it('waits for the done text before it calls a server running', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start', { generation: 2, environment: { GAME_SLOW: '1' } })
    expect(rig.state()).toBe('starting')
    await type('done')
    expect(rig.state()).toBe('running')
  })

  it('goes down the chain to SIGKILL when the server does not listen', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await type('deaf')
    const stopping = rig.power('stop', { stop: { kind: 'signal' } })
    await rig.timers.advance(4_000)
    expect(rig.state()).toBe('stopping')
    await rig.timers.advance(60_000)
    expect(await stopping).toMatchObject({ ok: true })
    expect(rig.server().core.record).toMatchObject({ state: 'offline', exit: { signal: 'SIGKILL' } })
  })

  it('lets a kill end a stop that waits', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await type('deaf')
    const stopping = rig.power('stop')
    await waitFor('the stop', () => rig.state() === 'stopping')
    expect(await rig.power('kill')).toMatchObject({ ok: true })
    expect(await stopping).toMatchObject({ ok: true })
    expect(rig.state()).toBe('offline')
  })

  it('builds a damaged record again, takes the running server in, and reports it', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start')
    const file = path.join(rig.folder, 'servers/acdefghj/state/server.json')
    writeFileSync(file, '{"version":1,"spec":')
    await rig.agent()
    expect(rig.manager.reports.join()).toContain('acdefghj')
    await waitFor('the server', () => rig.state() === 'running')
    expect(readdirSync(path.dirname(file)).some((name) => name.includes('corrupt'))).toBe(true)
    expect(rig.world.begun.filter((task) => !task.includes('-i'))).toHaveLength(1)
    expect(await rig.power('stop', { generation: 2 })).toMatchObject({ ok: true })
  })

  it('leaves a folder without an identity alone', async () => {
    realDisk.makeFolder(path.join(rig.folder, 'servers/zzzz/root'), 0o700)
    await rig.agent()
    expect(rig.manager.all()).toEqual([])
    expect(rig.manager.reports.join()).toContain('zzzz')
    expect(existsSync(path.join(rig.folder, 'servers/zzzz/root'))).toBe(true)
  })

  it('deletes only with a higher generation, and never takes the server back [A11]', async () => {
    await rig.agent()
    await rig.install({ generation: 3 })
    const remove = async (generation: number) => {
      const id = nextId()
      await rig.manager.execute({
        id,
        serverId: SERVER_ID,
        generation,
        requestId: 'r',
        kind: 'delete',
        tombstone: true,
      })
      return rig.result(id)
    }
    expect(await remove(3)).toMatchObject({ ok: false, code: 'STALE_GENERATION' })
    expect(await remove(4)).toMatchObject({ ok: true })
    expect(existsSync(path.join(rig.folder, 'servers/acdefghj'))).toBe(false)
    expect(await rig.install({ generation: 3 })).toMatchObject({ ok: false, code: 'DELETED' })
    await rig.agent()
    expect(await rig.install({ generation: 9 })).toMatchObject({ ok: false, code: 'DELETED' })
  })

  it('runs commands of other servers while the files of a deleted one are removed, and gives its user to none of them', async () => {
    const removed: string[] = []
    let release = (): void => {}
    const removeTree = (target: string): Promise<void> =>
      new Promise((done) => {
        removed.push(target)
        release = done
      })
    const ownerOf = (folder: string) => (folder.endsWith(`.deleting-${SERVER_ID}/root`) ? 210_000 : undefined)
    await rig.agent({ change: { removeTree, ownerOf } })
    await rig.install()
    const deletion = { serverId: SERVER_ID, generation: 2, requestId: 'r', kind: 'delete', tombstone: true } as const
    const id = nextId()
    const deleted = rig.manager.execute({ ...deletion, id })
    await waitFor('the removal to begin', () => removed.length === 1)
    const other = rig.spec({ id: nextId(), identifier: 'kmnpqrtu' })
    const fields = { serverId: other.id, generation: 1, requestId: 'r' }
    const installed = nextId()
    await rig.manager.execute({ ...fields, id: installed, kind: 'install', spec: other })
    expect(rig.result(installed)).toMatchObject({ ok: true })
    expect(rig.manager.find(other.id)?.core.uid).toBe(210_001)
    expect(rig.result(id)).toBeUndefined()
    release()
    await deleted
    expect(rig.result(id)).toMatchObject({ ok: true })
  })

  it('completes a removal that ended with the agent, and starts without waiting for it', async () => {
    const removed: string[] = []
    const doomed = path.join(rig.folder, 'servers/.deleting-old')
    realDisk.makeFolder(doomed, 0o700)
    const removeTree = (target: string): Promise<void> => {
      removed.push(target)
      return new Promise(() => {})
    }
    await rig.agent({ change: { removeTree } })
    expect(removed).toEqual([doomed])
    expect(await rig.install()).toMatchObject({ ok: true })
  })

  it('says that a stop is its own end, and carries out nothing after it', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await rig.manager.shutDown()
    const last = rig.events.flatMap((event) => (event.kind === 'server.state' ? [event] : [])).slice(-2)
    expect(last.map(({ server, requestId }) => [server.state, requestId])).toEqual([
      ['stopping', 'agent-shutdown'],
      ['offline', 'agent-shutdown'],
    ])
    expect(await rig.power('start')).toBeUndefined()
    expect(rig.state()).toBe('offline')
  })

  it('kills a server that its chain waits for when somebody has no patience', async () => {
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await type('deaf')
    const leaving = rig.manager.shutDown()
    await waitFor('the chain to begin', () => rig.state() === 'stopping')
    await rig.manager.killAll()
    // The clock of this test stands still, so no step of the chain ever times out.
    await leaving
    expect(rig.state()).toBe('offline')
  })

  it('gives every server a user of its own', async () => {
    await rig.agent()
    await rig.install()
    const other = rig.spec({ id: nextId(), identifier: 'kmnpqrtu' })
    const fields = { id: nextId(), serverId: other.id, generation: 1, requestId: 'r' }
    await rig.manager.execute({ ...fields, kind: 'install', spec: other })
    expect(rig.manager.all().map((server) => server.core.uid)).toEqual([210_000, 210_001])
  })
})
