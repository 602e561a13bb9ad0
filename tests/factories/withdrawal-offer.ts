import { WithdrawalOffer } from '#contracts/http/withdrawal.ts'

/** The instant of everything in an offer. */
export const OFFER_INSTANT = '2026-06-01T10:00:00.000Z'
export const OFFERED_ID = '01890000-0000-7000-8000-000000000001'

/** An offer to withdraw from premium, with all of its price given back. */
export const withdrawalOffer = (changes: object = {}) =>
  WithdrawalOffer.parse({
    kind: 'premium',
    documentId: OFFERED_ID,
    serverId: null,
    serverName: null,
    product: 'Premium Ultimus',
    concludedAt: OFFER_INSTANT,
    deadline: OFFER_INSTANT,
    endsAt: OFFER_INSTANT,
    endsNow: true,
    paidFt: 3490,
    backFt: 3490,
    bonusFt: 0,
    keptFt: 0,
    deletionAt: null,
    begunAt: OFFER_INSTANT,
    laterRenewalFirst: false,
    ...changes,
  })
