/** A port of a server. */
export type LinkablePort = { readonly port: number; readonly primary: boolean }

/** The variables of a server that contain one of its ports: the primary one, whichever that is, or one by its number. */
export type PortLinks = Readonly<Record<string, 'primary' | `${number}`>>

const numberText = (port: number): `${number}` => `${port}`

const primaryOf = (ports: readonly LinkablePort[]): LinkablePort | undefined =>
  ports.find(({ primary }) => primary) ?? ports[0]

/** The link of a variable whose template names a place in the list of ports: the first one is the primary. */
export function linkOfPlace(place: number, ports: readonly LinkablePort[]): PortLinks[string] | undefined {
  if (place === 0) return 'primary'
  const chosen = ports[place]
  return chosen && numberText(chosen.port)
}

/** The number that a link means now; undefined when the server no longer has the port. */
export function linkedPort(link: string, ports: readonly LinkablePort[]): number | undefined {
  if (link === 'primary') return primaryOf(ports)?.port
  return ports.find(({ port }) => numberText(port) === link)?.port
}

/** The link that a text from a form chooses among the server's ports, or undefined. */
export function chosenLink(text: string, ports: readonly LinkablePort[]): PortLinks[string] | undefined {
  if (text === 'primary') return ports.length > 0 ? 'primary' : undefined
  const chosen = ports.find(({ port }) => numberText(port) === text)
  return chosen && numberText(chosen.port)
}

/** The links of a server that got other ports, as on another node: each keeps its place in the list. */
export function movedLinks(
  links: PortLinks,
  before: readonly LinkablePort[],
  after: readonly LinkablePort[],
): PortLinks {
  const moved = Object.entries(links).map(([name, link]): [string, PortLinks[string]] => {
    const place = before.findIndex(({ port }) => numberText(port) === link)
    const now = link === 'primary' ? undefined : after[place]
    return [name, now ? numberText(now.port) : link]
  })
  return Object.fromEntries(moved)
}
