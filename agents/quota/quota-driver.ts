/** The disk of a server that has one of its own. */
export interface StorageImage {
  readonly file: string
  readonly mountpoint: string
  /** The folder on the image that holds the files and the node's area. It exists only while the image is mounted. */
  readonly disk: string
}

/** Where a server's files and the node's own area beside them lie. */
export interface FilePlace {
  readonly root: string
  readonly files: string
  /** Null: in folders of the node's disk. */
  readonly image: StorageImage | null
}

/** The bytes that a server's files and the node's own area beside them take. */
export interface StorageUse {
  readonly bytes: number
  readonly ownBytes: number
  /** Another number for each measurement: two of them can find the same bytes. */
  readonly measurement: number
  /** The begin of that measurement; absent where it takes no time. */
  readonly measuredAtMs?: number | undefined
}

/**
 * Why the files could not be given another size now: a program or a request uses them, or they take more than the new size.
 * The next start tries again.
 */
export type NotResized = 'in-use' | 'too-full'

export interface NewSize {
  readonly limitMiB: number
  /** Ends whatever of the agent works on the files; called only when they get another size. */
  release(): Promise<void>
}

/** Where the files of a server lie, and how much of the disk they may take. All calls can be repeated. */
export interface QuotaDriver {
  readonly name: 'watcher' | 'loop-ext4'
  /** Whether the disk itself refuses what a server's program writes beyond the storage. */
  readonly bindsGame: boolean
  /** Makes a place of this size if there is none. Throws the disk's error, or an `AgentError` with a sentence. */
  prepare(place: FilePlace, limitMiB: number): Promise<void>
  /** Makes the files of a prepared place reachable, as after a restart of the machine. */
  open(place: FilePlace): Promise<void>
  /** Changes the size while no program of the server runs. Undefined when it fits. */
  resize(place: FilePlace, size: NewSize): Promise<NotResized | undefined>
  /** As it was last measured; nothing until the first measurement has ended. */
  usageOf(place: FilePlace): StorageUse
  /** As it is now. */
  measure(place: FilePlace): Promise<StorageUse>
  /** The server is gone: nothing of it is measured any more. */
  forget(place: FilePlace): void
  /** Makes the files unreachable, so that the server's folder can be removed. */
  remove(place: FilePlace): Promise<void>
}
