import * as z from 'zod'

/** Ids of rows: uuid of version 7. */
export const Id = z.uuid()

/** A moment as ISO 8601 in UTC. */
export const Instant = z.iso.datetime()

/** A rate of tax as it is shown; some have a half per cent. */
export const VatPercent = z.number().min(0).max(100)

/** Whole forints. A JSON number is exact up to 2^53; amounts above 10^12 Ft are refused. */
export const AmountFt = z.int().min(-1_000_000_000_000).max(1_000_000_000_000)

/** What somebody wants to pay, to give back or to assign: at least one forint. */
export const WishedFt = z.int().min(1).max(1_000_000_000_000)

/** A figure that somebody saw on a page, and agrees to: a price may be 0, and none is less. */
export const SeenFt = z.int().min(0).max(1_000_000_000_000)

/** The 8 unambiguous characters that people read aloud; see src/domain/kernel/identifier.ts. */
export const Identifier = z.string().regex(/^[acdefghjkmnpqrtuvwxy34679]{8}$/)

/** The specification writes these flags as 0 or 1. */
export const Flag01 = z.union([z.literal(0), z.literal(1)])

/** The answer of a call that has nothing to tell. Browsers read it, which is why it does not stand with the routes. */
export const Nothing = z.object({})

/** The most items that one answer of a list holds, and what a caller who names no number gets (architecture section 5). */
export const MAX_ITEMS = 1_000

/** The version of the terms of service that a page showed. Needed where it is not the one that the person agreed to before. */
export const TermsVersion = z.string().min(1).max(40)
