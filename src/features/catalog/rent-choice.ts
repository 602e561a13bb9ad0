import type { QuoteRequest } from '#contracts/http/order.ts'
import type { ResourceChoice, Service } from '#contracts/http/service.ts'

export const customSize = 'custom'

export type RentChoice = {
  /** A package's id, or `custom` for a size of one's own. */
  readonly size: string
  readonly resources: Pick<ResourceChoice, 'cpuPercent' | 'ramMiB' | 'storageMiB'> | null
  readonly months: number
  /** What was typed; null while nobody has typed a name and the suggested one stands. */
  readonly name: string | null
}

/** The package whose price an offer shows: choosing the offer means this one. */
export const offeredPackage = (service: Pick<Service, 'packages' | 'startingPriceFt'>): string | undefined =>
  service.packages.find((size) => size.orderable && size.pricePerMonthFt === service.startingPriceFt)?.id

/**
 * The choice that a rent flow opens with: the package that was asked for; without one the highlighted, else the first, else
 * the smallest size of one's own.
 */
export const firstChoice = (service: Service, asked: string | null = null): RentChoice => {
  const sizes = service.packages.filter((size) => size.orderable)
  const size =
    sizes.find((candidate) => candidate.id === asked) ?? sizes.find((candidate) => candidate.highlighted) ?? sizes[0]
  const resources = service.resources
    ? {
        cpuPercent: service.resources.cpuPercent.minimum,
        ramMiB: service.resources.ramMiB.minimum,
        storageMiB: service.resources.storageMiB.minimum,
      }
    : null
  return { size: size?.id ?? customSize, resources, months: 1, name: null }
}

/** A name that none of the reader's servers has: the service's own, else with the next free number. */
export const suggestedName = (serviceName: string, taken: readonly string[]): string => {
  const names = new Set(taken)
  let name = serviceName
  for (let number = 2; names.has(name); number += 1) name = `${serviceName} ${number}`
  return name
}

/** The choice as the question for its price; undefined while there is no size. */
export const quoteRequestOf = (
  service: Pick<Service, 'id'>,
  choice: RentChoice,
  couponCode: string | null = null,
): QuoteRequest | undefined => {
  const coupon = couponCode === null ? {} : { couponCode }
  const base = { serviceId: service.id, months: choice.months, ...coupon }
  if (choice.size !== customSize) return { ...base, packageId: choice.size }
  return choice.resources ? { ...base, resources: choice.resources } : undefined
}
