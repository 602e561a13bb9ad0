import fs, { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { eventsToDrop, type Waiting } from '../../../../agents/connection/outbox-bound.ts'
import { Outbox } from '../../../../agents/connection/outbox.ts'
import { realDisk, type Disk } from '../../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import { AgentEvent } from '../../../../src/contracts/agent/session.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-outbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const FLOODER = nextId()
const open = () => new Outbox(folder, { disk: realDisk, clock: new ManualClock(), log: silentLog })
const accepted = () => ({ kind: 'command.accepted' as const, commandId: nextId(), serverId: SERVER_ID })
const seqs = (outbox: Outbox) => outbox.after(0).map((event) => event.seq)

describe('outbox', () => {
  it('stores no text that a database refuses, and none over its limit [A17]', () => {
    const outbox = open()
    const activity = (detail: string) => ({
      kind: 'activity' as const,
      serverId: SERVER_ID,
      userId: null,
      type: 'server:console.command',
      detail,
    })
    const told = ['say \uD800 x', 'a\0b', `${'x'.repeat(499)}😀`, 'y'.repeat(9_000)].map((detail) =>
      outbox.append(activity(detail)),
    )
    const details = told.map((event) => ('detail' in event ? event.detail : undefined))
    expect(details).toEqual(['say \uFFFD x', 'ab', 'x'.repeat(499), 'y'.repeat(500)])
    const finished = {
      commandId: nextId(),
      serverId: SERVER_ID,
      ok: false,
      code: 'INTERNAL',
      detail: 'z'.repeat(5_000),
    }
    expect(AgentEvent.safeParse(outbox.append({ kind: 'command.finished', ...finished })).success).toBe(true)
    outbox.close()
    const again = open()
    expect(seqs(again)).toEqual([1, 2, 3, 4, 5])
    again.close()
  })

  it('takes an event whole or not at all on a full disk, and goes on without a gap [A6]', () => {
    const outbox = open()
    outbox.append(accepted())
    const write = vi.spyOn(fs, 'writeSync')
    // A disk that takes a few bytes, and then none.
    write.mockImplementationOnce((file) => fs.writevSync(file, [Buffer.from('{"kind":"c')]))
    write.mockImplementationOnce(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    })
    expect(outbox.append(accepted()).seq).toBe(2)
    // Nothing of it stands in the file, and it comes with what the disk takes next.
    const kept = open()
    expect(seqs(kept)).toEqual([1])
    kept.close()
    expect(outbox.append(accepted()).seq).toBe(3)
    outbox.close()
    const again = open()
    expect(seqs(again)).toEqual([1, 2, 3])
    again.close()
  })

  it('goes on while the disk takes nothing, and writes all of it when it does [A6, A23]', () => {
    let isFull = false
    const clock = new ManualClock()
    const disk: Disk = {
      ...realDisk,
      writeAtomically: (file, text) => {
        if (isFull) throw new Error('ENOSPC')
        realDisk.writeAtomically(file, text)
      },
    }
    const outbox = new Outbox(folder, { disk, clock, log: silentLog })
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    isFull = true
    for (let count = 0; count < 4; count += 1) outbox.append(accepted())
    for (const event of outbox.resume(0)) outbox.sent(event.seq)
    outbox.acknowledge(4)
    outbox.append(accepted())
    expect(seqs(outbox)).toEqual([5])
    write.mockRestore()
    isFull = false
    clock.advance(5_000)
    outbox.flush()
    const again = open()
    expect(seqs(again)).toEqual([5])
    again.close()
    outbox.close()
  })

  it('gives no number twice when a crash on a full disk took what was sent and stored', () => {
    const first = open()
    first.append(accepted())
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    first.append(accepted())
    expect(first.resume(0).map(({ seq }) => seq)).toEqual([1, 2])
    write.mockRestore()
    // The agent is killed here: the file has the first event only, and the control plane has both.
    const second = open()
    second.append(accepted())
    expect(second.resume(2).map(({ seq }) => seq)).toEqual([3])
    second.close()
    first.close()
  })

  it('lets no flood of one server take the place of what the others did [A22]', () => {
    const waiting = Array.from({ length: 1_000 }, (_, index): Waiting => {
      const serverId = index % 100 === 0 ? SERVER_ID : FLOODER
      const event = { kind: 'activity' as const, serverId, userId: null, type: 'server:x', detail: '', atMs: 0 }
      return { event: { ...event, seq: index + 1 }, bytes: 100 }
    })
    const going = eventsToDrop(waiting, { events: 500, bytes: 1_000_000 })
    expect(going.size).toBe(550)
    const gone = waiting.filter(({ event }) => going.has(event.seq))
    expect(gone.every(({ event }) => event.kind === 'activity' && event.serverId === FLOODER)).toBe(true)
    expect(Math.max(...going)).toBeLessThan(600)
  })

  it('keeps events and numbers over restarts until they are acknowledged [A6]', () => {
    const first = open()
    for (let count = 0; count < 3; count += 1) first.append(accepted())
    first.acknowledge(1)
    first.close()
    const second = open()
    second.append(accepted())
    second.acknowledge(1)
    expect(seqs(second)).toEqual([2, 3, 4])
    second.acknowledge(4)
    second.close()
    const third = open()
    expect(third.append(accepted()).seq).toBe(5)
    third.close()
  })

  it('keeps to its limits after a restart too, whose file holds what was acknowledged meanwhile [A22]', () => {
    const limits = { events: 10, bytes: 1_000_000 }
    const limited = () => new Outbox(folder, { disk: realDisk, clock: new ManualClock(), log: silentLog, limits })
    const activity = { kind: 'activity', serverId: SERVER_ID, userId: null, type: 'server:x', detail: '' } as const
    const first = limited()
    for (let count = 0; count < 10; count += 1) first.append(activity)
    first.acknowledge(5)
    for (let count = 0; count < 5; count += 1) first.append(activity)
    expect([first.pending, first.dropped]).toEqual([10, 0])
    first.close()
    const second = limited()
    expect(second.pending).toBe(9)
    // The six oldest had to go; the control plane has five of them.
    expect(second.resume(5).map((event) => ('count' in event ? event.count : event.seq))).toEqual([
      1, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ])
    second.close()
    const third = limited()
    expect(seqs(third)).toHaveLength(10)
    third.close()
  })

  it('ignores an older acknowledgement, and one of what was never sent [A7]', () => {
    const outbox = open()
    outbox.append(accepted())
    outbox.append(accepted())
    outbox.acknowledge(2)
    outbox.acknowledge(1)
    expect(outbox.pending).toBe(0)
    outbox.acknowledge(900)
    expect(outbox.append(accepted()).seq).toBe(3)
    expect(outbox.pending).toBe(1)
    outbox.close()
  })

  it('loses only a torn last line, whose event was never sent', () => {
    const first = open()
    first.append(accepted())
    first.close()
    appendFileSync(path.join(folder, 'events.jsonl'), '{"kind":"command.acc')
    const second = open()
    expect(seqs(second)).toEqual([1])
    expect(second.append(accepted()).seq).toBe(2)
    second.close()
    const third = open()
    expect(seqs(third)).toEqual([1, 2])
    third.close()
  })

  it('counts on after the number that the control plane knows, when this disk was restored', () => {
    const outbox = open()
    outbox.append(accepted())
    expect(outbox.resume(40).map(({ seq }) => seq)).toEqual([41])
    expect(outbox.append(accepted()).seq).toBe(42)
    outbox.close()
  })
})
