import fs, { mkdtempSync, rmSync, statSync, writeFileSync, type PathLike } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { realDisk } from '../../../../agents/platform/disk.ts'

let folder: string
const file = (): string => path.join(folder, 'record.json')
const blocks = (): number =>
  fs.readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).blocks, 0)
const parsed = (): unknown => JSON.parse(realDisk.read(file()) ?? '')

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-disk-'))
  realDisk.writeAtomically(file(), '{"at":0}')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('a reserve', () => {
  it('takes the text again and again without one block more or less', () => {
    realDisk.reserve(file(), 5_000)
    const taken = blocks()
    for (let at = 1; at <= 10; at += 1) {
      realDisk.writeInReserve(file(), `{"at":${at},"text":"${'x'.repeat(at * 10)}"}`)
      expect(parsed()).toMatchObject({ at })
      expect(blocks()).toBe(taken)
    }
  })

  it('grows, and is never given away to grow', () => {
    realDisk.reserve(file(), 4_096)
    const full = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    expect(() => realDisk.reserve(file(), 9_000)).toThrow('ENOSPC')
    full.mockRestore()
    realDisk.writeInReserve(file(), `{"text":"${'x'.repeat(4_000)}"}`)
    expect(parsed()).toEqual({ text: 'x'.repeat(4_000) })
  })

  it('is nothing that a file without one could use', () => {
    expect(() => realDisk.writeInReserve(file(), '{"at":1}')).toThrow('ENOENT')
    expect(parsed()).toEqual({ at: 0 })
  })

  it.each(['linkSync', 'renameSync'] as const)(
    'leaves the old text or the new one where a crash comes at %s',
    (step) => {
      realDisk.reserve(file(), 4_096)
      const original = fs[step] as (from: PathLike, to: PathLike) => void
      for (let crashAt = 1; crashAt <= 2; crashAt += 1) {
        for (const isDone of [false, true]) {
          const before = realDisk.read(file())?.trim()
          const text = `{"crashAt":${crashAt},"isDone":${String(isDone)},"step":"${step}"}`
          let calls = 0
          const crash = vi.spyOn(fs, step).mockImplementation((from: PathLike, to: PathLike) => {
            calls += 1
            if (calls !== crashAt || isDone) original(from, to)
            if (calls === crashAt) throw new Error('crash')
          })
          try {
            realDisk.writeInReserve(file(), text)
          } catch {
            // The process is gone here.
          }
          crash.mockRestore()
          expect([before, text]).toContain(realDisk.read(file())?.trim())
          realDisk.reserve(file(), 4_096)
          realDisk.writeInReserve(file(), '{"at":"the end"}')
          expect(parsed()).toEqual({ at: 'the end' })
          expect(fs.readdirSync(folder).sort()).toEqual(['record.json', 'record.json.reserve'])
        }
      }
    },
  )

  it('is not what stands in the file: a torn one changes nothing', () => {
    realDisk.reserve(file(), 4_096)
    writeFileSync(`${file()}.reserve`, '{"half":')
    expect(parsed()).toEqual({ at: 0 })
  })
})

describe('a file that is written whole', () => {
  it.each(['writeFileSync', 'renameSync', 'fsyncSync'] as const)(
    'stays as it was where %s fails, and nothing else is left beside it',
    (step) => {
      const broken = vi.spyOn(fs, step).mockImplementation(() => {
        throw new Error('ENOSPC')
      })
      let hasFailed = false
      try {
        realDisk.writeAtomically(file(), '{"at":1}')
      } catch {
        hasFailed = true
      }
      const wasCalled = broken.mock.calls.length > 0
      broken.mockRestore()
      expect(hasFailed).toBe(wasCalled)
      expect(fs.readdirSync(folder)).toEqual(['record.json'])
      expect(parsed()).toEqual({ at: wasCalled ? 0 : 1 })
    },
  )
})
