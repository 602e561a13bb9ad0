import * as z from 'zod'

/** The languages of the product, in the order they are offered. */
export const LOCALES = ['en', 'hu', 'de'] as const
export const Locale = z.enum(LOCALES)
export type Locale = z.infer<typeof Locale>

/** A text of the CMS in the three languages. */
export const LocalizedText = z.object({ en: z.string(), hu: z.string(), de: z.string() })
export type LocalizedText = z.infer<typeof LocalizedText>
