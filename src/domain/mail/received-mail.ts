/** Headers of a received mail in their order, with names in lower case. */
export type MailHeader = { readonly name: string; readonly value: string }

const valuesOf = (headers: readonly MailHeader[], name: string): readonly string[] =>
  headers.filter((header) => header.name === name).map(({ value }) => value.trim().toLowerCase())

const MACHINES = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)(?:[+@]|$)/i
const MARKS = ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-loop']

/**
 * Whether a program wrote a mail: an automatic answer (RFC 3834), a mailing list (RFC 2369, 2919), or a report of a mail server, whose
 * return path is empty. Such a mail becomes no message and is never answered (clarifications part 6).
 */
export const isAutomatic = (headers: readonly MailHeader[], sender: string): boolean => {
  const submitted = valuesOf(headers, 'auto-submitted')
  if (submitted.some((value) => !/^no\b/.test(value))) return true
  if (valuesOf(headers, 'precedence').some((value) => /^(?:bulk|junk|list|auto[_-]reply)$/.test(value))) return true
  if (headers.some(({ name }) => MARKS.includes(name) || name.startsWith('list-'))) return true
  if (valuesOf(headers, 'return-path').some((value) => value === '<>' || value === '')) return true
  return MACHINES.test(sender)
}

/** Enhanced status codes (RFC 3463) of no address. A full mailbox and a refused text are no such thing, and 5.1.0 is also used for a refused sender. */
const NO_ADDRESS = /^5\.(?:1\.(?:1|2|3|6|10)|2\.1|4\.4)$/

/** Whether an enhanced status code says that an address exists no more, or never did. */
export const isNoAddress = (status: string): boolean => NO_ADDRESS.test(status)

/** The end of one delivery, as a mail server reports it (RFC 3464): to which addresses, in lower case, the mail was to go. */
export type DeliveryReport = {
  readonly action: string
  readonly status: string
  readonly recipients: readonly string[]
}

/** Whether a report says that mails to the address are of no use. */
export const endsAddress = ({ action, status }: Pick<DeliveryReport, 'action' | 'status'>): boolean =>
  action.toLowerCase() === 'failed' && isNoAddress(status)

/**
 * Whether a report can be about an address. One that names another address, to which somebody forwards their mails, says nothing about
 * theirs; one that names none counts (RFC 3464 2.3 requires a name, servers leave it out).
 */
export const isAbout = (recipients: readonly string[], address: string): boolean =>
  recipients.length === 0 || recipients.includes(address.toLowerCase())

const FIELD = /^(action|status|final-recipient|original-recipient)[ \t]*:[ \t]*([^\r\n]{1,300})$/gim

/**
 * The only delivery that a report tells of; null for none or several, because we send each mail to one address. `text` is the part
 * message/delivery-status.
 */
export const deliveryReport = (text: string): DeliveryReport | null => {
  const found = [...text.matchAll(FIELD)].map(
    ([, name = '', value = '']) => [name.toLowerCase(), value.trim()] as const,
  )
  const one = (name: string): string | undefined => {
    const values = found.filter(([key]) => key === name).map(([, value]) => value)
    return values.length === 1 ? values[0] : undefined
  }
  const [action, status] = [one('action'), one('status')?.match(/^[245]\.\d{1,3}\.\d{1,3}/)?.[0]]
  const recipients = ['final-recipient', 'original-recipient'].flatMap((name) => {
    const [, address] = one(name)?.split(';', 2) ?? []
    return address === undefined ? [] : [address.trim().replaceAll(/^<|>$/g, '').toLowerCase()]
  })
  return action === undefined || status === undefined ? null : { action, status, recipients }
}
