import * as z from 'zod'

const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional())
const address = z.url().transform((url) => url.replace(/\/+$/, ''))

export const BARION_VARIABLES = {
  /** The shop's secret key at Barion. */
  BARION_POS_KEY: text,
  /** E-mail address of the shop's wallet, which receives the payments. */
  BARION_PAYEE: text,
  BARION_API_URL: address.default('https://api.barion.com'),
  /** Address of the payment page. */
  BARION_PAY_URL: address.default('https://secure.barion.com'),
}

export type BarionSettings = {
  readonly posKey: string
  readonly payee: string
  readonly apiUrl: string
  readonly payUrl: string
}

const Variables = z.object(BARION_VARIABLES)

/** Undefined until key and payee are set. */
export function barionSettings(variables: z.infer<typeof Variables>): BarionSettings | undefined {
  const { BARION_POS_KEY: posKey, BARION_PAYEE: payee, BARION_API_URL: apiUrl, BARION_PAY_URL: payUrl } = variables
  return posKey && payee ? { posKey, payee, apiUrl, payUrl } : undefined
}
