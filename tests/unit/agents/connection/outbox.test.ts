import fs, { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Outbox } from '../../../../agents/connection/outbox.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { AgentEvent } from '../../../../src/contracts/agent/session.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-outbox-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const open = () => new Outbox(folder, realDisk, new ManualClock())
const accepted = () => ({ kind: 'command.accepted' as const, commandId: nextId(), serverId: SERVER_ID })
const seqs = (outbox: Outbox) => outbox.after(0).map((event) => event.seq)

describe('outbox', () => {
  it('stores no text that a database refuses, and none over its limit [A17]', () => {
    const outbox = open()
    const activity = (detail: string) => ({
      kind: 'activity' as const,
      ...{ serverId: SERVER_ID, userId: null, type: 'server:console.command', detail },
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

  const noSpace = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }

  it('keeps events in memory on a full disk, and writes them whole and in order when there is room [A6]', () => {
    const outbox = open()
    outbox.append(accepted())
    const write = vi.spyOn(fs, 'writeSync')
    // A disk that takes a few bytes, and then none.
    write.mockImplementationOnce((file) => fs.writevSync(file, [Buffer.from('{"kind":"c')]))
    write.mockImplementationOnce(noSpace)
    expect(outbox.append(accepted()).seq).toBe(2)
    expect(seqs(outbox)).toEqual([1, 2])
    const meanwhile = open()
    expect(seqs(meanwhile)).toEqual([1])
    meanwhile.close()
    expect(outbox.append(accepted()).seq).toBe(3)
    outbox.close()
    const again = open()
    expect(seqs(again)).toEqual([1, 2, 3])
    again.close()
  })

  it('takes acknowledgements on a full disk, and forgets what was acknowledged meanwhile', () => {
    let isFull = false
    const disk = {
      ...realDisk,
      writeAtomically: (file: string, text: string) => (isFull ? noSpace() : realDisk.writeAtomically(file, text)),
    }
    const outbox = new Outbox(folder, disk, new ManualClock())
    outbox.append(accepted())
    isFull = true
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(noSpace)
    outbox.append(accepted())
    outbox.acknowledge(2)
    expect(outbox.pending).toBe(0)
    expect(outbox.append(accepted()).seq).toBe(3)
    isFull = false
    write.mockRestore()
    expect(outbox.append(accepted()).seq).toBe(4)
    outbox.acknowledge(3)
    outbox.close()
    const again = open()
    again.acknowledge(3)
    expect(seqs(again)).toEqual([4])
    again.close()
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
    outbox.continueAfter(40)
    expect(seqs(outbox)).toEqual([41])
    expect(outbox.append(accepted()).seq).toBe(42)
    outbox.close()
  })
})
