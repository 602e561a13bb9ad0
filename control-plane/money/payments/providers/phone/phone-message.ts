import * as z from 'zod'

/**
 * An aggregator's report of a customer's message or call. `gross` is the price that the customer paid, `forwarded` the
 * amount that the aggregator forwards; both in whole units of the currency. The money counts from `billed` on.
 */
export const PhoneMessage = z
  .object({
    messageId: z.string().regex(/^[\w.:-]{1,120}$/),
    kind: z.enum(['premium-sms', 'premium-call']),
    state: z.enum(['received', 'rejected', 'billed', 'charged_back']),
    /** The text of the message, or the digits typed during the call. */
    text: z.string().max(480),
    grossFt: z.int().positive(),
    forwardedFt: z.int().nonnegative(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    /** The last three digits of the sender's number. */
    senderTail: z.string().regex(/^\d{0,3}$/),
  })
  .refine(({ grossFt, forwardedFt }) => forwardedFt <= grossFt, 'More is forwarded than was paid.')
export type PhoneMessage = z.infer<typeof PhoneMessage>

/** The code in a text: after the keyword in a message, alone in a call. Phones change case and blanks. */
export function codeOf({ kind, text }: Pick<PhoneMessage, 'kind' | 'text'>, keyword: string): string | undefined {
  const words = text.trim().toLowerCase().split(/\s+/)
  const rest = kind === 'premium-sms' && words[0] === keyword.toLowerCase() ? words.slice(1) : words
  const code = rest.join('')
  return /^[a-z0-9]{8}$/.test(code) ? code : undefined
}
