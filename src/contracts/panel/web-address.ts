/** The longest address of a file on the web. */
export const MAX_ADDRESS_LENGTH = 2_048

const PORTS_OF_THE_WEB: readonly number[] = [80, 443]
/** Below it are the ports of mail, remote shells and shares, which a request of the web has no business with. */
const FIRST_FREE_PORT = 1_024
/** Programs read them differently: one drops them, another ends the line there. */
const AMBIGUOUS = /[\s\\\u0000-\u001f\u007f]/u

/** The port of an http or https address. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/**
 * A web address that a node may ask, as far as its text says: http or https, no name and password, a port of the web or
 * one that needs no privileges. `base` is the address that led to it: a redirect may be relative, and never gives up TLS.
 */
export const webAddressOf = (text: string, base?: URL): URL | undefined => {
  if (text.length > MAX_ADDRESS_LENGTH || AMBIGUOUS.test(text) || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && base?.protocol !== 'https:')
  if (!isWeb || url.hostname === '' || url.username !== '' || url.password !== '') return undefined
  const port = portOf(url)
  return PORTS_OF_THE_WEB.includes(port) || port >= FIRST_FREE_PORT ? url : undefined
}
