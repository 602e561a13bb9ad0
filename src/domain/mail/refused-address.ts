import { isNoAddress } from './received-mail.ts'

const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/
/**
 * Servers without enhanced codes write the first about a mailbox that is not there, and the second about everything
 * else.
 */
const NAMES_MAILBOX = /\b(?:user|mailbox|recipient|account|address|alias|person|rcpt)\b/i
const NAMES_REASON =
  /relay|sender|spam|polic|block|listed?\b|denied|prohibit|authenticat|reputation|quota|full|rate|try again|not permitted/i

/**
 * The status (RFC 3463) of an address that does not exist, by the answer of a mail server to it at RCPT (RFC 5321 4.2.2), such as `550
 * 5.1.1 No such user`. Undefined for every other refusal: 550 also stands for relaying and policies, which are no fault of the address.
 */
export const refusedAddress = (answer: string): string | undefined => {
  const status = ENHANCED.exec(answer)?.[1]
  if (status !== undefined) return isNoAddress(status) ? status : undefined
  const isUnknown = /^550\b/.test(answer) && NAMES_MAILBOX.test(answer) && !NAMES_REASON.test(answer)
  return isUnknown ? '5.1.1' : undefined
}
