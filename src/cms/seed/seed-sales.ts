import { coupons, prizeWheel, spinCoupons } from './content/sales.ts'
import { createLocalized, type SeedTarget, writeGlobal } from './write-localized.ts'

/** Writes the coupons, premium tiers and the prize wheel of the demo. */
export const seedSales = async (target: SeedTarget): Promise<void> => {
  for (const coupon of coupons) await createLocalized(target, 'coupons', coupon)
  for (const coupon of spinCoupons) await createLocalized(target, 'spin-coupons', coupon)
  await writeGlobal(target, 'premium', {})
  const serverPackage = await smallestPackage(target)
  await writeGlobal(target, 'prize-wheel', { ...prizeWheel, ...(serverPackage ? { serverPackage } : {}) })
}

/** The prize server: the cheapest package of Minecraft, if staff kept one. */
const smallestPackage = async ({ payload, req }: SeedTarget): Promise<string | undefined> => {
  const { docs } = await payload.find({
    collection: 'packages',
    where: { 'service.slug': { equals: 'minecraft' } },
    sort: 'pricePerMonthFt',
    limit: 1,
    depth: 0,
    overrideAccess: true,
    req,
  })
  return docs[0]?.id
}
