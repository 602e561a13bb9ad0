/** The ports at which programs of one network namespace listen. */
export interface ListeningPorts {
  readonly tcp: ReadonlySet<number>
  readonly udp: ReadonlySet<number>
}

/** States of the kernel's table: a tcp socket that listens, and a udp socket that is bound and not connected. */
const LISTENS = { tcp: '0A', udp: '07' } as const

const portsIn = (table: string, state: string): number[] =>
  table.split('\n').flatMap((row) => {
    const [, local = '', , found] = row.trim().split(/\s+/)
    const port = Number.parseInt(local.split(':')[1] ?? '', 16)
    return found === state && Number.isInteger(port) ? [port] : []
  })

/**
 * The listening ports in the network namespace of a process, from the kernel's tables of IPv4 and IPv6. `read` gives the text of a file, or
 * undefined. Undefined when the process is gone or the tables are not visible here.
 */
export const listeningPorts = async (
  pid: number,
  read: (file: string) => Promise<string | undefined>,
): Promise<ListeningPorts | undefined> => {
  const tables = await Promise.all(['tcp', 'tcp6', 'udp', 'udp6'].map((name) => read(`/proc/${pid}/net/${name}`)))
  const [tcp, tcp6, udp, udp6] = tables
  // A node without IPv6 has no table of it.
  if (tcp === undefined || udp === undefined) return undefined
  const all = (state: string, ...texts: (string | undefined)[]): Set<number> =>
    new Set(texts.flatMap((text) => (text === undefined ? [] : portsIn(text, state))))
  return { tcp: all(LISTENS.tcp, tcp, tcp6), udp: all(LISTENS.udp, udp, udp6) }
}
