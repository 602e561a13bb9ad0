import type { ServerStats } from '#contracts/panel/messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { TaskSample } from '../runtime/driver/runtime-driver.ts'
import type { ServerCore } from '../servers/server-core.ts'
import type { QuotaDriver } from '../quota/quota-driver.ts'

const MIB = 1024 * 1024
const MIN_INTERVAL_MS = 200

/** CPU, memory and disk of one server for its viewers. CPU 100 is one core. */
export class ServerStatistics {
  readonly #core: ServerCore
  readonly #quota: QuotaDriver
  readonly #clock: Clock
  #before: { readonly taskId: string; readonly cpuMs: number; readonly atMs: number } | undefined
  #cpuPercent = 0
  #latest: ServerStats | undefined

  constructor(core: ServerCore, quota: QuotaDriver, clock: Clock) {
    this.#core = core
    this.#quota = quota
    this.#clock = clock
  }

  /** The last sample, or a first one. */
  async latest(): Promise<ServerStats> {
    return this.#latest?.state === this.#core.record.state ? this.#latest : this.take()
  }

  async take(): Promise<ServerStats> {
    const { task, state, spec } = this.#core.record
    const sample = task === null ? undefined : await this.#core.deps.driver.sample(task, this.#core.layout)
    this.#measureCpu(task?.taskId, sample)
    this.#latest = {
      state,
      cpu_absolute: sample === undefined ? 0 : Math.round(this.#cpuPercent * 10) / 10,
      memory_bytes: sample?.memoryBytes ?? 0,
      memory_limit_bytes: (spec?.limits.memoryMiB ?? 0) * MIB,
      disk_bytes: this.#quota.usageOf(this.#core.layout).bytes,
      disk_limit_bytes: (spec?.limits.storageMiB ?? 0) * MIB,
      network: sample?.network ? { rx_bytes: sample.network.receivedBytes, tx_bytes: sample.network.sentBytes } : null,
      uptime: sample?.uptimeMs ?? 0,
    }
    return this.#latest
  }

  #measureCpu(taskId: string | undefined, sample: TaskSample | undefined): void {
    if (taskId === undefined || sample === undefined) {
      this.#before = undefined
      this.#cpuPercent = 0
      return
    }
    const atMs = this.#clock.now()
    const before = this.#before?.taskId === taskId ? this.#before : undefined
    if (before !== undefined && atMs - before.atMs < MIN_INTERVAL_MS) return
    const spentMs = before === undefined ? 0 : Math.max(0, sample.cpuMs - before.cpuMs)
    this.#cpuPercent = before === undefined ? 0 : (spentMs / (atMs - before.atMs)) * 100
    this.#before = { taskId, cpuMs: sample.cpuMs, atMs }
  }
}
