import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkAct,
  convertTestServer,
  deletionAtMs,
  dueReminder,
  grantTestServer,
  lifetimePhase,
  LIFETIME_PHASES,
  SERVER_ACTS,
  TEST_SERVER_MS,
} from '#domain/billing/lifetime.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'

const EXPIRY = Date.UTC(2027, 2, 30, 12)
const HOURS = 3_600_000

describe('lifetime', () => {
  it.each([
    [-1, 'active'],
    [0, 'expired'],
    [72 * HOURS - 1, 'expired'],
    [72 * HOURS, 'to-delete'],
  ])('is %s ms from the expiry %s', (offsetMs, phase) => {
    expect(lifetimePhase(EXPIRY, EXPIRY + offsetMs)).toBe(phase)
    // Told at the expiry or before, which nothing is lost by.
    expect(lifetimePhase(EXPIRY, EXPIRY + offsetMs, EXPIRY - 1)).toBe(phase)
  })

  it.each([
    ['never, as long as nobody was told', null, 1000 * 24 * HOURS, 'expired'],
    ['within 72 h of the word', 240 * HOURS, 312 * HOURS - 1, 'expired'],
    ['72 h after the word', 240 * HOURS, 312 * HOURS, 'to-delete'],
    ['before the expiry, told or not', null, -1, 'active'],
  ])('is to be deleted %s', (_name, toldAfterMs, offsetMs, phase) => {
    const toldAtMs = toldAfterMs === null ? null : EXPIRY + toldAfterMs
    expect(lifetimePhase(EXPIRY, EXPIRY + offsetMs, toldAtMs)).toBe(phase)
  })

  it('never comes back from a later phase while time goes on', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), (offsetMs, laterMs) => {
        const before = LIFETIME_PHASES.indexOf(lifetimePhase(EXPIRY, EXPIRY + offsetMs))
        const after = LIFETIME_PHASES.indexOf(lifetimePhase(EXPIRY, EXPIRY + offsetMs + laterMs))
        expect(after).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  it.each(SERVER_ACTS)('judges %s by the phase', (act) => {
    const allowed = ['stop', 'read-files', 'renew'].includes(act)
    expect(checkAct(act, { expiresAtMs: EXPIRY, nowMs: EXPIRY - 1 })).toEqual({ ok: true })
    expect(checkAct(act, { expiresAtMs: EXPIRY, nowMs: EXPIRY })).toEqual(
      allowed ? { ok: true } : { ok: false, code: 'SERVER_EXPIRED' },
    )
    expect(checkAct(act, { expiresAtMs: EXPIRY, nowMs: deletionAtMs(EXPIRY) })).toEqual({
      ok: false,
      code: 'SERVER_DELETED',
    })
  })
})

describe('reminders', () => {
  const at = (days: number) =>
    dueReminder({ id: 's', paidFromMs: EXPIRY - BILLING_MONTH_MS, expiresAtMs: EXPIRY, nowMs: EXPIRY - days * DAY_MS })
      ?.days

  it.each([
    [7.01, undefined],
    [7, 7],
    [3.01, 7],
    [3, 3],
    [1.01, 3],
    [1, 1],
    [0.01, 1],
    [0, undefined],
    [-1, undefined],
  ])('are due %s days before: %s', (days, expected) => {
    expect(at(days)).toBe(expected)
  })

  it('are not sent for a span longer than the paid time', () => {
    const nowMs = EXPIRY - DAY_MS / 2
    expect(dueReminder({ id: 's', paidFromMs: EXPIRY - TEST_SERVER_MS, expiresAtMs: EXPIRY, nowMs })).toBeUndefined()
  })

  it('T41: have one key for each server, kind and expiry, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -10 * DAY_MS, max: DAY_MS }), { minLength: 40, maxLength: 60 }),
        (offsets) => {
          const sent = offsets.flatMap((offset) => {
            const server = { id: 's', paidFromMs: EXPIRY - BILLING_MONTH_MS, expiresAtMs: EXPIRY }
            return dueReminder({ ...server, nowMs: EXPIRY + offset })?.key ?? []
          })
          expect(new Set(sent).size).toBeLessThanOrEqual(3)
        },
      ),
    )
  })
})

describe('test server', () => {
  it('lasts a day and is granted once', () => {
    expect(grantTestServer({ hadOne: false, nowMs: 5 })).toEqual({ ok: true, expiresAtMs: 5 + DAY_MS })
    expect(grantTestServer({ hadOne: true, nowMs: 5 })).toEqual({ ok: false, code: 'TEST_ALREADY_HAD' })
  })

  it('becomes a paid one from the end of the test, or from now when that is over', () => {
    const server = { isTest: true, expiresAtMs: EXPIRY }
    expect(convertTestServer({ ...server, nowMs: EXPIRY - 5 })).toEqual({ ok: true, paidFromMs: EXPIRY })
    expect(convertTestServer({ ...server, nowMs: EXPIRY + 5 })).toEqual({ ok: true, paidFromMs: EXPIRY + 5 })
    expect(convertTestServer({ ...server, nowMs: deletionAtMs(EXPIRY) })).toMatchObject({ code: 'SERVER_DELETED' })
    expect(convertTestServer({ ...server, isTest: false, nowMs: EXPIRY })).toMatchObject({ code: 'NOT_A_TEST_SERVER' })
  })
})
