import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { FileJob } from '#contracts/panel/file-jobs.ts'
import { FolderPage, MAX_LISTED, type ListRequest } from '#contracts/panel/node-files.ts'
import { buildServerSpec } from '../../factories/server-spec.ts'
import { tarOf } from '../../support/archives.ts'
import { FilesAgent, refusalIn, type AgentAnswer } from '../../support/files-agent.ts'
import { waitFor } from '../../support/wait-for.ts'

const LONG = { timeout: 900_000 }
const MIB = 1024 * 1024
const LIMIT_MIB = 256
const TEN = Array.from({ length: 10 }, (_, index) => index)

let agent: FilesAgent
beforeAll(async () => {
  agent = await FilesAgent.open({ limits: { ...buildServerSpec().limits, storageMiB: LIMIT_MIB } })
}, 120_000)
afterAll(() => agent.close())
beforeEach(async () => {
  await agent.clear()
  await agent.forgetGrowth()
})

/** How much the peaks of the agent and of the worker grow meanwhile. */
const growthDuring = async (run: () => Promise<void>): Promise<{ agent: number; worker: number }> => {
  await agent.call('list', { path: '' })
  const pids = { agent: agent.process.pid, worker: agent.worker()?.pid ?? 0 }
  const before = { agent: FilesAgent.peakBytes(pids.agent), worker: FilesAgent.peakBytes(pids.worker) }
  await run()
  return {
    agent: FilesAgent.peakBytes(pids.agent) - before.agent,
    worker: FilesAgent.peakBytes(pids.worker) - before.worker,
  }
}

const left = (): string[] => ['parts', 'ready'].flatMap((name) => fs.readdirSync(path.join(agent.area, name)))

describe('case 106: a file of 50 GB with next to nothing in it', () => {
  const BYTES = 50 * 1024 ** 3
  const END = 'the end'

  it('is listed, read in pieces and searched, and fills neither memory nor disk', LONG, async () => {
    const at = path.join(agent.root, 'huge.bin')
    // It begins as a text, so a search reads on in it.
    fs.writeFileSync(at, 'text\n'.repeat(32 * 1024))
    fs.truncateSync(at, BYTES)
    const file = fs.openSync(at, 'r+')
    fs.writeSync(file, END, BYTES - END.length)
    fs.closeSync(file)
    agent.own()
    const grown = await growthDuring(async () => {
      const { json } = await agent.call('list', { path: '' })
      expect(FolderPage.parse(json).entries).toMatchObject([{ name: 'huge.bin', size: BYTES }])
      const last = await agent.read('huge.bin', { range: `bytes=${BYTES - END.length}-` })
      expect([last.status, last.bytes.toString()]).toEqual([206, END])
      const middle = await agent.read('huge.bin', { range: `bytes=${BYTES / 2}-${BYTES / 2 + MIB - 1}` })
      expect([middle.bytes.length, middle.bytes.every((byte) => byte === 0)]).toEqual([MIB, true])
      // No search gets to its end in time, and it says so.
      expect((await agent.call('search', { path: '', content: END })).json).toEqual({ matches: [], isPartial: true })
      // A reader that takes nothing more holds the rest back.
      const { size } = fs.statSync(at)
      const reading = await agent.open('/servers/01990000-0000-7000-8000-000000000001/files/content?path=huge.bin')
      expect(reading.headers['content-length']).toBe(String(size))
      await new Promise((resolve) => reading.once('readable', resolve))
      await waitFor('the node to wait for its reader', settledReads())
      reading.destroy()
    })
    expect(grown.agent).toBeLessThan(96 * MIB)
    expect(grown.worker).toBeLessThan(96 * MIB)
  })

  it(
    'is neither copied nor archived into a storage that is smaller, and one that shrinks well can be ended',
    LONG,
    async () => {
      const at = path.join(agent.root, 'huge.bin')
      fs.writeFileSync(at, '')
      fs.truncateSync(at, BYTES)
      agent.own()
      const grown = await growthDuring(async () => {
        const copy = await agent.job('copy', { moves: [{ from: 'huge.bin', to: 'copy.bin' }] })
        expect(copy.refusals).toEqual(['NO_SPACE'])
        const archive = { folder: '', names: ['huge.bin'] }
        const tar = await agent.job('compress', { ...archive, to: 'huge.tar', format: 'tar' })
        expect(tar).toMatchObject({ state: 'failed', refusal: 'NO_SPACE' })
        const answer = await agent.call('compress', { ...archive, to: 'huge.zip', format: 'zip' })
        const { id } = FileJob.parse((answer.json as { job: unknown }).job)
        const now = async () => (await agent.jobs()).find((job) => job.id === id)
        await waitFor('bytes of it in the archive', async () => ((await now())?.done ?? 0) > 256 * MIB)
        await agent.call('end-job', { id })
        expect((await waitFor('its end', async () => ((await now())?.endedAtMs ? now() : undefined)))?.state).toBe(
          'cancelled',
        )
      })
      await waitFor('its parts to go', () => left().length === 0)
      expect(fs.readdirSync(agent.root)).toEqual(['huge.bin'])
      expect(fs.statSync(at).blocks).toBe(0)
      expect(grown.agent).toBeLessThan(64 * MIB)
      expect(grown.worker).toBeLessThan(128 * MIB)
    },
  )

  /** Whether the worker has read nothing more since the last look. */
  const settledReads = (): (() => boolean) => {
    let [before, quiet] = [-1, 0]
    return () => {
      const now = Number(/^rchar: (\d+)$/m.exec(fs.readFileSync(`/proc/${agent.worker()?.pid ?? 0}/io`, 'utf8'))?.[1])
      quiet = now === before ? quiet + 1 : 0
      before = now
      return quiet > 20
    }
  }
})

const contentOf = (index: number): Buffer => Buffer.alloc(MIB, `${index} `)
const indexOf = (bytes: Buffer): number => TEN.findIndex((index) => contentOf(index).equals(bytes))
const outcomes = (answers: readonly AgentAnswer[]) => answers.map((answer) => refusalIn(answer) ?? 'done')

describe('case 107: ten at once want the same name', () => {
  const winnerOf = (answers: readonly AgentAnswer[], refusal: string): number => {
    const ends = outcomes(answers)
    expect(ends.toSorted()).toEqual([...TEN.slice(1).map(() => refusal), 'done'].toSorted())
    return ends.indexOf('done')
  }

  it('new files: one gets it, whole, and the others are refused', async () => {
    const answers = await Promise.all(
      TEN.map((index) => agent.write('same.bin', contentOf(index), { 'if-none-match': '*' })),
    )
    const winner = winnerOf(answers, 'ALREADY_EXISTS')
    expect(indexOf(fs.readFileSync(path.join(agent.root, 'same.bin')))).toBe(winner)
    expect([fs.readdirSync(agent.root), left()]).toEqual([['same.bin'], []])
  })

  it('saves of one version: one replaces it, and what was there is in the history', async () => {
    agent.put('same.bin', 'the old one')
    const { headers } = await agent.read('same.bin')
    const answers = await Promise.all(
      TEN.map((index) => agent.write('same.bin', contentOf(index), { 'if-match': String(headers['etag']) })),
    )
    expect(indexOf(fs.readFileSync(path.join(agent.root, 'same.bin')))).toBe(winnerOf(answers, 'CHANGED'))
    const { versions } = (await agent.call('history', { path: 'same.bin' })).json as { versions: { bytes: number }[] }
    expect([versions.map(({ bytes }) => bytes), left()]).toEqual([['the old one'.length], []])
  })

  it('uploads in parts: one gets it, whole, and the others keep their bytes and are refused', async () => {
    const uploads = await Promise.all(TEN.map(() => agent.beginUpload('same.bin', MIB)))
    const answers = await Promise.all(uploads.map((upload, index) => agent.sendPart(upload, 0, contentOf(index))))
    const winner = winnerOf(answers, 'ALREADY_EXISTS')
    expect(indexOf(fs.readFileSync(path.join(agent.root, 'same.bin')))).toBe(winner)
    const kept = uploads.filter((_, index) => index !== winner).map((upload) => agent.uploadedBytes(upload))
    expect([kept, left()]).toEqual([TEN.slice(1).map(() => MIB), []])
  })

  it('parts of one upload: none is mixed with another', async () => {
    const upload = await agent.beginUpload('same.bin', MIB)
    await Promise.allSettled(TEN.map((index) => agent.sendPart(upload, 0, contentOf(index))))
    const offset = await agent.offsetOf(upload)
    if (offset < MIB) await agent.sendPart(upload, offset, contentOf(0).subarray(offset))
    const bytes = fs.readFileSync(path.join(agent.root, 'same.bin'))
    // Each byte is one that somebody sent for its place.
    const isSent = (byte: number, at: number): boolean => TEN.some((index) => contentOf(index)[at] === byte)
    expect([bytes.length, [...bytes.subarray(0, 4_096)].every(isSent), left()]).toEqual([MIB, true, []])
  })

  it('extractions over one file: each writes a whole one, and nothing is left of the others', async () => {
    agent.put('same.bin', 'the old one')
    for (const index of TEN) agent.put(`${index}.tar`, tarOf([{ name: 'same.bin', content: contentOf(index) }]))
    const jobs = await Promise.all(
      TEN.map((index) => agent.job('extract', { path: `${index}.tar`, format: 'tar', to: '', replaces: true })),
    )
    expect(jobs.map(({ state, leftOut }) => [state, leftOut])).toEqual(TEN.map(() => ['done', []]))
    expect(indexOf(fs.readFileSync(path.join(agent.root, 'same.bin')))).toBeGreaterThanOrEqual(0)
    expect([left(), fs.readdirSync(path.join(agent.area, 'bin'))]).toEqual([[], []])
  })

  it('copies and moves: one gets it, and no source is lost', async () => {
    for (const index of TEN) agent.put(`from${index}`, contentOf(index))
    const copies = await Promise.all(
      TEN.map((index) => agent.job('copy', { moves: [{ from: `from${index}`, to: 'copied' }] })),
    )
    const refused = (refusals: readonly unknown[]) => refusals.filter((refusal) => refusal === 'ALREADY_EXISTS').length
    expect(refused(copies.flatMap(({ refusals }) => refusals))).toBe(9)
    const moves = await Promise.all(
      TEN.map((index) => agent.call('move', { moves: [{ from: `from${index}`, to: 'moved' }] })),
    )
    expect(refused(moves.flatMap(({ json }) => (json as { refusals: unknown[] }).refusals))).toBe(9)
    const sums = fs.readdirSync(agent.root).map((name) => indexOf(fs.readFileSync(path.join(agent.root, name))))
    expect(new Set(sums)).toEqual(new Set(TEN))
    expect([sums.length, left()]).toEqual([11, []])
  })
})

describe('case 107: ten at once want more than the storage', () => {
  const usedMiB = (): number =>
    Number(execFileSync('du', ['-smc', agent.root, agent.area]).toString().trim().split('\n').at(-1)?.split('\t')[0])

  it('uploads, copies, archives and extractions together stay within it', LONG, async () => {
    const large = randomBytes(40 * MIB)
    agent.put('large.bin', large)
    agent.put('large.tar', tarOf([{ name: 'out.bin', content: large }]))
    await waitFor('a measurement of both', async () => (await agent.measuredBytes()) >= 80 * MIB)
    const writes = [0, 1, 2, 3].map((index) => agent.write(`w${index}`, large).then(refusalIn))
    const copies = [0, 1, 2].map((index) =>
      agent.job('copy', { moves: [{ from: 'large.bin', to: `c${index}` }] }).then(({ refusals }) => refusals[0]),
    )
    const others = [
      agent.job('extract', { path: 'large.tar', format: 'tar', to: 'x0' }).then(({ refusal }) => refusal),
      agent.job('extract', { path: 'large.tar', format: 'tar', to: 'x1' }).then(({ refusal }) => refusal),
      agent
        .job('compress', { folder: '', names: ['large.bin'], to: 'z.tar', format: 'tar' })
        .then(({ refusal }) => refusal),
    ]
    const ends = (await Promise.all([...writes, ...copies, ...others])).map((end) => end ?? 'done')
    expect(new Set(ends)).toEqual(new Set(['done', 'NO_SPACE']))
    expect(usedMiB()).toBeLessThanOrEqual(LIMIT_MIB)
    expect(left()).toEqual([])
  })

  it(
    'a file of ten names is stored once, copied and archived ten times, and a save leaves its other names',
    LONG,
    async () => {
      agent.put('links/0', randomBytes(30 * MIB))
      for (const index of TEN.slice(1)) {
        fs.linkSync(path.join(agent.root, 'links/0'), path.join(agent.root, `links/${index}`))
      }
      expect((await agent.call('folder-size', { path: 'links' })).json).toMatchObject({ entries: 10 })
      const copy = await agent.job('copy', { moves: [{ from: 'links', to: 'copy' }] })
      const archive = await agent.job('compress', { folder: '', names: ['links'], to: 'links.tar', format: 'tar' })
      expect([copy.refusals, archive.refusal]).toEqual([['NO_SPACE'], 'NO_SPACE'])
      expect([fs.readdirSync(agent.root), left()]).toEqual([['links'], []])
      expect(usedMiB()).toBeLessThan(40)
      const sumOf = (index: number): string =>
        createHash('sha256')
          .update(fs.readFileSync(path.join(agent.root, `links/${index}`)))
          .digest('hex')
      const old = sumOf(1)
      const { headers } = await agent.read('links/0', { range: 'bytes=0-0' })
      expect(refusalIn(await agent.write('links/0', 'new', { 'if-match': String(headers['etag']) }))).toBeUndefined()
      expect(fs.readFileSync(path.join(agent.root, 'links/0'), 'utf8')).toBe('new')
      expect(TEN.slice(1).map(sumOf)).toEqual(TEN.slice(1).map(() => old))
    },
  )
})

// The last one: the next measurement of such a folder is minutes away.
describe('case 103: a folder of very many entries', () => {
  const COUNT = process.env['BAKTER_TEST_SLICE'] ? 200_000 : 1_000_000
  const nameOf = (index: number): string => `f${String(index).padStart(7, '0')}`

  it('is listed page by page, whole and in order, with bounded memory', LONG, async () => {
    const folder = path.join(agent.root, 'many')
    fs.mkdirSync(folder)
    for (let index = 0; index < COUNT; index += 1) fs.closeSync(fs.openSync(path.join(folder, nameOf(index)), 'w'))
    const page = async (request: Partial<ListRequest>): Promise<FolderPage> =>
      FolderPage.parse((await agent.call('list', { path: 'many', ...request })).json)
    const grown = await growthDuring(async () => {
      const first = await page({})
      expect([first.total, first.entries.length]).toEqual([COUNT, MAX_LISTED])
      expect(first.entries.map(({ name }) => name)).toEqual(Array.from({ length: MAX_LISTED }, (_, at) => nameOf(at)))
      const last = await page({ from: COUNT - 10 })
      expect(last.entries.map(({ name }) => name)).toEqual(TEN.map((at) => nameOf(COUNT - 10 + at)))
      for (const order of ['size', 'time'] as const) {
        expect((await page({ order, descending: true })).total).toBe(COUNT)
      }
      const found = await agent.call('search', { path: 'many', name: nameOf(COUNT - 1) })
      expect(JSON.stringify(found.json)).toContain('"isPartial":')
    })
    expect(grown.agent).toBeLessThan(64 * MIB)
    expect(grown.worker).toBeLessThan((COUNT > 200_000 ? 256 : 96) * MIB)
  })
})
