import type { Service } from '#contracts/http/service.ts'

export type OfferCategory = 'game' | 'vps' | 'all'

type Sized = Pick<Service, 'orderable' | 'unavailableReason' | 'packages' | 'resources'>
type Listed = Pick<Service, 'category' | 'name' | 'description' | 'highlighted'> & Sized

/**
 * A catalog page's offers: rentable ones first, then the highlighted, each in the reader's order; game pages include
 * the bots.
 */
export const offersOf = <Offer extends Listed>(
  services: readonly Offer[],
  view: { category: OfferCategory; search: string; highlightedOnly: boolean; locale: string },
): readonly Offer[] => {
  const collator = new Intl.Collator(view.locale, { numeric: true })
  const wanted = view.search.trim().toLocaleLowerCase(view.locale)
  return services
    .filter((service) => view.category === 'all' || (service.category === 'vps') === (view.category === 'vps'))
    .filter((service) => !view.highlightedOnly || service.highlighted)
    .filter((service) => `${service.name} ${service.description}`.toLocaleLowerCase(view.locale).includes(wanted))
    .toSorted(
      (a, b) =>
        Number(isRentable(b)) - Number(isRentable(a)) ||
        Number(b.highlighted) - Number(a.highlighted) ||
        collator.compare(a.name, b.name),
    )
}

/** Whether a service can be rented here and now: it is orderable, not unavailable, and has a size to rent. */
export const isRentable = (service: Sized): boolean =>
  service.orderable &&
  service.unavailableReason === null &&
  (service.resources !== null || service.packages.some((size) => size.orderable))
