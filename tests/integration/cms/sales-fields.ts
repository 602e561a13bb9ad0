const dates = ['updatedAt', 'createdAt']
const figures = ['backupSlots', 'subUsers', 'freeSpins', 'discountPercent']
const tier = (name: string, names: readonly string[]) => [name, ...names.map((part) => `${name}.${part}`)]

/** Fields of coupons, premium and the prize wheel: who sees the document sees them. */
export const salesFields: Record<string, readonly string[]> = {
  coupons: [
    'name',
    'code',
    'type',
    'amount',
    'validFrom',
    'validTo',
    'expiration',
    'maximumPriceFt',
    'maximumUsage',
    'usage',
    'services',
    'active',
    ...dates,
  ],
  'spin-coupons': ['code', 'numberOfUses', 'spins', 'expiration', 'active', ...dates],
  premium: [
    ...tier('none', figures),
    ...['essentials', 'maximus', 'ultimus'].flatMap((name) => tier(name, [...figures, 'priceFt', 'days'])),
    ...dates,
  ],
  'prize-wheel': [
    'prizes',
    'prizes.type',
    'prizes.amount',
    'prizes.weight',
    'prizes.id',
    'serverPackage',
    'buying',
    'spinPriceFt',
    'blockedCountries',
    'legalNote',
    ...dates,
  ],
}
