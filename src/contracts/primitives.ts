import * as z from 'zod'

/** Ids of rows: version 7 uuids. */
export const Id = z.uuid()

/** A time in ISO 8601, UTC. */
export const Instant = z.iso.datetime()

/** A tax rate in percent; some have a half per cent. */
export const VatPercent = z.number().min(0).max(100)

/** Whole forints. A JSON number is exact up to 2^53; amounts above 10^12 Ft are refused. */
export const AmountFt = z.int().min(-1_000_000_000_000).max(1_000_000_000_000)

/** A requested payment, refund or assignment: at least one forint. */
export const WishedFt = z.int().min(1).max(1_000_000_000_000)

/** An amount that a person saw on a page and agrees to: a price may be 0, but not negative. */
export const SeenFt = z.int().min(0).max(1_000_000_000_000)

/** The 8 unambiguous characters that people read aloud; see src/domain/kernel/identifier.ts. */
export const Identifier = z.string().regex(/^[acdefghjkmnpqrtuvwxy34679]{8}$/)

/** The specification writes these flags as 0 or 1. */
export const Flag01 = z.union([z.literal(0), z.literal(1)])

/** The response of a call without a result. Browsers parse it, so it is not defined with the routes. */
export const Nothing = z.object({})

/** The maximum number of items in one list response, and the default (architecture section 5). */
export const MAX_ITEMS = 1_000

/** The version of the terms of service that a page showed. Required if the person accepted another one before. */
export const TermsVersion = z.string().min(1).max(40)
