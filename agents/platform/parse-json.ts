import type * as z from 'zod'

/**
 * The value in a JSON text, or undefined if it is absent, invalid, or violates the schema. A parser's error quotes the
 * text, which may be a key, so it is dropped.
 */
export const parseJson = <T>(schema: z.ZodType<T>, text: string | undefined): T | undefined => {
  if (text === undefined) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
