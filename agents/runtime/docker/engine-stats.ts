import type { DockerEngine } from './engine.ts'
import type { CgroupSample } from './cgroup.ts'

const NANOSECONDS_IN_MS = 1_000_000

/** Usage as reported by the engine, for nodes whose kernel files are not accessible; undefined without a report. */
export const sampleByEngine = async (engine: DockerEngine, containerId: string): Promise<CgroupSample | undefined> => {
  const told = await engine.ask('tell the usage of a container', (docker) =>
    docker.getContainer(containerId).stats({ stream: false, 'one-shot': true }),
  )
  if (!told.ok) return undefined
  const { cpu_stats, memory_stats, pids_stats, networks } = told.value
  if (memory_stats.usage === undefined) return undefined
  const cache = memory_stats.stats?.['inactive_file'] ?? memory_stats.stats?.['total_inactive_file'] ?? 0
  const links = Object.values(networks ?? {})
  return {
    cpuMs: cpu_stats.cpu_usage.total_usage / NANOSECONDS_IN_MS,
    memoryBytes: Math.max(0, memory_stats.usage - cache),
    processes: pids_stats?.current ?? 0,
    network: {
      receivedBytes: links.reduce((sum, link) => sum + link.rx_bytes, 0),
      sentBytes: links.reduce((sum, link) => sum + link.tx_bytes, 0),
    },
  }
}
