/** The body of a call: form fields by their flat names, such as `metadata[payment_id]`. */
export type StripeFields = ReadonlyMap<string, string>

/** A refusal in Stripe's own form. */
export class StripeRefusal extends Error {
  override name = 'StripeRefusal'
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error['message'] ?? error['code'] ?? error['type']))
    this.status = status
    this.error = error
  }
}

export const invalid = (param: string, message: string, code?: string): StripeRefusal =>
  new StripeRefusal(400, { type: 'invalid_request_error', param, message, ...(code === undefined ? {} : { code }) })

/** `a[b][0]=c` as Stripe reads it: list indexes are ignored. */
export function readFields(body: string): StripeFields {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body)) fields.set(name.replaceAll(/\[\d+\]/g, '[]'), value)
  return fields
}

/** Refuses a parameter that the call does not have, as Stripe does. `metadata` stands for all of its keys. */
export function onlyKnown(fields: StripeFields, known: readonly string[]): void {
  for (const name of fields.keys()) {
    const isKnown = known.some((one) => name === one || name.startsWith(`${one}[`))
    if (!isKnown) throw invalid(name, `Received unknown parameter: ${name}`, 'parameter_unknown')
  }
}

export function wholeNumber(fields: StripeFields, name: string): number {
  const text = fields.get(name)
  if (text === undefined) throw invalid(name, `Missing required param: ${name}.`, 'parameter_missing')
  if (!/^-?\d+$/.test(text)) throw invalid(name, `Invalid integer: ${text}`, 'parameter_invalid_integer')
  return Number(text)
}

export function metadataOf(fields: StripeFields): Record<string, string> {
  const pairs = [...fields].flatMap(([name, value]) => {
    const key = /^metadata\[([^\]]+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(pairs)
}
