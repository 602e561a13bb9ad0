import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { NewLine } from '../../../../../agents/console/history.ts'
import { JsonLogFile } from '../../../../../agents/runtime/docker/log-file.ts'

let folder: string
let file: string
let count = 0

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-log-'))
  file = path.join(folder, 'x-json.log')
  count = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const entry = (log = `line ${(count += 1)}\n`, stream = 'stdout'): string => {
  const time = `2026-11-21T04:05:06.${String(100_000_000 + count).slice(0, 9)}Z`
  return `${JSON.stringify({ log, stream, time })}\n`
}
const entries = (n: number): string => Array.from({ length: n }, () => entry()).join('')
const rotate = (text: string): void => {
  rmSync(`${file}.1`, { force: true })
  renameSync(file, `${file}.1`)
  writeFileSync(file, text)
}

const reader = (position?: string) => {
  const lines: NewLine[] = []
  const dropped: (number | null)[] = []
  let refuses = false
  const log = new JsonLogFile(
    file,
    { position, isInstaller: false },
    {
      lines: (more) => {
        if (refuses) throw new Error('the disk is full')
        lines.push(...more)
      },
      dropped: (n) => dropped.push(n),
    },
  )
  const pump = (): void => {
    while (log.pump(1 << 20));
  }
  return { log, pump, lines, dropped, refuse: (value: boolean) => (refuses = value) }
}
const numbers = (lines: readonly NewLine[]) => lines.map((line) => Number(line.text.slice(5)))
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, index) => from + index)

describe("the engine's log file", () => {
  it('gives each line once with its stream, time and position, and never half a line', () => {
    writeFileSync(file, entry('one\r\n') + entry('two\tx\0\n', 'stderr') + entry('three\n').slice(0, 20))
    const { pump, lines } = reader()
    pump()
    pump()
    expect(lines.map(({ text, stream, timeMs }) => ({ text, stream, timeMs }))).toEqual([
      { text: 'one', stream: 'o', timeMs: Date.parse('2026-11-21T04:05:06.100Z') },
      { text: 'two    x', stream: 'e', timeMs: Date.parse('2026-11-21T04:05:06.100Z') },
    ])
  })

  it('goes on after the last line that the history holds, at every one of them', () => {
    writeFileSync(file, entries(20))
    const first = reader()
    first.pump()
    for (const [index, line] of first.lines.entries()) {
      const next = reader(line.at)
      next.pump()
      expect(numbers(next.lines)).toEqual(upTo(20, index + 2))
    }
  })

  it('goes on after a line of a file that was empty when it was opened', () => {
    writeFileSync(file, '')
    const first = reader()
    first.pump()
    appendFileSync(file, entries(3))
    first.pump()
    const next = reader(first.lines[1]?.at)
    next.pump()
    expect([numbers(next.lines), next.dropped]).toEqual([[3], []])
  })

  it('reads a file that is rotated away to its end, and goes on in the next', () => {
    writeFileSync(file, entries(5))
    const { pump, lines, dropped } = reader()
    pump()
    appendFileSync(file, entries(5))
    rotate(entries(5))
    pump()
    appendFileSync(file, entries(5))
    rotate(entries(5))
    pump()
    expect(numbers(lines)).toEqual(upTo(25))
    expect(dropped).toEqual([])
  })

  it('finds its position in the older file after a restart', () => {
    writeFileSync(file, entries(6))
    const first = reader()
    first.pump()
    rotate(entries(6))
    const next = reader(first.lines[2]?.at)
    next.pump()
    expect(numbers(next.lines)).toEqual(upTo(12, 4))
  })

  it('says that lines are lost when the position is in no file any more', () => {
    writeFileSync(file, entries(3))
    const first = reader()
    first.pump()
    rotate(entries(3))
    rotate(entries(3))
    const next = reader(first.lines.at(-1)?.at)
    next.pump()
    expect(next.dropped).toEqual([null])
    expect(numbers(next.lines)).toEqual(upTo(9, 4))
  })

  it('brings the same lines again when they could not be kept', () => {
    writeFileSync(file, entries(4))
    const { pump, lines, refuse } = reader()
    refuse(true)
    expect(pump).toThrow('the disk is full')
    refuse(false)
    pump()
    expect(numbers(lines)).toEqual(upTo(4))
  })

  it('marks both sides of a place at which the engine has cut a line, in each stream, also when the lines are read again', () => {
    const piece = 'x'.repeat(16 * 1024)
    writeFileSync(file, entry(piece))
    const { pump, lines, refuse } = reader()
    refuse(true)
    expect(pump).toThrow('the disk is full')
    refuse(false)
    pump()
    appendFileSync(file, entry('other\n', 'stderr') + entry('end\n') + entry('without a line end'))
    pump()
    expect(lines.map(({ text }) => text)).toEqual([`${piece}⋯`, 'other', '⋯end', 'without a line end'])
  })

  it('marks the second side also when the first one was read before a restart, or given up', () => {
    const piece = 'x'.repeat(16 * 1024)
    writeFileSync(file, entry('before\n') + entry(piece) + entry('other\n', 'stderr'))
    const before = reader()
    before.pump()
    appendFileSync(file, entry('end\n') + entry('after\n'))
    const at = before.lines.at(-1)?.at
    expect(reader(at).lines).toEqual([])
    const restarted = reader(at)
    restarted.pump()
    expect(restarted.lines.map(({ text }) => text)).toEqual(['⋯end', 'after'])
    // The piece before is in no file any more: each stream may go on.
    const lost = reader('gone.12')
    lost.pump()
    expect([lost.dropped, lost.lines[0]?.text]).toEqual([[null], '⋯before'])
    const behind = reader()
    behind.refuse(true)
    for (const text of [entry(piece), entry('of the piece\n'), entry('last\n'), entry('x\n'), entry('y\n')]) {
      rotate(text)
      expect(behind.pump).toThrow('the disk is full')
    }
    behind.refuse(false)
    behind.pump()
    expect(behind.lines.map(({ text }) => text)).toEqual(['⋯of the piece', 'last', 'x', 'y'])
  })
})
