import type { NodePorts } from '#contracts/panel/node-ports.ts'
import type { ServerCore } from './server-core.ts'

/** What listens on the ports that a server's specification names. Nothing does while no program of the server runs. */
export const listeningOn = async ({ record, isLive, deps, layout }: ServerCore): Promise<NodePorts> => {
  const { task, spec } = record
  const ports = (spec?.allocations ?? []).map(({ port }) => port)
  if (task?.kind !== 'server' || !isLive) return { ports: ports.map((port) => ({ port, tcp: false, udp: false })) }
  const seen = await deps.driver.listening(task, layout)
  return {
    ports: ports.map((port) => ({ port, tcp: seen?.tcp.has(port) ?? null, udp: seen?.udp.has(port) ?? null })),
  }
}
