import type { QuoteRequest } from '#contracts/http/order.ts'
import type { ResourceChoice, Service } from '#contracts/http/service.ts'

export const customSize = 'custom'

export type RentChoice = {
  /** A package's id, or `custom` for a custom size. */
  readonly size: string
  readonly resources: Pick<ResourceChoice, 'cpuPercent' | 'ramMiB' | 'storageMiB'> | null
  readonly months: number
  /** The typed name; null until the reader types one, and the suggested one is used. */
  readonly name: string | null
}

/** The package whose price an offer shows: choosing the offer selects it. */
export const offeredPackage = (service: Pick<Service, 'packages' | 'startingPriceFt'>): string | undefined =>
  service.packages.find((size) => size.orderable && size.pricePerMonthFt === service.startingPriceFt)?.id

/**
 * The initial choice of a rent form: the requested package; otherwise the highlighted, else the first, else the
 * smallest custom size.
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

/** The choice as a quote request; undefined without a size. */
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
