/** The answer of a decision: a value, or a business "no" with a code from a closed list. */
export type Result<Value, Refusal> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Refusal)

/** Wraps the value of a decision that went through. */
export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value })

/** Wraps a business refusal: a code, and the facts that its message needs. */
export const refuse = <Refusal extends { code: string }>(refusal: Refusal): { readonly ok: false } & Refusal => ({
  ok: false,
  ...refusal,
})
