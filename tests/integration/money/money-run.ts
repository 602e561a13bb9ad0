import type { Caller } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import { callerOf } from '../../factories/shop.ts'
import { newModel, type Model, type Payment, type Person } from './money-model.ts'
import { issueCoupons, retireEarlierRuns, type World } from './money-world.ts'
import type { Coupon, Server } from './server-model.ts'

/** One step of a run. `user`, `pick` and `size` choose among what there is, so that a step means something wherever it stands. */
export type Step = { readonly kind: string; readonly user: number; readonly pick: number; readonly size: number }

/** A call that was made under a key, to be made again. */
export type Keyed = {
  readonly again: (changed: boolean) => Promise<{ ok: boolean; code?: string; answer?: unknown; replayed?: boolean }>
  readonly answer: unknown
}

export type Run = {
  readonly world: World
  readonly model: Model
  readonly servers: Server[]
  readonly coupons: Coupon[]
  readonly spinCoupon: { readonly code: string; readonly uses: Person[] }
  readonly keyed: Keyed[]
  readonly first: { readonly invoices: number }
}

export const START = Date.UTC(2026, 2, 28, 12)

/** Three customers with nothing, in a world where nothing of earlier runs is due. */
export async function startRun(world: World, nth: number): Promise<Run> {
  await retireEarlierRuns(world)
  const mark = systemIds.next().slice(-8).toUpperCase()
  const taxPoint = nth % 4 === 3 ? 'at_topup' : 'at_spend'
  await world.database.owner.query('update cms_api.invoicing set tax_point = $1', [taxPoint])
  const ids = [systemIds.next(), systemIds.next(), systemIds.next()]
  const [row] = await world.database.owner.query<{ count: number }>('select count(*)::int from control.invoices')
  return {
    world,
    model: newModel(ids, { now: START, taxPoint }),
    servers: [],
    keyed: [],
    coupons: await issueCoupons(world, mark),
    spinCoupon: { code: `SPIN-${mark}`, uses: [] },
    first: { invoices: row?.count ?? 0 },
  }
}

export const contextOf = (run: Run) => run.world.context(() => run.model.now)

export const personOf = ({ model }: Run, { user }: Step): Person => model.people[user % model.people.length] as Person

export const pickOf = <Each>(all: readonly Each[], { pick }: Step): Each | undefined =>
  all[pick % Math.max(1, all.length)]

/** Three of four wishes are for a server that runs, and one for any that the customer ever had. */
export const serverOf = (run: Run, step: Step): Server | undefined => {
  const person = personOf(run, step)
  const own = run.servers.filter(({ owner }) => owner === person)
  const there = own.filter(({ phase }) => phase === 'there')
  return pickOf(there.length > 0 && step.size % 4 !== 3 ? there : own, step)
}
export const paymentOf = (run: Run, step: Step): Payment | undefined => {
  const person = personOf(run, step)
  return pickOf(
    run.model.payments.filter(({ owner }) => owner === person),
    step,
  )
}

type Ask = { readonly caller: Caller; readonly requestId: string; readonly idempotencyKey: string }
export const askOf = (person: Person): Ask => ({
  caller: callerOf(person.id),
  requestId: 'run',
  idempotencyKey: systemIds.next(),
})

/** Both answers of a step: the model's and the product's. They must be alike. */
export type Answers = { readonly model: unknown; readonly real: unknown }
export type Perform = (run: Run, step: Step) => Promise<Answers>
export const NOTHING: Answers = { model: 'nothing', real: 'nothing' }

export const codeOf = (result: { ok: boolean; code?: string }): string =>
  result.ok ? 'ok' : (result.code ?? 'refused')

/** Remembers a call, so that a later step repeats it under its key. */
export function remember(run: Run, result: { ok: boolean; answer?: unknown }, again: Keyed['again']): void {
  if (result.ok) run.keyed.push({ again, answer: result.answer })
}
