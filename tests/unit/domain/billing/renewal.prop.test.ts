import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { dueReminder, lifetimePhase } from '#domain/billing/lifetime.ts'
import { forints } from '#domain/billing/money.ts'
import { nextLookMs } from '#domain/billing/next-look.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { decideAutoRenewal, decideRenewal } from '#domain/billing/renewal.ts'

const START = Date.UTC(2027, 2, 1, 1, 30)
const machineZone = process.env['TZ']

afterEach(() => {
  if (machineZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = machineZone
})

/**
 * A store of one server: a charge is written only if its key is new, together with the new expiry, and as long as its owner
 * has the money for another month.
 */
function serverThatExpires(expiresAtMs: number, paidMonths = Infinity) {
  const charged = new Map<string, { startMs: number; endMs: number }>()
  let expiry = expiresAtMs
  return {
    charged,
    expiry: () => expiry,
    run: (nowMs: number, seenExpiryMs = expiry) => {
      const server = { id: 's', isTest: false, expiresAtMs: seenExpiryMs, monthly: forints(990n) }
      const decided = decideAutoRenewal({
        server,
        months: 1,
        nowMs,
        available: forints(charged.size < paidMonths ? 10n ** 9n : 0n),
        discountPercent: 0,
        isOn: true,
      })
      if (decided.act !== 'renew' || charged.has(decided.renewal.key)) return
      charged.set(decided.renewal.key, decided.renewal.period)
      expiry = decided.renewal.period.endMs
    },
  }
}

const NEAR = fc.integer({ min: -2 * DAY_MS, max: 3 * DAY_MS })
const FAR = fc.integer({ min: -90 * DAY_MS, max: 90 * DAY_MS })
const MOVES = fc.array(fc.oneof({ weight: 4, arbitrary: NEAR }, FAR), { minLength: 20, maxLength: 40 })

it('case 76, T30: charges a period once whatever the clock does, also when a worker decides by what it saw before', () => {
  fc.assert(
    fc.property(MOVES, fc.func(fc.nat({ max: 2 })), (moves, stale) => {
      const server = serverThatExpires(START)
      const seen = [START]
      let nowMs = START - 3 * DAY_MS
      for (const move of moves) {
        nowMs += move
        server.run(nowMs, seen.at(-1 - stale(move)))
        server.run(nowMs)
        seen.push(server.expiry())
      }
      const periods = [...server.charged.values()].toSorted((a, b) => a.startMs - b.startMs)
      for (const [index, period] of periods.entries()) expect(period.startMs).toBe(START + index * BILLING_MONTH_MS)
      expect(server.expiry()).toBe(START + periods.length * BILLING_MONTH_MS)
    }),
  )
})

it('case 74, T32: twelve renewals walk twelve times 30 x 24 h from any day of any month, without drift', () => {
  const days = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2032, 0, 1) })
  fc.assert(
    fc.property(days, (startMs) => {
      let expiresAtMs = startMs
      for (let month = 1; month <= 12; month += 1) {
        const server = { id: 's', isTest: false, expiresAtMs, monthly: forints(1n) }
        const renewed = decideRenewal({
          server,
          months: 1,
          nowMs: expiresAtMs,
          available: forints(1n),
          discountPercent: 0,
        })
        if (!renewed.ok) throw new Error(renewed.code)
        expiresAtMs = renewed.period.endMs
      }
      expect(expiresAtMs).toBe(startMs + 360 * DAY_MS)
    }),
  )
})

it('case 75, T33: the days of summer time and the zone of the machine move no boundary', () => {
  // The last Sundays of March and October 2027 in Budapest, an hour around the change.
  const starts = [Date.UTC(2027, 2, 28), Date.UTC(2027, 9, 31)].flatMap((day) => [
    day,
    day + 3_600_000,
    day + 7_200_000,
  ])
  const boundaries = ['UTC', 'Europe/Budapest', 'Pacific/Kiritimati', 'America/St_Johns'].map((zone) => {
    process.env['TZ'] = zone
    const offset = new Date(START).getTimezoneOffset()
    const periods = starts.map((expiresAtMs) => {
      const server = { id: 's', isTest: false, expiresAtMs, monthly: forints(1n) }
      const renewed = decideRenewal({
        server,
        months: 2,
        nowMs: expiresAtMs,
        available: forints(2n),
        discountPercent: 0,
      })
      return renewed.ok ? renewed.period : renewed.code
    })
    return { offset, periods }
  })
  expect(new Set(boundaries.map(({ offset }) => offset)).size).toBe(4)
  const expected = starts.map((startMs) => ({ startMs, endMs: startMs + 60 * DAY_MS }))
  for (const { periods } of boundaries) expect(periods).toEqual(expected)
})

it('case 75, T33: a server lives its whole life at the same moments wherever the program believes to be', () => {
  // The last Sundays of March and October of 2026 lie within the paid time.
  const livesOf = (zone: string) => {
    process.env['TZ'] = zone
    return [Date.UTC(2026, 2, 20), Date.UTC(2026, 9, 10)].map((startMs) => {
      const life: unknown[] = []
      const server = serverThatExpires(startMs + BILLING_MONTH_MS, 1)
      for (let nowMs = startMs; nowMs <= startMs + 70 * DAY_MS; nowMs += DAY_MS) {
        server.run(nowMs)
        const expiresAtMs = server.expiry()
        const reminder = dueReminder({ id: 's', paidFromMs: startMs, expiresAtMs, nowMs })?.days
        const nextMs = nextLookMs({ expiresAtMs, autoRenew: true, nowMs })
        life.push({ expiresAtMs, phase: lifetimePhase(expiresAtMs, nowMs), reminder, nextMs })
      }
      const [period] = [...server.charged.values()]
      const endMs = startMs + BILLING_MONTH_MS
      expect(period).toEqual({ startMs: endMs, endMs: endMs + BILLING_MONTH_MS })
      expect(life.at(-1)).toMatchObject({ expiresAtMs: endMs + BILLING_MONTH_MS, phase: 'to-delete' })
      return life
    })
  }
  const [here, ...elsewhere] = ['UTC', 'Europe/Budapest', 'Pacific/Kiritimati', 'America/St_Johns'].map(livesOf)
  for (const lives of elsewhere) expect(lives).toEqual(here)
})
