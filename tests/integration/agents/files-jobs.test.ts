import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { nextId, USER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const GIB = 1024 ** 3
let files: FilesRig
beforeEach(async () => {
  files = await FilesRig.open()
  // A hole, made at once: to compress it takes longer than anything that a test does meanwhile, also on a busy machine.
  fs.truncateSync(files.put('world.bin', ''), 32 * GIB)
  files.put('small.txt', 'small')
})
afterEach(() => files.close())

const begin = async (to: string, token?: string): Promise<FileJob> => {
  const input = { folder: '', names: ['world.bin'], to, format: 'tar.gz' as const }
  return ((await files.call('compress', input, { token })).json as { job: FileJob }).job
}
const jobs = async (token?: string): Promise<FileJob[]> =>
  ((await files.call('jobs', {}, { token })).json as { jobs: FileJob[] }).jobs
const stateOf = async (id: string) => (await jobs()).find((job) => job.id === id)?.state
const parts = () => fs.readdirSync(path.join(files.area, 'parts'))
const stranger = (without: readonly string[] = []) =>
  files.token({ sub: nextId(), permissions: PERMISSIONS.filter((each) => !without.includes(each)) })

describe('a long job', () => {
  it('goes on without the request that began it, and says how far it is', async () => {
    fs.truncateSync(path.join(files.root, 'world.bin'), GIB)
    const job = await begin('world.tar.gz')
    expect(job).toMatchObject({ state: 'running', kind: 'compress', path: 'world.tar.gz', things: 1, endedAtMs: null })
    const seen: number[] = []
    await waitFor(
      'its end',
      async () => {
        const [now] = await jobs(await stranger())
        seen.push(now?.done ?? 0)
        expect(now?.total).toBe(GIB)
        return now?.state === 'done'
      },
      240_000,
    )
    expect(new Set(seen).size).toBeGreaterThan(2)
    expect(seen).toEqual([...seen].sort((one, other) => one - other))
    expect(files.exists('world.tar.gz')).toBe(true)
    expect(files.activities).toContainEqual(
      expect.objectContaining({ type: 'server:file.compress', detail: 'world.tar.gz', userId: USER_ID }),
    )
  }, 300_000)

  it('is cancelled by whoever began it, or who may change files, and leaves nothing', async () => {
    const mine = await begin('mine.tar.gz')
    const refused = await files.call('end-job', { id: mine.id }, { token: await stranger(['file.update']) })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    expect(await stateOf(mine.id)).toBe('running')
    expect((await files.call('end-job', { id: mine.id }, { token: await stranger() })).status).toBe(200)
    await waitFor('its end', async () => (await stateOf(mine.id)) === 'cancelled')
    await waitFor('its parts to go', () => parts().length === 0)
    expect([files.exists('mine.tar.gz'), files.activities]).toEqual([false, []])
    await files.call('end-job', { id: mine.id })
    expect(await jobs()).toEqual([])
    expect(codeOf(await files.call('end-job', { id: mine.id }))).toBe('NOT_FOUND')
  })

  it('waits for the one before it, copies do not, and too many are refused', async () => {
    const first = await begin('first.tar.gz')
    const { perServer } = OVERLOAD.agent.files.jobs
    const names = Array.from({ length: perServer - 1 }, (_, index) => `more-${index}.tar.gz`)
    const others = await Promise.all(names.map((name) => begin(name)))
    expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['waiting']))
    const refused = await files.call('compress', { folder: '', names: ['small.txt'], to: 'x.zip', format: 'zip' })
    expect([refused.status, codeOf(refused)]).toEqual([503, 'BUSY'])
    for (const { id } of others.slice(1)) await files.call('end-job', { id })
    const copy = await files.job('copy', { moves: [{ from: 'small.txt', to: 'copy.txt' }] })
    expect([copy.state, copy.refusals, files.text('copy.txt')]).toEqual(['done', [null], 'small'])
    await files.call('end-job', { id: first.id })
    await waitFor('the second to begin', async () => (await stateOf(others[0]?.id ?? '')) === 'running')
    expect(await stateOf(others[1]?.id ?? '')).toBe('cancelled')
    await waitFor('the parts of the first to go', () => parts().length === 1)
  })

  it('ends with the access of its person', async () => {
    const token = await files.token({ sub: nextId(), sid: nextId() })
    const job = await begin('theirs.tar.gz', token)
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
    files.revocations.add({
      userId: sub,
      serverId: null,
      sessionId: null,
      issuedBeforeMs: files.rig.clock.now() + 1_000,
    })
    files.door.revoked()
    await waitFor('its end', async () => (await stateOf(job.id)) === 'cancelled')
    expect(files.exists('theirs.tar.gz')).toBe(false)
  })

  it('that the end of the node interrupts is named as such, and leaves nothing half-made', async () => {
    const job = await begin('world.tar.gz')
    await files.openDoor()
    const [after, ...more] = await jobs()
    expect(after).toMatchObject({ id: job.id, state: 'interrupted', path: 'world.tar.gz', kind: 'compress' })
    expect(more).toEqual([])
    await files.call('list', { path: '' })
    await waitFor('its parts to go', () => parts().length === 0)
    expect(files.exists('world.tar.gz')).toBe(false)
    await files.call('end-job', { id: job.id })
    await files.openDoor()
    expect(await jobs()).toEqual([])
  })
})
