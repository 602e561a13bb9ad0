import * as z from 'zod'
import { TAX_POINTS } from '#domain/billing/tax-point.ts'

/** The series prefix of a number: one to eight capital letters and digits, a letter first. */
export const SERIES_PREFIX = /^[A-Z][A-Z0-9]{0,7}$/

/** The tax point: when money comes in, or when something is bought with it. */
export const TaxPoint = z.enum(TAX_POINTS)
export type TaxPoint = z.infer<typeof TaxPoint>
