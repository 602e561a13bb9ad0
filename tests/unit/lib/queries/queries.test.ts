import { describe, expect, it } from 'vitest'
import type { TopupCheck } from '#contracts/http/payment.ts'
import { topupCheckQuery } from '@/lib/queries/queries.ts'

/** How long the page of a payment's result waits before it asks again, after it has heard this so often. */
const waitAfter = (status: TopupCheck['status'], dataUpdateCount: number): unknown => {
  const { refetchInterval } = topupCheckQuery('p1')
  if (typeof refetchInterval !== 'function') throw new Error('It asks by a function of what it heard.')
  const state = { status: 'success', data: { status }, dataUpdateCount }
  return refetchInterval({ state } as unknown as Parameters<typeof refetchInterval>[0])
}

describe('the state of a top-up', () => {
  it('is asked for as long as nothing is decided, and not after the money has come', () => {
    expect(waitAfter('processing', 1_000)).toBeGreaterThan(0)
    expect(waitAfter('finished', 1)).toBe(false)
  })

  it('is asked for a while after a failure, since another card may still pay, and then no more', () => {
    expect(waitAfter('failed', 1)).toBeGreaterThan(0)
    expect(waitAfter('failed', 1_000)).toBe(false)
  })
})
