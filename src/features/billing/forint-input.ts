import { TOPUP_MAXIMUM_FT, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'

export type AmountRefusal = 'empty' | 'notWhole' | 'tooSmall' | 'tooLarge'
export type AmountRead = { ok: true; amountFt: number } | { ok: false; code: AmountRefusal }

/** Reads what was typed: digits with spaces between them. Nobody guesses what "10,5" or "1e3" means: it is refused. */
export const readAmount = (typed: string): AmountRead => {
  const digits = typed.replaceAll(/[\s\u00A0\u202F]/g, '')
  if (digits === '') return { ok: false, code: 'empty' }
  if (!/^[0-9]+$/.test(digits)) return { ok: false, code: 'notWhole' }
  if (digits.length > 9) return { ok: false, code: 'tooLarge' }
  const amountFt = Number(digits)
  if (amountFt < TOPUP_MINIMUM_FT) return { ok: false, code: 'tooSmall' }
  if (amountFt > TOPUP_MAXIMUM_FT) return { ok: false, code: 'tooLarge' }
  return { ok: true, amountFt }
}
