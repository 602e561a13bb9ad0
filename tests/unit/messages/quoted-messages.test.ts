import { describe, expect, it } from 'vitest'
import en from '../../../src/messages/en.json' with { type: 'json' }

/** Every message that the specification quotes, letter by letter, and where the English catalog holds it. */
const quoted: readonly (readonly [text: string, path: string])[] = [
  ['Invalid code.', 'refusals.invalidCode'],
  ['You need extra {price} HUF to purchase this server.', 'refusals.needExtra'],
  ["You don't have enough balance for this purchase!", 'refusals.notEnoughBalance'],
  ['Invalid spin count!', 'refusals.invalidSpinCount'],
  ['The coupon does not exist!', 'refusals.couponNotFound'],
  ['Invalid coupon code...', 'refusals.invalidCoupon'],
  ['The key is not valid...', 'refusals.invalidKey'],
  ['Failed to reconnect to console. Please refresh the page.', 'refusals.consoleReconnect'],
  ['The given passwords are mismatching.', 'refusals.passwordsMismatch'],
  ['This page could not be found', 'errorPage.notFound'],
  ['Error', 'errorPage.error'],
  ['An error occurred while showing the error page', 'errorPage.inError'],
  ['Go back home', 'errorPage.goHome'],
  ['Invalid code.', 'errors.INVALID_CODE'],
  ['You need extra {price} HUF to purchase this server.', 'errors.INSUFFICIENT_BALANCE'],
  ['The coupon does not exist!', 'errors.COUPON_NOT_FOUND'],
  ['The given passwords are mismatching.', 'auth.invalid.mismatch'],
]

const at = (path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], en)

describe('messages quoted by the specification', () => {
  it.each(quoted)('%s is in the English catalog as %s', (text, path) => {
    expect(at(path)).toBe(text)
  })
})
