import * as z from 'zod/mini'
import type { Service } from '#contracts/http/service.ts'
import { customSize } from './rent-choice.ts'
import type { RentChoice } from './rent-choice.ts'

const Draft = z.object({
  asked: z.nullable(z.string()),
  choice: z.object({
    size: z.string(),
    resources: z.nullable(z.object({ cpuPercent: z.int(), ramMiB: z.int(), storageMiB: z.int() })),
    months: z.int().check(z.gte(1), z.lte(6)),
    name: z.nullable(z.string()),
  }),
})

const keyOf = (service: Pick<Service, 'id'>) => `bakter:rent:${service.id}`

const read = (service: Pick<Service, 'id'>): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(service)) ?? 'null')
  } catch {
    return null
  }
}

const isStillOffered = (service: Service, { size, resources }: RentChoice): boolean =>
  size === customSize
    ? service.resources !== null && resources !== null
    : service.packages.some((offered) => offered.orderable && offered.id === size)

/**
 * The choice for a service before the reader left its rent form, for a top-up or by the back button. A size that was
 * clicked elsewhere since, or is no longer offered, is replaced by `first`; name and months stay.
 */
export const restoredChoice = (service: Service, asked: string | null, first: RentChoice): RentChoice => {
  const draft = Draft.safeParse(read(service))
  if (!draft.success) return first
  const { choice } = draft.data
  if (draft.data.asked === asked && isStillOffered(service, choice)) return choice
  return { ...first, months: choice.months, name: choice.name }
}

/** Stores a choice for this tab; without storage it lasts as long as the page. */
export const keepChoice = (service: Pick<Service, 'id'>, asked: string | null, choice: RentChoice): void => {
  try {
    sessionStorage.setItem(keyOf(service), JSON.stringify({ asked, choice }))
  } catch {
    // Storage may be switched off or full.
  }
}

export const forgetChoice = (service: Pick<Service, 'id'>): void => {
  try {
    sessionStorage.removeItem(keyOf(service))
  } catch {
    // Without storage there is nothing to remove.
  }
}
