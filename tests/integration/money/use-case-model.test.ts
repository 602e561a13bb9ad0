import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../control-plane/money/ledger/audit-ledger.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { contextOf, startRun, type Perform, type Run, type Step } from './money-run.ts'
import { openWorld, type World } from './money-world.ts'
import { broken, expected, house, houseAfter, seen } from './observe.ts'
import { PAYMENT_STEPS } from './payment-steps.ts'
import { PRIZE_STEPS } from './prize-steps.ts'
import { SERVER_STEPS } from './server-steps.ts'

/** `npm run test:full` sets 100,000; every run takes others. */
const OPERATIONS = Number(process.env['MONEY_OPERATIONS'] ?? 10_000)
const PER_RUN = 250
/** After a disagreement the fewest steps that show it are looked for this long. */
const SHRINK_MS = 60_000

const STEPS: Record<string, Perform> = { ...PAYMENT_STEPS, ...SERVER_STEPS, ...PRIZE_STEPS }
/** The wishes that people have most come most; everything else once. */
const OFTEN = [
  'topUp',
  'topUp',
  'topUp',
  'topUp',
  'topUp',
  'renewed',
  'ordered',
  'ordered',
  'ordered',
  'settled',
  'settled',
  'settled',
  'renewed',
]
const MORE = ['modified', 'modified', 'automatic', 'timePassed', 'timePassed', 'refunded', 'spun', 'spun']
/** So that somebody who owes has something all the same, and tries to spend it. */
const OWING = ['disputed', 'disputed', 'granted', 'granted', 'spinsBought', 'premiumBought', 'wroteOff', 'wroteOff']

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...Object.keys(STEPS), ...OFTEN, ...MORE, ...OWING),
  user: fc.nat(2),
  pick: fc.nat(10_000),
  size: fc.nat(10_000),
})

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const text = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))

/** So many times each kind of step was done, and was done with success. */
const done = new Map<string, { all: number; ok: number }>()

async function perform(run: Run, steps: readonly Step[]): Promise<void> {
  const log: string[] = []
  for (const each of steps) {
    run.model.now += 1_000
    const answers = await (STEPS[each.kind] as Perform)(run, each)
    log.push(`${text(each)} -> ${text(answers.real)}`)
    const last = `the last steps:\n${log.slice(-12).join('\n')}`
    expect(text(answers.real), last).toBe(text(answers.model))
    expect(await seen(run, world.db), last).toEqual(expected(run))
    const count = done.get(each.kind) ?? { all: 0, ok: 0 }
    const isOk = text(answers.real) === '"ok"' || answers.real === 'succeeded'
    done.set(each.kind, { all: count.all + 1, ok: count.ok + (isOk ? 1 : 0) })
  }
}

let runs = 0

async function oneRun(steps: readonly Step[]): Promise<void> {
  const run = await startRun(world, runs)
  runs += 1
  const before = await house(world.db)
  await perform(run, steps)
  expect(await house(world.db)).toEqual(houseAfter(before, run.model))
  expect(await broken(run, world.database.owner)).toEqual([])
}

const failureOf = (steps: readonly Step[]): Promise<Error | undefined> =>
  oneRun(steps).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

/** Leaves out what the disagreement does not need, in ever smaller pieces. */
async function smallest(steps: readonly Step[], found: Error): Promise<Error> {
  const until = performance.now() + SHRINK_MS
  let [rest, error] = [[...steps], found]
  for (let piece = Math.ceil(rest.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < rest.length && performance.now() < until;) {
      const without = [...rest.slice(0, at), ...rest.slice(at + piece)]
      const failure = without.length > 0 ? await failureOf(without) : undefined
      if (failure) [rest, error] = [without, failure]
      else at += piece
    }
  }
  return new Error(`${rest.length} steps show it:\n${rest.map(text).join('\n')}\n${error.message}`, { cause: error })
}

async function check(steps: readonly Step[]): Promise<void> {
  const failure = await failureOf(steps)
  if (failure) throw await smallest(steps, failure)
}

describe('I13: the use cases of money and a model of them', () => {
  it('a refund that arrives during a dispute is left out of the invoice when the dispute is won', async () => {
    // Runs of this number invoice top-ups.
    runs += 3 - (runs % 4)
    const one = { user: 0, pick: 0 }
    const run = oneRun([
      { ...one, kind: 'topUp', size: 2_250 },
      { ...one, kind: 'refunded', size: 1_202 },
      { ...one, kind: 'disputed', size: 6 },
      { ...one, kind: 'timePassed', size: 0 },
      { ...one, kind: 'disputed', size: 7 },
    ])
    await expect(run).resolves.toBeUndefined()
  })

  it(
    'I1, I2, I3, I4, I5, I6, I7, I8, I10, I11, I14, I15: use cases and model return the same results and leave the same money, servers, coupons and invoices',
    { timeout: Math.max(45 * 60_000, OPERATIONS * 72) },
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: PER_RUN, maxLength: PER_RUN }), check), {
        numRuns: Math.max(1, Math.ceil(OPERATIONS / PER_RUN)),
        endOnFailure: true,
      })
      expect(await world.database.owner.query('select * from control.ledger_violations')).toEqual([])
      const context = contextOf({ world, model: { now: Date.now() } } as Run)
      expect(await auditLedger(context, createMetrics())).toBe(0)
      // Every kind of operation was among them.
      expect([...done.keys()].toSorted()).toEqual(Object.keys(STEPS).toSorted())
      for (const kind of ['ordered', 'renewed', 'modified', 'premiumBought', 'spinsBought', 'refunded', 'wroteOff']) {
        expect([kind, (done.get(kind)?.ok ?? 0) > OPERATIONS / 1_000]).toEqual([kind, true])
      }
    },
  )
})
