import fs from 'node:fs'
import path from 'node:path'
import type { Clock } from '#platform/clock.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { DiskUsage } from '../disk-usage.ts'
import type { Ext4Images } from './ext4-image.ts'
import { imageBytesOf } from './image-size.ts'
import type { FilePlace, NewSize, NotResized, QuotaDriver, StorageImage, StorageUse } from '../quota-driver.ts'

/** Requests that come together see one measurement. */
const MEASURED_FOR_MS = 1_000
const MIB = 1024 * 1024

interface LoopExt4Deps {
  readonly clock: Clock
  /** Measures the node's own area, which lies on the image beside the customer's files. */
  readonly disk: DiskUsage
  readonly images: Ext4Images
}

interface Known {
  readonly bytes: number
  readonly atMs: number
  readonly measurement: number
}

const imageOf = ({ image }: FilePlace): StorageImage => {
  if (image === null) throw new Error('This server has no image.')
  return image
}

/** The folder is on another disk than the one above it. */
const isMounted = ({ mountpoint }: StorageImage): boolean => {
  const here = fs.statSync(mountpoint, { throwIfNoEntry: false })
  return here !== undefined && here.dev !== fs.statSync(path.dirname(mountpoint)).dev
}

/** The bytes that files and folders take on a mounted image. */
const usedBytes = (folder: string): number => {
  try {
    const { blocks, bfree, bsize } = fs.statfsSync(folder)
    return (blocks - bfree) * bsize
  } catch {
    // It is not mounted.
    return 0
  }
}

/** A disk of its own for each server: ext4 in a file of the node's disk. The kernel refuses whatever does not fit, to everybody. */
export class LoopExt4 implements QuotaDriver {
  readonly name = 'loop-ext4'
  readonly bindsGame = true
  readonly #deps: LoopExt4Deps
  readonly #known = new Map<string, Known>()
  /** The work that is under way for an image; the next work waits for it. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(deps: LoopExt4Deps) {
    this.#deps = deps
  }

  prepare(place: FilePlace, limitMiB: number): Promise<void> {
    const image = imageOf(place)
    return this.#inTurn(image, async () => {
      if (!fs.existsSync(image.file)) await this.#deps.images.make(image.file, imageBytesOf(limitMiB))
      await this.#mount(image)
    })
  }

  open(place: FilePlace): Promise<void> {
    const image = imageOf(place)
    return this.#inTurn(image, () => this.#mount(image))
  }

  resize(place: FilePlace, { limitMiB, release }: NewSize): Promise<NotResized | undefined> {
    const image = imageOf(place)
    const wanted = imageBytesOf(limitMiB)
    return this.#inTurn(image, async () => {
      const { size } = fs.statSync(image.file)
      const { images } = this.#deps
      if (size === wanted && !images.isGrowing(image.file)) return undefined
      if (wanted < size && usedBytes(image.disk) > limitMiB * MIB) return 'too-full'
      await release()
      if (isMounted(image) && !(await images.unmount(image.mountpoint))) return 'in-use'
      try {
        if (await images.isAttached(image.file)) return 'in-use'
        await (wanted < size ? images.shrink(image.file, wanted) : images.grow(image.file, wanted))
        return undefined
      } finally {
        await this.#mount(image)
      }
    })
  }

  async measure(place: FilePlace): Promise<StorageUse> {
    this.#known.delete(imageOf(place).disk)
    await this.#deps.disk.measure(place.files)
    return this.usageOf(place)
  }

  usageOf(place: FilePlace): StorageUse {
    const { disk } = imageOf(place)
    const { clock, disk: usage } = this.#deps
    const nowMs = clock.now()
    let known = this.#known.get(disk)
    if (known === undefined || nowMs - known.atMs >= MEASURED_FOR_MS || nowMs < known.atMs) {
      known = { bytes: usedBytes(disk), atMs: nowMs, measurement: (known?.measurement ?? 0) + 1 }
      this.#known.set(disk, known)
    }
    const ownBytes = Math.min(usage.of(place.files), known.bytes)
    return { bytes: known.bytes - ownBytes, ownBytes, measurement: known.measurement }
  }

  forget(place: FilePlace): void {
    this.#known.delete(imageOf(place).disk)
    this.#deps.disk.forget(place.files)
  }

  remove(place: FilePlace): Promise<void> {
    const image = imageOf(place)
    return this.#inTurn(image, async () => {
      this.forget(place)
      if (isMounted(image)) await this.#deps.images.detach(image.mountpoint)
    })
  }

  async #mount(image: StorageImage): Promise<void> {
    if (isMounted(image)) return
    if (!fs.existsSync(image.file)) {
      throw new AgentError('STORAGE_UNAVAILABLE', `The storage ${image.file} of a server is missing.`)
    }
    fs.mkdirSync(image.mountpoint, { recursive: true, mode: 0o711 })
    await this.#deps.images.mount(image.file, image.mountpoint)
    fs.chmodSync(image.mountpoint, 0o711)
    fs.mkdirSync(image.disk, { recursive: true, mode: 0o711 })
  }

  #inTurn<Result>({ file }: StorageImage, run: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(file) ?? Promise.resolve()).catch(() => {}).then(run)
    this.#turns.set(file, turn)
    void turn.catch(() => {}).then(() => this.#turns.get(file) === turn && this.#turns.delete(file))
    return turn
  }
}
