import * as z from 'zod'
import type { Tariff } from '#domain/payments/payment-amount.ts'

const TARIFF = /^(premium-sms|premium-call):([1-9]\d{0,6}):([1-9]\d{0,6}):(\+?[\d-]{3,20})$/
const KEYWORD = /^[A-Z]{2,12}$/
const MIN_SECRET = 32

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))

export const PHONE_VARIABLES = {
  /** The aggregator's signing secrets, separated by commas: during a rotation both are valid. */
  PHONE_SECRETS: list.refine((secrets) => secrets.every((secret) => secret.length >= MIN_SECRET)),
  /** `kind:paid:credited:number`, separated by commas, such as `premium-sms:1905:800:06-90-888-333`. */
  PHONE_TARIFFS: list.transform((texts, issues) => texts.flatMap((text) => tariffOf(text) ?? complain(issues, text))),
  /** The first word of every message. */
  PHONE_KEYWORD: z.string().regex(KEYWORD).default('BAKTER'),
}

export type PhoneSettings = {
  readonly secrets: readonly string[]
  readonly tariffs: readonly Tariff[]
  readonly keyword: string
}

function tariffOf(text: string): Tariff | undefined {
  const [, kind, paid, credited, number] = TARIFF.exec(text) ?? []
  if (!kind || !paid || !credited || !number || BigInt(credited) > BigInt(paid)) return undefined
  const premium = kind === 'premium-call' ? kind : 'premium-sms'
  return { kind: premium, paidFt: BigInt(paid), creditedFt: BigInt(credited), number }
}

function complain(issues: z.RefinementCtx, text: string): Tariff[] {
  issues.addIssue({ code: 'custom', message: `${text} is no tariff` })
  return []
}

const Variables = z.object(PHONE_VARIABLES)

/** Undefined without a secret and a tariff. */
export function phoneSettings(variables: z.infer<typeof Variables>): PhoneSettings | undefined {
  const { PHONE_SECRETS: secrets, PHONE_TARIFFS: tariffs, PHONE_KEYWORD: keyword } = variables
  return secrets.length > 0 && tariffs.length > 0 ? { secrets, tariffs, keyword } : undefined
}
