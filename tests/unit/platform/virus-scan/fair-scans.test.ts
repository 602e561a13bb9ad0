import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { fairScans } from '#platform/virus-scan/fair-scans.ts'
import type { ScanVerdict } from '#platform/virus-scan/virus-scanner.ts'

const BOUNDS = { accounts: 2, waiting: 4, each: 2, withinMs: 30_000 }

/** A scanner that ends a file when it is told to; files are named by their account and a number. */
const scanning = (bounds: Partial<typeof BOUNDS> = {}) => {
  const begun: string[] = []
  const ends = new Map<string, (verdict: ScanVerdict) => void>()
  const scan = (bytes: Uint8Array) => {
    const name = Buffer.from(bytes).toString()
    begun.push(name)
    return new Promise<ScanVerdict>((end) => ends.set(name, end))
  }
  const scanner = fairScans({ scan }, { ...BOUNDS, ...bounds })
  const outcomes: string[] = []
  const come = (name: string, account: string | undefined = name.replace(/\d+$/, '')) =>
    scanner.scan(Buffer.from(name), account).then(
      ({ kind }) => void outcomes.push(`${name} ${kind}`),
      ({ fault }: { fault: string }) => void outcomes.push(`${name} ${fault}`),
    )
  const end = async (name: string) => {
    ends.get(name)?.({ kind: 'clean' })
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  return { begun, outcomes, come, end, scanner }
}

afterEach(() => {
  vi.useRealTimers()
})

it('one account has one file scanned at a time, and others come before its next one', async () => {
  const { begun, come, end } = scanning()
  const all = [come('a1'), come('a2'), come('a3'), come('b1'), come('c1')]
  expect(begun).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'b1', 'a2', 'c1', 'a3']) await end(name)
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
})

it('an account that has too many waiting is refused for now, and takes no place from others', async () => {
  const { outcomes, come, begun } = scanning({ accounts: 1 })
  void come('a1')
  void come('a2')
  void come('a3')
  await come('a4')
  void come('b1')
  void come('c1')
  // The room is full: the newcomer has the place of the one who has most waiting.
  void come('d1')
  await vi.waitFor(() => expect(outcomes).toEqual(['a4 BUSY', 'a3 BUSY']), { timeout: 60_000 })
  expect(begun).toEqual(['a1'])
})

it('files of mails, which have no account, wait for no turn', () => {
  const { begun, come, scanner } = scanning({ accounts: 1 })
  void come('a1')
  void come('b1')
  void scanner.scan(Buffer.from('of a mail'))
  expect(begun).toEqual(['a1', 'of a mail'])
})

it('a person who waits for too long has their answer, and is scanned no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { begun, outcomes, come, end } = scanning({ accounts: 1 })
  void come('a1')
  const late = come('b1')
  vi.advanceTimersByTime(BOUNDS.withinMs)
  await late
  expect(outcomes).toContain('b1 LATE')
  await end('a1')
  expect(begun).toEqual(['a1'])
})
