import { appendFileSync, mkdtempSync, readdirSync, rmSync, truncateSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HistoryReader } from '../../../../agents/console/history-reader.ts'
import { HistoryWriter } from '../../../../agents/console/history.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LIMITS = { segmentBytes: 200, keepSegments: 3 }
const write = (writer: HistoryWriter, ...texts: string[]) =>
  writer.append(texts.map((text) => ({ timeMs: 1_000, stream: 'o', text })))
const seqsOf = (reader: HistoryReader) => reader.after(0, 10_000).lines.map((line) => line.seq)
const newest = () => path.join(folder, readdirSync(folder).sort().at(-1) ?? '')

describe('console history', () => {
  it('numbers lines from 1 and goes on after it was opened again [P3]', () => {
    const first = new HistoryWriter(folder)
    write(first, 'a', 'b')
    first.close()
    const second = new HistoryWriter(folder)
    expect(write(second, 'c').map((line) => line.seq)).toEqual([3])
    second.close()
    expect(new HistoryReader(folder).after(1, 10).lines.map((line) => line.text)).toEqual(['b', 'c'])
  })

  it('cuts off a torn last record and gives its number out again', () => {
    const first = new HistoryWriter(folder)
    write(first, 'whole', 'torn')
    first.close()
    truncateSync(newest(), statSync(newest()).size - 3)
    const reader = new HistoryReader(folder)
    expect(reader.lastSeq).toBe(1)
    const second = new HistoryWriter(folder)
    write(second, 'after')
    second.close()
    reader.refresh()
    expect(reader.after(0, 10).lines.map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'whole'],
      [2, 'after'],
    ])
  })

  it('never shows a record without its end, and shows it once when it is whole', () => {
    const writer = new HistoryWriter(folder)
    write(writer, 'a')
    const reader = new HistoryReader(folder)
    appendFileSync(newest(), '2\t1000\to\thal')
    expect(reader.refresh()).toBe(false)
    appendFileSync(newest(), 'f\n')
    expect(reader.refresh()).toBe(true)
    expect(reader.after(0, 10).lines.map((line) => line.text)).toEqual(['a', 'half'])
    writer.close()
  })

  it('shows a number once, even when the file holds it twice [P5]', () => {
    const writer = new HistoryWriter(folder)
    write(writer, 'a', 'b')
    const reader = new HistoryReader(folder)
    appendFileSync(newest(), '2\t1000\to\tb\n3\t1000\to\tc\n')
    writer.close()
    reader.refresh()
    expect(seqsOf(reader)).toEqual([1, 2, 3])
  })

  it('tells exactly how many lines were rotated away [P4]', () => {
    const writer = new HistoryWriter(folder, LIMITS)
    for (let line = 1; line <= 200; line += 1) write(writer, `line ${line}`)
    writer.close()
    const reader = new HistoryReader(folder, 100)
    const { dropped, lines } = reader.after(10, 10_000)
    expect(lines[0]?.seq).toBe(10 + dropped + 1)
    expect(dropped).toBeGreaterThan(0)
    expect(readdirSync(folder)).toHaveLength(LIMITS.keepSegments)
  })

  it('gives the same lines from memory and from disk, page by page, without a gap [P5]', () => {
    const writer = new HistoryWriter(folder, { segmentBytes: 500, keepSegments: 100 })
    const reader = new HistoryReader(folder, 300)
    for (let line = 1; line <= 300; line += 1) {
      write(writer, `line ${line}`)
      if (line % 7 === 0) reader.refresh()
    }
    writer.close()
    reader.refresh()
    const seen: number[] = []
    for (let at = 0; at < reader.lastSeq;) {
      const { lines, dropped } = reader.after(at, 11)
      expect(dropped).toBe(0)
      seen.push(...lines.map((line) => line.seq))
      at = lines.at(-1)?.seq ?? reader.lastSeq
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  })

  it('reads around a damaged row and counts it as lost', () => {
    const writer = new HistoryWriter(folder)
    write(writer, 'a')
    appendFileSync(newest(), 'damage\n3\t1000\te\tc\n')
    writer.close()
    const reader = new HistoryReader(folder)
    expect(seqsOf(reader)).toEqual([1, 3])
    expect(reader.after(1, 10)).toMatchObject({ dropped: 1, lines: [{ seq: 3, stream: 'e' }] })
  })
})
