import { describe, expect, it } from 'vitest'
import { JOB_CATALOG, type JobEntry } from '../../../../../control-plane/platform/jobs/job-catalog.ts'

const MINUTE_MS = 60_000
const entries = Object.entries<JobEntry>(JOB_CATALOG)

describe('how often money is looked after', () => {
  it.each([
    ['case 85: a forged movement is known within five minutes', 'ledger-audit', 5 * MINUTE_MS],
    ['case 85: every entry is read each day', 'ledger-audit-whole', 24 * 60 * MINUTE_MS],
    ['case 78: what was paid is delivered or given back', 'hold-expiry', MINUTE_MS],
    ['case 61: payments whose messages were lost', 'payment-reconcile', MINUTE_MS],
    ['case 77: what is due after an outage', 'server-lifetime', MINUTE_MS],
  ])('%s', (_name, job, everyMs) => {
    const [, entry] = entries.find(([name]) => name === job) ?? []
    expect(entry?.everyMs).toBeLessThanOrEqual(everyMs)
    expect(entry?.attempts).toBeGreaterThanOrEqual(3)
  })

  it('case 78: the end of an order is tried until long after its grace', () => {
    expect(JOB_CATALOG['order-settle'].attempts).toBeGreaterThanOrEqual(20)
  })
})

describe('what waits when thousands are told of something', () => {
  it('money, deliveries and mails that somebody waits for do not; what tells of the past does', () => {
    const waiting = entries.filter(([, { canWait }]) => canWait).map(([name]) => name)
    expect(waiting.toSorted()).toEqual(['invoice-hand-over', 'invoice-mail', 'notice-tell'])
  })
})
