import type { DocumentCause } from '#domain/billing/tax-point.ts'
import { CONVERSION } from './conversion.ts'
import { MODIFICATION } from './modification.ts'
import { ORDER } from './order.ts'
import { PREMIUM } from './premium.ts'
import { RENEWAL } from './renewal.ts'
import type { SoldThing } from './sold-thing.ts'
import { SPINS } from './spins.ts'

/** Everything that is sold. */
export const THINGS = [ORDER, CONVERSION, RENEWAL, MODIFICATION, PREMIUM, SPINS] as const

/** The table that keeps the sales of a kind of invoice, and its column with the price. */
export function rowOfSale(invoice: Exclude<DocumentCause, 'top-up'>): SoldThing<never>['row'] {
  const thing = THINGS.find((each) => each.invoice === invoice)
  if (!thing) throw new Error(`nothing is sold with an invoice of a ${invoice}`)
  return thing.row
}

/** Every point at which tests kill a process in the till. */
export const tillPoints = (): string[] =>
  THINGS.flatMap(({ points, later }) => [...Object.values(points), ...(later ? Object.values(later.points) : [])])
