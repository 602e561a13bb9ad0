/** A provider's mailbox may have several addresses. */
type Provider = {
  readonly domains: readonly [string, ...string[]]
  /** Characters of the local part that the provider ignores. */
  readonly ignored?: RegExp
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
]

/**
 * The one name of a mailbox that several addresses lead to: in lower case, without the part after a plus, and in the
 * provider's own spelling. Providers that take a plus literally are rare, and two of their customers would only share
 * what is free once. Idempotent.
 */
export const mailboxOf = (email: string): string => {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  if (at < 0) return address
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const plus = local.indexOf('+')
  const base = plus > 0 ? local.slice(0, plus) : local
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  if (!provider) return `${base}@${domain}`
  const plain = provider.ignored === undefined ? base : base.replaceAll(provider.ignored, '')
  return `${plain || base}@${provider.domains[0]}`
}
