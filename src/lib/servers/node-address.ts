/**
 * The address of a path on a server's node: the computer's url with the path. An empty url means the page's own origin. `page`
 * is the address of the page.
 */
export const nodeAddress = ({ url, path }: { readonly url: string; readonly path: string }, page: string): URL => {
  const address = new URL(url === '' ? '/' : url, page)
  address.pathname = `${address.pathname.replace(/\/$/, '')}${path}`
  address.search = ''
  if (address.protocol.startsWith('ws')) address.protocol = address.protocol.replace('ws', 'http')
  return address
}
