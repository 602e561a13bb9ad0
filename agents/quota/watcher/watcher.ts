import type { DiskUsage } from '../disk-usage.ts'
import type { FilePlace, QuotaDriver, StorageUse } from '../quota-driver.ts'

/**
 * Files in a folder of the node's disk, measured by walking. The doors to the files refuse what does not fit; a program that
 * writes beyond it is stopped (agents/servers/storage-watcher.ts).
 */
export class Watcher implements QuotaDriver {
  readonly name = 'watcher'
  readonly bindsGame = false
  readonly #disk: DiskUsage

  constructor(disk: DiskUsage) {
    this.#disk = disk
  }

  prepare(): Promise<void> {
    return Promise.resolve()
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  resize(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  usageOf({ root, files }: FilePlace): StorageUse {
    return {
      bytes: this.#disk.of(root),
      ownBytes: this.#disk.of(files),
      measurement: this.#disk.walksOf(root) + this.#disk.walksOf(files),
      measuredAtMs: Math.min(this.#disk.walkedAtMs(root), this.#disk.walkedAtMs(files)),
    }
  }

  async measure(place: FilePlace): Promise<StorageUse> {
    await this.#disk.measure(place.root)
    await this.#disk.measure(place.files)
    return this.usageOf(place)
  }

  forget({ root, files }: FilePlace): void {
    for (const folder of [root, files]) this.#disk.forget(folder)
  }

  remove(place: FilePlace): Promise<void> {
    this.forget(place)
    return Promise.resolve()
  }
}
