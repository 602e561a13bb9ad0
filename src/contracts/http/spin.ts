/** The types of the Spin record of specification section 3. */
export const PRIZE_TYPES = ['money', 'reroll', 'server', 'coupon', 'nothing'] as const
