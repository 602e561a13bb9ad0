import { TOPUP_MAXIMUM_FT, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'

export type AmountRefusal = 'empty' | 'notWhole' | 'tooSmall' | 'tooLarge'
export type AmountRead = { ok: true; amountFt: number } | { ok: false; code: AmountRefusal }

/** Removes the language's own thousands separator between groups of three, as the page writes it. */
const withoutGroups = (text: string, locale: string): string => {
  const group = new Intl.NumberFormat(locale).formatToParts(10_000).find(({ type }) => type === 'group')?.value ?? ''
  const groups = text.split(group)
  const isGrouped = groups.every((part, place) => (place === 0 ? /^[0-9]{1,3}$/ : /^[0-9]{3}$/).test(part))
  return isGrouped ? groups.join('') : text
}

/**
 * Parses a typed amount: digits, grouped by spaces or as in the language. "10,5" or "1e3" are refused, so that nobody
 * has to guess their meaning.
 */
export const readAmount = (
  typed: string,
  locale: string,
  bounds: { minimumFt: number; maximumFt: number } = { minimumFt: TOPUP_MINIMUM_FT, maximumFt: TOPUP_MAXIMUM_FT },
): AmountRead => {
  const digits = withoutGroups(typed.replaceAll(/[\s\u00A0\u202F]/g, ''), locale)
  if (digits === '') return { ok: false, code: 'empty' }
  if (!/^[0-9]+$/.test(digits)) return { ok: false, code: 'notWhole' }
  if (digits.length > 9) return { ok: false, code: 'tooLarge' }
  const amountFt = Number(digits)
  if (amountFt < bounds.minimumFt) return { ok: false, code: 'tooSmall' }
  if (amountFt > bounds.maximumFt) return { ok: false, code: 'tooLarge' }
  return { ok: true, amountFt }
}
