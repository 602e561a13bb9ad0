import type { QuoteRequest } from '#contracts/http/order.ts'
import type { ResourceChoice, Service } from '#contracts/http/service.ts'

export const customSize = 'custom'

export type RentChoice = {
  /** A package's id, or `custom` for a size of one's own. */
  readonly size: string
  readonly resources: Pick<ResourceChoice, 'cpuPercent' | 'ramMiB' | 'storageMiB'> | null
  readonly months: number
  readonly name: string
}

/** The choice that a rent flow opens with: the highlighted package, else the first, else the smallest own size. */
export const firstChoice = (service: Service): RentChoice => {
  const sizes = service.packages.filter((size) => size.orderable)
  const size = sizes.find((candidate) => candidate.highlighted) ?? sizes[0]
  const resources = service.resources
    ? {
        cpuPercent: service.resources.cpuPercent.minimum,
        ramMiB: service.resources.ramMiB.minimum,
        storageMiB: service.resources.storageMiB.minimum,
      }
    : null
  return { size: size?.id ?? customSize, resources, months: 1, name: service.name }
}

/** The choice as the question for its price; undefined while there is no size. */
export const quoteRequestOf = (service: Pick<Service, 'id'>, choice: RentChoice): QuoteRequest | undefined => {
  const base = { serviceId: service.id, months: choice.months }
  if (choice.size !== customSize) return { ...base, packageId: choice.size }
  return choice.resources ? { ...base, resources: choice.resources } : undefined
}
