import type { NodePorts } from '#contracts/panel/node-ports.ts'
import type { ServerCore } from './server-core.ts'

/** Tells for each port of a server's specification whether a program listens on it. None does while the server does not run. */
export const listeningOn = async ({ record, isLive, deps, layout }: ServerCore): Promise<NodePorts> => {
  const { task, spec } = record
  const ports = (spec?.allocations ?? []).map(({ port }) => port)
  if (task?.kind !== 'server' || !isLive) return { ports: ports.map((port) => ({ port, tcp: false, udp: false })) }
  const seen = await deps.driver.listening(task, layout)
  return {
    ports: ports.map((port) => ({ port, tcp: seen?.tcp.has(port) ?? null, udp: seen?.udp.has(port) ?? null })),
  }
}
