import { describe, expect, it } from 'vitest'

import type { ConsoleLine } from '../../../../agents/console/console-line.ts'
import { Fanout, type Batch, type Viewer } from '../../../../agents/console/fanout.ts'
import type { ConsoleSource } from '../../../../agents/console/history-reader.ts'

class Source implements ConsoleSource {
  lastSeq = 0
  firstSeq = 1
  add(count: number): void {
    this.lastSeq += count
  }
  after(seq: number, max: number) {
    const from = Math.max(seq + 1, this.firstSeq)
    const count = Math.max(0, Math.min(max, this.lastSeq - from + 1))
    const lines: ConsoleLine[] = Array.from({ length: count }, (_, index) => ({
      seq: from + index,
      timeMs: 0,
      stream: 'o',
      text: '',
    }))
    return { dropped: count === 0 ? 0 : from - seq - 1, lines }
  }
}

class Reader implements Viewer {
  readonly seqs: number[] = []
  droppedLines = 0
  open = true
  buffered = 0
  #sent: (() => void)[] = []
  readonly bytesPerBatch: number
  constructor(bytesPerBatch = 0) {
    this.bytesPerBatch = bytesPerBatch
  }
  isOpen = () => this.open
  bufferedBytes = () => this.buffered
  deliver({ lines }: Batch, sent: () => void): void {
    this.seqs.push(...lines.map((line) => line.seq))
    this.buffered += this.bytesPerBatch
    this.#sent.push(sent)
  }
  dropped(count: number): void {
    this.droppedLines += count
  }
  drain(): void {
    this.buffered = 0
    for (const sent of this.#sent.splice(0)) sent()
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('console fan-out', () => {
  it('gives a slow reader every line later and does not hold up the fast one [P6]', async () => {
    const source = new Source()
    const fanout = new Fanout(source, { batchLines: 10, maxBufferedBytes: 1_000 })
    const slow = new Reader(1_000)
    const fast = new Reader()
    fanout.add(slow, 0)
    fanout.add(fast, 0)
    source.add(100)
    fanout.changed()
    await turn()
    expect(fast.seqs).toEqual(upTo(100))
    expect(slow.seqs).toEqual(upTo(10))
    for (let round = 0; round < 20; round += 1) slow.drain()
    expect(slow.seqs).toEqual(upTo(100))
  })

  it('goes on after the position of the reader and tells what is gone [P4]', async () => {
    const source = new Source()
    source.add(50)
    source.firstSeq = 21
    const reader = new Reader()
    new Fanout(source).add(reader, 5)
    expect(reader.droppedLines).toBe(15)
    expect(reader.seqs).toEqual(upTo(50).slice(20))
  })

  it('starts at the newest line for a position that does not exist yet', async () => {
    const source = new Source()
    source.add(5)
    const fanout = new Fanout(source)
    const reader = new Reader()
    fanout.add(reader, 900)
    source.add(1)
    fanout.changed()
    await turn()
    expect(reader.seqs).toEqual([6])
  })

  it('makes the text of a batch once for all readers at the same place', async () => {
    const source = new Source()
    const fanout = new Fanout(source)
    let made = 0
    const encode = () => {
      made += 1
      return Buffer.from('text')
    }
    const readers = Array.from({ length: 30 }, () => ({
      isOpen: () => true,
      bufferedBytes: () => 0,
      deliver: (batch: Batch) => void batch.text(encode),
      dropped: () => {},
    }))
    for (const reader of readers) fanout.add(reader, 0)
    source.add(5)
    fanout.changed()
    await turn()
    source.add(5)
    fanout.changed()
    await turn()
    expect(made).toBe(2)
  })

  it('forgets readers that closed or were taken out', async () => {
    const source = new Source()
    const fanout = new Fanout(source)
    const closed = new Reader()
    const remove = fanout.add(new Reader(), 0)
    fanout.add(closed, 0)
    closed.open = false
    remove()
    source.add(1)
    fanout.changed()
    await turn()
    expect(fanout.viewers).toBe(0)
  })
})
