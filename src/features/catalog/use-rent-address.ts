'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { Service } from '#contracts/http/service.ts'
import { offeredPackage } from './rent-choice.ts'

type Offer = Pick<Service, 'slug' | 'packages' | 'startingPriceFt'>

/**
 * The address of the catalog page with its search and filter: `?rent=` opens an offer's rent form over it, and
 * `&package=` selects the size whose price the offer shows.
 */
export const useRentAddress = () => {
  const path = usePathname()
  const parameters = useSearchParams()
  const rest = new URLSearchParams(parameters)
  rest.delete('rent')
  rest.delete('package')
  const addressOf = (query: URLSearchParams) => (query.size === 0 ? path : `${path}?${query}`)
  return {
    rent: parameters.get('rent'),
    size: parameters.get('package'),
    closed: addressOf(rest),
    hrefOf: (offer: Offer): string => {
      const size = offeredPackage(offer)
      const query = new URLSearchParams(rest)
      query.set('rent', offer.slug)
      if (size !== undefined) query.set('package', size)
      return addressOf(query)
    },
  }
}
