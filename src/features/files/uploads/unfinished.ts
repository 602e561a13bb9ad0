import { BETWEEN_PARTS_MS, type OpenUpload } from '#contracts/panel/uploads.ts'
import { uploadIdOf } from './in-parts.ts'
import type { RememberedUpload } from './remembered-uploads.ts'

/** The facts that this page knows beside the node's list. */
export type Present = {
  readonly tab: string
  /** When this page was loaded. */
  readonly loadedAtMs: number
  readonly remembered: readonly RememberedUpload[]
  /** The places that the queue of this page sends to, and the uploads that it has ended. */
  readonly active: ReadonlySet<string>
  readonly ended: ReadonlySet<string>
}

/** `resume`: goes on with its file. `arriving`: another browser of the reader sends it. `others`: somebody else's. */
export type Unfinished = OpenUpload & {
  readonly way: 'resume' | 'arriving' | 'others'
  readonly isPaused: boolean
  /** The upload as this browser remembers it. */
  readonly known: RememberedUpload | undefined
}

/** The uploads of a server that this page does not send, and what the reader can do with each. */
export const unfinishedOf = (open: readonly OpenUpload[], present: Present): Unfinished[] =>
  open.flatMap((upload): Unfinished[] => {
    const known = present.remembered.find(({ url }) => uploadIdOf(url) === upload.id)
    const made = { ...upload, known, isPaused: known?.isPaused ?? false }
    if (present.ended.has(upload.id)) return []
    if (!upload.isOwn) return [{ ...made, way: 'others' }]
    if (present.active.has(upload.path)) return []
    const isLive = upload.isArriving || upload.idleMs < BETWEEN_PARTS_MS
    // A tab that was loaded again sends nothing, however short ago its last part arrived.
    const isOfThisTab = known?.tab === present.tab
    if (isOfThisTab && known.touchedAtMs >= present.loadedAtMs) return []
    return [{ ...made, way: isLive && !isOfThisTab && !made.isPaused ? 'arriving' : 'resume' }]
  })

/** The upload that a chosen file may belong to: whether it does is seen by its bytes. */
export const belongingTo = <Kind extends Pick<OpenUpload, 'name' | 'bytes'>>(
  file: Pick<File, 'name' | 'size'>,
  uploads: readonly Kind[],
): Kind | undefined => uploads.find(({ name, bytes }) => bytes === file.size && name === file.name)
