import { expect, it } from 'vitest'
import { OVERLOAD } from '#contracts/overload.ts'
import type { JobKind } from '#contracts/panel/file-jobs.ts'
import { FileJobs } from '../../../../agents/files/file-jobs.ts'
import type { Disk } from '../../../../agents/platform/disk.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { pulls, jobs: limits } = OVERLOAD.agent.files

/** Jobs that never end by themselves, with a disk that holds nothing. */
const openJobs = () => {
  let id = 0
  const jobs = new FileJobs<{ sub: string }>({
    clock: { now: () => 0 },
    ids: { next: () => `job-${(id += 1)}` },
    disk: { read: () => undefined, writeAtomically: () => {} } as unknown as Disk,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const owner = (server: string, sub: string) => ({ serverId: server, recordFile: server, claims: { sub } })
  const start = (...[kind, server, sub, otherId]: [JobKind, string, string, string?]): void => {
    const other = otherId === undefined ? {} : { other: { serverId: otherId, claims: { sub } } }
    const run = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
    void jobs.start({ ...owner(server, sub), ...other }, { kind, path: 'inner/world', things: 1 }, run)
  }
  const states = (server: string) => jobs.list(owner(server, 'anybody')).map(({ kind, state }) => `${kind} ${state}`)
  const close = () => jobs.close()
  return { jobs, owner, start, states, close }
}

it('pulls of one person have few places on a node, and those of all have more', () => {
  const { start, states, close } = openJobs()
  for (const index of Array.from({ length: pulls.perUser + 1 }).keys()) start('pull', `own-${index}`, 'anna')
  expect(states(`own-${pulls.perUser - 1}`)).toEqual(['pull running'])
  expect(states(`own-${pulls.perUser}`)).toEqual(['pull waiting'])
  for (const index of Array.from({ length: pulls.all }).keys()) start('pull', `other-${index}`, `person-${index}`)
  expect(states(`other-${pulls.all - pulls.perUser - 1}`)).toEqual(['pull running'])
  expect(states(`other-${pulls.all - pulls.perUser}`)).toEqual(['pull waiting'])
  close()
})

it('pulls take no place of other work, and leave it none of theirs', () => {
  const { start, states, close } = openJobs()
  for (const index of Array.from({ length: pulls.all }).keys()) start('pull', `server-${index}`, `person-${index}`)
  for (const index of Array.from({ length: limits.all + 1 }).keys()) start('compress', `server-${index}`, 'anna')
  expect(states(`server-${limits.all - 1}`)).toContain('compress running')
  expect(states(`server-${limits.all}`)).toEqual(['compress waiting'])
  close()
})

it('deletions wait neither for other work nor for those of other servers, and one of a server at a time', () => {
  const { start, states, close } = openJobs()
  for (const index of Array.from({ length: limits.all }).keys()) start('compress', `server-${index}`, 'anna')
  start('delete', 'busy', 'anna')
  start('empty-bin', 'busy', 'berta')
  start('delete', 'other', 'anna')
  expect(states('busy').sort()).toEqual(['delete running', 'empty-bin waiting'])
  expect(states('other')).toEqual(['delete running'])
  close()
})

it('a transfer has the place of a copy on both of its servers, and only there', () => {
  const { start, states, close } = openJobs()
  start('transfer', 'here', 'anna', 'there')
  start('copy', 'here', 'anna')
  start('copy', 'there', 'berta')
  start('transfer', 'third', 'carl', 'there')
  start('compress', 'there', 'berta')
  start('copy', 'fourth', 'dora')
  expect(states('here').sort()).toEqual(['copy waiting', 'transfer running'])
  expect(states('there').sort()).toEqual(['compress running', 'copy waiting', 'transfer running', 'transfer waiting'])
  expect(states('third')).toEqual(['transfer waiting'])
  expect(states('fourth')).toEqual(['copy running'])
  close()
})

it('a transfer is in the list of the server that receives, by its name alone, until each side has closed it', async () => {
  const { jobs, owner, start, states, close } = openJobs()
  start('transfer', 'here', 'anna', 'there')
  const [there] = jobs.list(owner('there', 'berta'))
  expect(there).toMatchObject({ arrives: true, path: 'world', state: 'running' })
  expect(jobs.list(owner('here', 'anna'))).toMatchObject([{ arrives: false, path: 'inner/world' }])
  const end = (server: string, sub: string, mayAll = false) =>
    jobs.end(owner(server, sub), { id: there?.id ?? '', mayAll })
  expect(() => end('third', 'anna', true)).toThrow('NOT_FOUND')
  expect(() => end('there', 'berta')).toThrow('FORBIDDEN')
  end('there', 'berta', true)
  await waitFor('the end', () => states('here')[0] === 'transfer cancelled')
  expect(states('there')).toEqual(['transfer cancelled'])
  end('there', 'anna')
  expect([states('there'), states('here')]).toEqual([[], ['transfer cancelled']])
  end('here', 'anna')
  expect([states('there'), states('here')]).toEqual([[], []])
  expect(() => end('here', 'anna')).toThrow('NOT_FOUND')
  close()
})

it('nothing begins any more once it is closed', async () => {
  const { start, states, close } = openJobs()
  start('copy', 'here', 'anna')
  start('copy', 'here', 'anna')
  expect(states('here').sort()).toEqual(['copy running', 'copy waiting'])
  close()
  await waitFor('the end', () => states('here').includes('copy cancelled'))
  expect(states('here').sort()).toEqual(['copy cancelled', 'copy waiting'])
})

it('one who waits for the end of a job is answered then, or when it will never begin', async () => {
  const { jobs, owner, start, close } = openJobs()
  const finish: (() => void)[] = []
  const waiting = (server: string) =>
    jobs.start({ ...owner(server, 'anna'), waits: true }, { kind: 'delete', path: 'a', things: 1 }, async () => {
      await new Promise<void>((resolve) => finish.push(resolve))
      return { refusals: [null], leftOut: [], leftOutCount: 0 }
    })
  const answered = waiting('here')
  // A job of somebody who does not wait is answered earlier, and this one is still not over.
  await jobs.start(owner('there', 'anna'), { kind: 'delete', path: 'a', things: 1 }, () => new Promise(() => {}))
  expect(jobs.list(owner('here', 'anna'))).toMatchObject([{ state: 'running' }])
  finish[0]?.()
  expect(await answered).toMatchObject({ state: 'done', refusals: [null] })
  start('delete', 'busy', 'anna')
  const never = waiting('busy')
  close()
  expect(await never).toMatchObject({ state: 'waiting' })
})

it('the server that receives reads no report about the one that sends', async () => {
  const { jobs, owner } = openJobs()
  const result = {
    refusals: ['SOURCE_KEPT', 'NO_SPACE'] as const,
    leftOut: [{ name: 'secret', why: 'link' as const }],
    leftOutCount: 1,
  }
  const other = { serverId: 'there', claims: { sub: 'anna' } }
  const about = { kind: 'transfer', path: 'world', things: 2 } as const
  await jobs.start({ ...owner('here', 'anna'), other }, about, () =>
    Promise.resolve({ ...result, refusals: [...result.refusals] }),
  )
  expect(jobs.list(owner('here', 'anna'))).toMatchObject([{ ...result, refusals: ['SOURCE_KEPT', 'NO_SPACE'] }])
  const refusals = [null, 'NO_SPACE']
  expect(jobs.list(owner('there', 'anna'))).toMatchObject([{ refusals, leftOut: [], leftOutCount: 0, state: 'done' }])
})
