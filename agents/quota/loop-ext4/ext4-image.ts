import fs from 'node:fs'
import path from 'node:path'
import { AgentError } from '../../platform/agent-error.ts'
import type { RunCommand } from '../../platform/run-command.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import { reserveOfDisk } from '../node-reserve.ts'

const BLOCK_BYTES = 4_096
/** The unit in which the kernel counts the blocks of a file. */
const DISK_BLOCK_BYTES = 512
/** One file for each so many bytes: worlds have large files, what npm installs many small ones. */
const BYTES_FOR_INODE = 8_192
const JOURNAL_MIB = 4
const FORMAT = ['-q', '-F', '-b', `${BLOCK_BYTES}`, '-m', '0', '-i', `${BYTES_FOR_INODE}`, '-J', `size=${JOURNAL_MIB}`]
/** e2fsck ended with repaired errors, or without any. */
const REPAIRED = 1
/**
 * Something may hold a disk for a moment, as its loop device does after the last user; it releases the disk within some
 * of these.
 */
const RELEASED_AFTER_MS = 100
const RELEASE_TRIES = 10

export interface ImageDeps {
  readonly run: RunCommand
  readonly timers: Timers
}

const markOf = (file: string): string => `${file}.growing`
const noRoom = (): NodeJS.ErrnoException => Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })

/** Images of ext4 in files, by the programs of util-linux and e2fsprogs. */
export class Ext4Images {
  readonly #deps: ImageDeps

  constructor(deps: ImageDeps) {
    this.#deps = deps
  }

  /** Appears under its name when it is complete. All its bytes are reserved, so that the node cannot run out of them later. */
  async make(file: string, bytes: number): Promise<void> {
    const part = `${file}.part`
    fs.rmSync(part, { force: true })
    try {
      await this.#reserve(part, bytes)
      // Discarding would give the reserved bytes back.
      await this.#must('mkfs.ext4', [...FORMAT, '-E', 'nodiscard,lazy_itable_init=1', '-e', 'remount-ro', part])
      place(part, file)
    } finally {
      fs.rmSync(part, { force: true })
    }
  }

  /** Mounts the image, repaired if the machine lost power. */
  async mount(file: string, folder: string): Promise<void> {
    if (!(await this.isAttached(file))) await this.check(file)
    await this.#must('mount', ['-t', 'ext4', '-o', 'loop,nosuid,nodev', file, folder])
  }

  /** False when something in it is in use, for longer than the agent itself looks into a folder. */
  async unmount(folder: string): Promise<boolean> {
    for (let tries = 0; tries < RELEASE_TRIES; tries += 1) {
      if ((await this.#deps.run('umount', [folder])).code === 0) return true
      await sleep(this.#deps.timers, RELEASED_AFTER_MS)
    }
    return false
  }

  /** At once, also while somebody still reads there: the disk ends with its last reader. */
  async detach(folder: string): Promise<void> {
    await this.#must('umount', ['-l', folder])
  }

  /** Whether the kernel still uses the image: a container can hold it after it was unmounted here. */
  async isAttached(file: string): Promise<boolean> {
    for (let tries = 0; tries < RELEASE_TRIES; tries += 1) {
      if ((await this.#must('losetup', ['-n', '-O', 'NAME', '-j', file])).trim() === '') return false
      await sleep(this.#deps.timers, RELEASED_AFTER_MS)
    }
    return true
  }

  async check(file: string, ...options: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await this.#deps.run('e2fsck', ['-p', ...options, file])
    if (code !== null && code <= REPAIRED) return
    const said = `${stdout}${stderr}`.trim().slice(0, 500)
    const sentence = `The storage ${file} is damaged, and e2fsck does not repair it by itself: ${said}`
    throw new AgentError('STORAGE_UNAVAILABLE', sentence)
  }

  /** Whether a growth was interrupted: the file may have its new size already, and the disk in it the old one. */
  isGrowing(file: string): boolean {
    return fs.existsSync(markOf(file))
  }

  /** Grows an image that nothing uses. Without room for it, everything stays as it was. */
  async grow(file: string, bytes: number): Promise<void> {
    const { size } = fs.statSync(file)
    fs.writeFileSync(markOf(file), '')
    try {
      await this.#reserve(file, bytes)
    } catch (error) {
      fs.truncateSync(file, size)
      throw error
    }
    await this.check(file, '-f')
    await this.#must('resize2fs', [file])
    fs.rmSync(markOf(file))
  }

  /**
   * Shrinks an image that nothing uses. A copy is made smaller and then takes its place: an interruption loses nothing.
   */
  async shrink(file: string, bytes: number): Promise<void> {
    const part = `${file}.part`
    try {
      await this.#must('cp', ['--sparse=always', '--', file, part])
      await this.check(part, '-f')
      await this.#must('resize2fs', [part, `${Math.floor(bytes / BLOCK_BYTES)}`])
      fs.truncateSync(part, bytes)
      await this.#reserve(part, bytes)
      place(part, file)
    } finally {
      fs.rmSync(part, { force: true })
    }
  }

  async #reserve(file: string, bytes: number): Promise<void> {
    // Asked first, because the attempt would take everything that is left away from others for a moment.
    const missing = bytes - allocatedBytes(file)
    const { bavail, blocks, bsize } = fs.statfsSync(path.dirname(file))
    if (missing > 0 && missing > bavail * bsize - reserveOfDisk({ blocks, bsize })) throw noRoom()
    const { code, stderr } = await this.#deps.run('fallocate', ['-l', `${bytes}`, file])
    if (code === 0) return
    if (stderr.includes('No space left')) throw noRoom()
    throw new AgentError('STORAGE_UNAVAILABLE', `fallocate failed: ${stderr.trim().slice(0, 500)}`)
  }

  async #must(command: string, args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#deps.run(command, args)
    if (code === 0) return stdout
    if (stderr.includes('No space left')) throw noRoom()
    throw new AgentError('STORAGE_UNAVAILABLE', `${command} failed: ${`${stdout}${stderr}`.trim().slice(0, 500)}`)
  }
}

const allocatedBytes = (file: string): number =>
  (fs.statSync(file, { throwIfNoEntry: false })?.blocks ?? 0) * DISK_BLOCK_BYTES

/** The whole image is on the disk before it gets its name. */
const place = (part: string, file: string): void => {
  const handle = fs.openSync(part, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  fs.renameSync(part, file)
}
