import type * as z from 'zod'

/**
 * The value that a JSON text holds, or undefined when it is absent, no JSON, or does not fit the schema. A parser's error
 * quotes the text, which may be a key: it is not handed on.
 */
export const parseJson = <T>(schema: z.ZodType<T>, text: string | undefined): T | undefined => {
  if (text === undefined) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
