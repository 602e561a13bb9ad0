import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { MAX_ARCHIVE_ENTRIES, type ReadFormat } from '#contracts/panel/archive-formats.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { sevenZipOfEmpty, tarOf, zipOf, WRAPPINGS } from '../../support/archives.ts'
import { FilesRig } from '../../support/files-rig.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A hundred thousand entries take a while on a busy machine. */
const MANY = { timeout: 600_000 }
const LINK = 0o120777

let files: FilesRig
beforeAll(async () => {
  files = await FilesRig.open()
})
afterAll(() => files.close())
afterEach(() => files.clear())

const extract = (name: string, format: ReadFormat): Promise<FileJob> =>
  files.job('extract', { path: name, format, to: 'out' })
const left = (): string[] => ['parts', 'ready'].flatMap((name) => fs.readdirSync(path.join(files.area, name)))
const nothingIsLeft = async (): Promise<void> => {
  await waitFor('its parts to go', () => left().length === 0)
  expect(files.exists('out')).toBe(false)
}

describe('case 100: an archive of too many entries', () => {
  /** Links, because they count and are not made: making so many files takes minutes on some disks. */
  const zipOfLinks = (count: number): Buffer =>
    zipOf(Array.from({ length: count }, (_, index) => ({ name: `l${index}`, content: 'x', mode: LINK })))
  /** Their names do not shrink well, so that no format is refused for its density. */
  const tarOfLinks = (count: number): Buffer =>
    tarOf(Array.from({ length: count }, () => ({ name: randomBytes(32).toString('hex'), type: '2', link: 'x' })))

  it('is refused as zip with one entry above the bound, and taken with as many as it', MANY, async () => {
    files.put('many.zip', zipOfLinks(MAX_ARCHIVE_ENTRIES + 1))
    expect(await extract('many.zip', 'zip')).toMatchObject({ state: 'failed', refusal: 'ARCHIVE_TOO_MANY' })
    await nothingIsLeft()
    files.put('most.zip', zipOfLinks(MAX_ARCHIVE_ENTRIES))
    expect(await extract('most.zip', 'zip')).toMatchObject({ state: 'done', leftOutCount: MAX_ARCHIVE_ENTRIES })
  })

  it.each(sliceOf(Object.entries(WRAPPINGS), 3))('is refused as %s', MANY, async (format, wrap) => {
    files.put(`many.${format}`, wrap(tarOfLinks(MAX_ARCHIVE_ENTRIES + 1)))
    const job = await extract(`many.${format}`, format as ReadFormat)
    expect(job).toMatchObject({ state: 'failed', refusal: 'ARCHIVE_TOO_MANY' })
    await nothingIsLeft()
  })

  it('is refused as 7z before anything is unpacked', MANY, async () => {
    files.put('many.7z', await sevenZipOfEmpty(MAX_ARCHIVE_ENTRIES + 1))
    expect(await extract('many.7z', '7z')).toMatchObject({ state: 'failed', refusal: 'ARCHIVE_TOO_MANY' })
    await nothingIsLeft()
  })
})

describe('case 100: an archive within an archive', () => {
  const bomb = zipOf([{ name: 'zeros', content: Buffer.alloc(60 * 1024 * 1024) }])

  it('stays as it is, so that bombs within bombs grow no further than the first', async () => {
    const inner = zipOf(Array.from({ length: 5 }, (_, index) => ({ name: `${index}.zip`, content: bomb })))
    files.put('outer.zip', zipOf([{ name: 'inner.zip', content: inner }]))
    expect(await extract('outer.zip', 'zip')).toMatchObject({ state: 'done', leftOut: [] })
    expect(files.tree()).toEqual(['out', 'out/inner.zip', 'outer.zip'])
    expect(fs.readFileSync(path.join(files.root, 'out/inner.zip')).equals(inner)).toBe(true)
  })

  it('is judged by itself once somebody extracts it', async () => {
    files.put('inner.zip', bomb)
    expect(await extract('inner.zip', 'zip')).toMatchObject({ state: 'failed', refusal: 'ARCHIVE_TOO_DENSE' })
    await nothingIsLeft()
    files.put('bomb.tar.gz', gzipSync(tarOf([{ name: 'bomb.zip', content: bomb }])))
    expect(await extract('bomb.tar.gz', 'tar.gz')).toMatchObject({ state: 'done' })
    expect(fs.readFileSync(path.join(files.root, 'out/bomb.zip')).equals(bomb)).toBe(true)
  })
})

describe('case 100: an archive that takes too long', () => {
  it('is ended with nothing left, and the next one has its place', MANY, async () => {
    const many = Array.from({ length: 90_000 }, (_, index) => ({ name: `d${index % 100}/f${index}`, content: 'x' }))
    files.put('slow.tar', tarOf(many))
    files.put('quick.tar', tarOf([{ name: 'a', content: randomBytes(10) }]))
    files.lastMs = 1_500
    await files.openDoor()
    try {
      const [slow] = await Promise.all([extract('slow.tar', 'tar'), extractQuick()])
      expect(slow.state).toBe('cancelled')
      await nothingIsLeft()
    } finally {
      files.lastMs = 3_600_000
      await files.openDoor()
    }
    expect(files.tree()).toEqual(['quick', 'quick.tar', 'quick/a', 'slow.tar'])
  })

  /** It waits for the slow one: one archive of a server at a time. On a busy machine it takes too long itself, and is tried again. */
  const extractQuick = async (): Promise<void> => {
    await waitFor('the slow one to begin', async () => {
      const { jobs } = (await files.call('jobs', {})).json as { jobs: FileJob[] }
      return jobs.some(({ path: at, state }) => at === 'slow.tar' && state !== 'waiting')
    })
    await waitFor('the quick one', async () => {
      const { state } = await files.job('extract', { path: 'quick.tar', format: 'tar', to: 'quick' })
      return state === 'done'
    })
  }
})
