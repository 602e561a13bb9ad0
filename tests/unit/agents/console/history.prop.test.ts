import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ConsoleLine } from '../../../../agents/console/console-line.ts'
import { Fanout, type Batch } from '../../../../agents/console/fanout.ts'
import { HistoryReader } from '../../../../agents/console/history-reader.ts'
import { HistoryWriter } from '../../../../agents/console/history.ts'

type Step =
  | { readonly do: 'print'; readonly lengths: readonly number[] }
  | { readonly do: 'refresh' | 'new reader' | 'new writer' | 'tear' }
  | { readonly do: 'resume'; readonly share: number; readonly page: number }
  | { readonly do: 'older'; readonly share: number; readonly page: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('print' as const),
        lengths: fc.array(fc.nat(300), { minLength: 1, maxLength: 40 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('refresh' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('new reader' as const, 'new writer' as const, 'tear' as const) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('resume' as const, 'older' as const),
        share: fc.double({ min: 0, max: 1.2, noNaN: true }),
        page: fc.integer({ min: 1, max: 50 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 60 },
)

const textOf = (seq: number, length: number): string => `${seq}:${'ő'.repeat(length)}`

/** The model is the list of everything ever printed; line n has number n. */
class World {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'bakter-history-prop-'))
  readonly limits = { segmentBytes: 3_000, keepSegments: 4 }
  readonly printed: string[] = []
  writer = new HistoryWriter(this.folder, this.limits)
  reader = new HistoryReader(this.folder, 1_000)

  print(lengths: readonly number[]): void {
    const texts = lengths.map((length, index) => textOf(this.printed.length + index + 1, length))
    this.writer.append(texts.map((text) => ({ timeMs: 1_000, stream: 'o', text })))
    this.printed.push(...texts)
  }

  restartWriter(tear: boolean): void {
    this.writer.close()
    const newest = readdirSync(this.folder).sort().at(-1) ?? ''
    if (tear) appendFileSync(path.join(this.folder, newest), `${this.printed.length + 1}\t1000\to\tnever who`)
    this.writer = new HistoryWriter(this.folder, this.limits)
  }

  check(lines: readonly ConsoleLine[]): void {
    for (const { seq, text } of lines) expect(text).toBe(this.printed[seq - 1])
  }

  close(): void {
    this.writer.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const resume = (world: World, afterSeq: number, page: number): void => {
  const { reader } = world
  let at = afterSeq
  let dropped = 0
  const seen: number[] = []
  while (at < reader.lastSeq) {
    const got = reader.after(at, page)
    world.check(got.lines)
    dropped += got.dropped
    seen.push(...got.lines.map((line) => line.seq))
    at = got.lines.at(-1)?.seq ?? at + got.dropped
    expect(got.lines.length + got.dropped).toBeGreaterThan(0)
  }
  const expected = Math.max(0, reader.lastSeq - afterSeq)
  expect(seen.length + dropped).toBe(expected)
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => reader.lastSeq - seen.length + 1 + index))
}

const older = (world: World, before: number, page: number): void => {
  const { reader } = world
  const seen: number[] = []
  let lost = 0
  for (let at = before, isStart = false; !isStart;) {
    const got = reader.before(at, { maxLines: page, maxBytes: 2_000 })
    world.check(got.lines)
    seen.unshift(...got.lines.map((line) => line.seq))
    at = got.lines[0]?.seq ?? at
    isStart = got.isStart
    lost = got.lost
    if (!isStart) expect(got.lines.length).toBeGreaterThan(0)
  }
  const last = Math.min(before - 1, reader.lastSeq)
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => last - seen.length + 1 + index))
  expect(seen.length + lost).toBe(last)
}

const carryOut = (world: World, step: Step): void => {
  if (step.do === 'print') world.print(step.lengths)
  if (step.do === 'refresh') world.reader.refresh()
  if (step.do === 'new writer' || step.do === 'tear') world.restartWriter(step.do === 'tear')
  if (step.do === 'new reader') world.reader = new HistoryReader(world.folder, 1_000)
  if (step.do === 'resume') resume(world, Math.floor(step.share * world.printed.length), step.page)
  if (step.do === 'older') older(world, Math.floor(step.share * world.printed.length) + 1, step.page)
}

describe('console history against its model', () => {
  it('shows no line twice and misses none without counting it, whatever is restarted [P3, P4, P5, P13]', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const world = new World()
        try {
          for (const step of plan) carryOut(world, step)
          world.reader.refresh()
          expect(world.reader.lastSeq).toBe(world.printed.length)
          resume(world, 0, 50)
          older(world, world.printed.length + 1, 50)
        } finally {
          world.close()
        }
      }),
      { numRuns: 150 },
    )
  })

  it('gives viewers of any speed every line once, or its count, when they come and go [P4, P5, P6]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ print: fc.nat(60), drain: fc.boolean(), leave: fc.boolean() }), {
          minLength: 3,
          maxLength: 40,
        }),
        async (turns) => {
          const world = new World()
          const fanout = new Fanout(world.reader, { batchLines: 10, maxBufferedBytes: 500 })
          let position = 0
          let accounted = 0
          let buffered = 0
          let waiting: (() => void)[] = []
          const viewer = {
            isOpen: () => true,
            bufferedBytes: () => buffered,
            deliver: ({ lines }: Batch, sent: () => void) => {
              world.check(lines)
              expect(lines[0]?.seq).toBe(position + 1)
              position = lines.at(-1)?.seq ?? position
              accounted += lines.length
              buffered += 200
              waiting.push(sent)
            },
            dropped: (count: number) => {
              position += count
              accounted += count
            },
          }
          const drain = (): void => {
            const done = waiting
            waiting = []
            buffered = 0
            for (const sent of done) sent()
          }
          let remove = fanout.add(viewer, 0)
          const turn = () => new Promise((resolve) => setImmediate(resolve))
          try {
            for (const { print, drain: reads, leave } of turns) {
              if (print > 0) world.print(Array.from({ length: print }, () => 20))
              world.reader.refresh()
              fanout.changed()
              await turn()
              if (reads) drain()
              if (!leave) continue
              remove()
              waiting = []
              buffered = 0
              remove = fanout.add(viewer, position)
            }
            for (let round = 0; position < world.printed.length && round < 2_000; round += 1) {
              drain()
              fanout.changed()
              await turn()
            }
            expect(position).toBe(world.printed.length)
            expect(accounted).toBe(world.printed.length)
          } finally {
            world.close()
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
