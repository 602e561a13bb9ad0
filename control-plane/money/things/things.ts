import type { DocumentCause } from '#domain/billing/tax-point.ts'
import { CONVERSION } from './conversion.ts'
import { MODIFICATION } from './modification.ts'
import { ORDER } from './order.ts'
import { PREMIUM } from './premium.ts'
import { RENEWAL } from './renewal.ts'
import type { SoldThing } from './sold-thing.ts'
import { SPINS } from './spins.ts'

/** Every thing for sale. */
export const THINGS = [ORDER, CONVERSION, RENEWAL, MODIFICATION, PREMIUM, SPINS] as const

/** The table with the sales of an invoice kind, and its column with the price. */
export function rowOfSale(invoice: Exclude<DocumentCause, 'top-up'>): SoldThing<never>['row'] {
  const thing = THINGS.find((each) => each.invoice === invoice)
  if (!thing) throw new Error(`nothing is sold with an invoice of a ${invoice}`)
  return thing.row
}

/** Every fault point of the till. */
export const tillPoints = (): string[] =>
  THINGS.flatMap(({ points, later }) => [...Object.values(points), ...(later ? Object.values(later.points) : [])])
