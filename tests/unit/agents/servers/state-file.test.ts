import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ServerSpec } from '#contracts/agent/server-spec.ts'
import { layoutOf } from '../../../../agents/servers/layout.ts'
import { ServerRecord } from '../../../../agents/servers/state-file.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

const FIXTURE = 'tests/fixtures/agent-state/v1/servers'
/** As the agent of a release with the panel has left it. */
const OF_PANEL = 'tests/fixtures/agent-state/panel/servers'
let rig: ServerRig
let record: string
let identity: string

beforeEach(() => {
  rig = new ServerRig()
  const layout = layoutOf(rig.folder, 'acdefghj')
  record = layout.recordFile
  identity = layout.identityFile
})
afterEach(() => rig.remove())

const stored = (): ServerRecord => ServerRecord.parse(JSON.parse(readFileSync(record, 'utf8')))

describe('records of other versions', () => {
  it('reads a server of version 1 and writes it as version 2', async () => {
    cpSync(FIXTURE, path.join(rig.folder, 'servers'), { recursive: true })
    await rig.agent()
    expect(rig.server().core.uid).toBe(210_007)
    expect(rig.state()).toBe('crashed')
    expect(rig.server().core.record).toMatchObject({ exit: { code: 42, oom: false }, bootId: null, fencedAt: null })
    expect(await rig.power('start', { generation: 3 })).toMatchObject({ ok: true })
    expect(stored()).toMatchObject({ version: 2, bootId: 'boot-1', installed: true })
    const answered = '01990000-0000-7000-9000-0000000000aa'
    await rig.power('start', { generation: 3 }, { id: answered })
    expect(rig.result(answered)).toMatchObject({ ok: true, detail: 'answered by version 1' })
  })

  it('reads a server of a release with the panel: ports, settings, the last start and what was answered', async () => {
    const [identifier = ''] = readdirSync(OF_PANEL)
    cpSync(OF_PANEL, path.join(rig.folder, 'servers'), { recursive: true })
    const file = layoutOf(rig.folder, identifier).recordFile
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const before = ServerRecord.parse(written)
    // Nothing of the file is unknown to this agent.
    expect(before).toEqual(written)
    await rig.agent()
    const { core } = rig.server(before.spec?.id)
    expect(core.record).toEqual(before)
    expect(core.observed()).toMatchObject({ state: 'offline', generation: before.spec?.generation, installed: true })
    const spec = ServerSpec.parse(before.spec)
    expect(spec.allocations.map(({ port, primary }) => [port, primary])).toEqual([
      [25_566, true],
      [25_565, false],
    ])
    expect(spec).toMatchObject({
      timeZone: 'Asia/Tokyo',
      stopTimeoutMs: 25_000,
      environment: { MAIN_FILE: 'later.js' },
    })
    const [answered] = before.commands
    await rig.power('start', spec, { id: answered?.id ?? '' })
    expect(rig.result(answered?.id ?? '')).toMatchObject(answered?.result ?? {})
    expect(rig.world.begun).toEqual([])
  })

  it.each([
    ['server.json', '{"version":3,"future":true}'],
    ['identity.json', '{"version":2,"future":true}'],
  ])('refuses a newer %s with a sentence and changes nothing', async (name, text) => {
    await rig.agent()
    await rig.install()
    const file = path.join(path.dirname(record), name)
    writeFileSync(file, text)
    const before = readdirSync(path.dirname(record))
    await expect(rig.agent()).rejects.toThrow('Install the newer agent again; nothing was changed.')
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(path.dirname(record))).toEqual(before)
  })
})

const DAMAGED = {
  empty: '',
  truncated: '{"version":2,"spec":{"id":"01',
  zeroes: '\0'.repeat(64),
  'another file': '[1]',
}

describe.each(Object.entries(DAMAGED))('a record that is %s', (_name, text) => {
  it('is built again: what runs is taken in, and the control plane tells the rest [A16]', async () => {
    await rig.agent()
    await rig.install({ generation: 4 })
    await rig.power('start', { generation: 4 })
    writeFileSync(record, text)
    await rig.agent()
    await waitFor('the running server', () => rig.state() === 'running')
    expect(rig.server().core.observed()).toMatchObject({ generation: 0, installed: true })
    await update({ generation: 5, installed: true })
    expect(stored()).toMatchObject({ state: 'running', installed: true, spec: { generation: 5 } })
    expect(rig.world.begun.filter((task) => !task.includes('-i'))).toHaveLength(1)
    expect(rig.manager.reports.join()).toContain('was damaged and is built again')
    expect(await rig.power('stop', { generation: 5 })).toMatchObject({ ok: true })
  })

  it.each([
    [true, 'offline'],
    [false, 'creating'],
  ])('of a stopped server is unknown until the database says installed: %s [A13]', async (installed, state) => {
    await rig.agent()
    await rig.install({ generation: 4 })
    writeFileSync(record, text)
    await rig.agent()
    expect(rig.server().core.observed()).toMatchObject({ state: 'unknown', generation: 0 })
    await update({ generation: 4, installed })
    expect(stored()).toMatchObject({ state, installed })
  })
})

const update = async ({ generation, installed }: { generation: number; installed: boolean }): Promise<void> => {
  const spec = rig.spec({ generation })
  const fields = { id: nextId(), serverId: SERVER_ID, generation, requestId: 'r' }
  await rig.manager.execute({ ...fields, kind: 'update', spec, installed })
}

describe('a damaged identity', () => {
  it('is built again from the record and the owner of the files', async () => {
    await rig.agent()
    await rig.install()
    writeFileSync(identity, '')
    await rig.agent({ change: { ownerOf: () => 210_042 } })
    expect(rig.server().core.uid).toBe(210_042)
    expect(JSON.parse(readFileSync(identity, 'utf8'))).toMatchObject({ id: SERVER_ID, uid: 210_042 })
  })

  it('without a record leaves the folder alone, and its user is given to nobody else', async () => {
    mkdirSync(path.join(rig.folder, 'servers/zzzz/root'), { recursive: true })
    const change = { ownerOf: (folder: string) => (folder.includes('zzzz') ? 210_000 : undefined) }
    await rig.agent({ change })
    await rig.install()
    expect(rig.server().core.uid).toBe(210_001)
  })
})
