import type { Payload } from 'payload'
import { sellerOfDemo } from './content/seller.ts'

/** Gives the demo a seller, so that its purchases are invoiced; an existing one stays. */
export const seedSeller = async (payload: Payload): Promise<void> => {
  const { seller } = await payload.findGlobal({ slug: 'invoicing', depth: 0, overrideAccess: true })
  if (seller?.name) return
  await payload.updateGlobal({
    slug: 'invoicing',
    depth: 0,
    overrideAccess: true,
    data: { seller: sellerOfDemo },
    context: { disableRevalidate: true },
  })
}
