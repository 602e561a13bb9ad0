import type { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import type { AttachmentKind } from '#domain/tickets/attachment.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { createAttemptKeys } from '../browser-client/attempt-keys.ts'
import { ApiFailure } from '../browser-client/failure.ts'
import type { FileFault, Judged } from './judge-file.ts'

/**
 * `refused`: it was never sent. `failed`: sending it failed. `gone`: it was uploaded, and the site has it no more. `sent` of a file
 * under way is in bytes.
 */
type ItemState =
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly sent: number }
  | { readonly state: 'done'; readonly attachment: TicketAttachment }
  | { readonly state: 'refused'; readonly fault: FileFault }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'gone' }

/** A file beside a message that is being written. `file` is null if it was uploaded before the page was loaded. */
export type TrayItem = ItemState & {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly kind: AttachmentKind | null
  readonly file: File | null
}

type Sending = {
  readonly name: string
  readonly key: string
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

export type TrayDeps = {
  readonly judge: (file: File) => Promise<Judged>
  readonly send: (file: File, sending: Sending) => Promise<TicketAttachment>
  /** Removes an uploaded file at the site. */
  readonly drop: (id: string) => Promise<unknown>
  readonly newKey: () => string
  /** Is told about every change of the list. */
  readonly changed: () => void
}

/** The site has seen these files and will never take them. */
const FINAL = [413, 422]

/** Whether it is worth sending a file again. */
export const canRetry = (item: TrayItem): boolean => {
  if (item.file === null) return false
  if (item.state === 'gone') return true
  return item.state === 'failed' && !(item.failure instanceof ApiFailure && FINAL.includes(item.failure.status))
}

const isUnderWay = ({ state }: TrayItem): boolean => state === 'waiting' || state === 'sending'

/** The uploaded files of a list, in its order. */
export const uploadedIn = (list: readonly TrayItem[]): readonly TicketAttachment[] =>
  list.flatMap((item) => (item.state === 'done' ? [item.attachment] : []))

/** Why a message cannot be sent yet; null when it can. Nobody sends a message without a file that they see beside it. */
export const obstacleIn = (list: readonly TrayItem[]): 'uploading' | 'failed' | null =>
  list.some(isUnderWay) ? 'uploading' : list.some(({ state }) => state !== 'done') ? 'failed' : null

/** The files of one message that is being written. `list` is a new one after every change. */
export class AttachmentTray {
  readonly #deps: TrayDeps
  readonly #keys: ReturnType<typeof createAttemptKeys>
  readonly #ends = new Map<number, AbortController>()
  #list: readonly TrayItem[]
  #nextId = 1
  #isFull = false

  constructor(deps: TrayDeps, uploaded: readonly TicketAttachment[] = []) {
    this.#deps = deps
    this.#keys = createAttemptKeys(deps.newKey)
    this.#list = uploaded.map((attachment) => this.#uploaded(attachment))
  }

  #uploaded(attachment: TicketAttachment): TrayItem {
    const { name, size, kind } = attachment
    return { id: this.#nextId++, state: 'done', name, size, kind, file: null, attachment }
  }

  get list(): readonly TrayItem[] {
    return this.#list
  }

  /** Whether files of the last choice were left out, because a message has room for no more. */
  get isFull(): boolean {
    return this.#isFull
  }

  add(files: readonly File[]): void {
    const taken = this.#list.filter(({ state }) => state !== 'refused').length
    const room = Math.max(0, ATTACHMENT_BOUNDS.perMessage - taken)
    const added = files.slice(0, room).map((file): TrayItem => {
      const { name, size } = file
      return { id: this.#nextId++, state: 'waiting', name, size, kind: null, file }
    })
    this.#isFull = files.length > room
    this.#tell([...this.#list, ...added])
    for (const item of added) void this.#judge(item)
  }

  /** Takes a file away, here and at the site. */
  remove(id: number): void {
    const item = this.#list.find((each) => each.id === id)
    if (item === undefined) return
    this.#isFull = false
    this.#tell(this.#list.filter((each) => each.id !== id))
    if (item.state === 'done') this.#drop(item.attachment.id)
    // A file that is all on its way may be kept by now: its answer is awaited, so that it can be dropped.
    if (item.state === 'sending' && item.sent < item.size) this.#ends.get(id)?.abort()
  }

  retry(id: number): void {
    const item = this.#list.find((each) => each.id === id)
    if (item === undefined || item.file === null || !canRetry(item)) return
    this.#set(id, { state: 'waiting' })
    void this.#send(id, item.file)
  }

  /**
   * Takes the files of another message over, as far as there is room: the site keeps uploaded ones, and sending the others begins here again. None
   * stays behind where nobody sees it any more, but for want of room.
   */
  takeFrom(other: AttachmentTray): void {
    const wanted = other.#list.filter(({ state, file }) => state === 'done' || (state !== 'refused' && file !== null))
    const moved = wanted.slice(0, Math.max(0, ATTACHMENT_BOUNDS.perMessage - this.#list.length))
    const uploaded = uploadedIn(moved).map((attachment) => this.#uploaded(attachment))
    const unsent = moved.flatMap(({ state, file }) => (state === 'done' || file === null ? [] : [file]))
    this.#tell([...this.#list, ...uploaded])
    this.add(unsent)
    this.#isFull = moved.length < wanted.length
    other.#give(moved)
  }

  /** Gives items to another message: the site keeps the uploaded files, and sending the others ends. */
  #give(items: readonly TrayItem[]): void {
    const ids = new Set(items.map(({ id }) => id))
    this.#tell(this.#list.filter(({ id, state }) => state !== 'done' || !ids.has(id)))
    for (const { id, state } of items) if (state !== 'done') this.remove(id)
  }

  /** The message was sent with its files: the next one has none. */
  clear(): void {
    this.#isFull = false
    this.#tell([])
  }

  /** The site does not have all of the files any more. None of them is kept half, so that what is sent again is whole. */
  lose(): void {
    for (const { id } of uploadedIn(this.#list)) this.#drop(id)
    this.#tell(this.#list.map((item) => (item.state === 'done' ? { ...bare(item), state: 'gone' } : item)))
  }

  async #judge({ id, file }: TrayItem): Promise<void> {
    if (file === null) return
    const judged = await this.#deps.judge(file)
    if ('fault' in judged) return this.#set(id, { state: 'refused', fault: judged.fault })
    this.#tell(this.#list.map((item) => (item.id === id ? { ...item, kind: judged.kind } : item)))
    await this.#send(id, file)
  }

  async #send(id: number, file: File): Promise<void> {
    if (!this.#has(id)) return
    const end = new AbortController()
    this.#ends.set(id, end)
    this.#set(id, { state: 'sending', sent: 0 })
    const onSent = (bytes: number) => this.#set(id, { state: 'sending', sent: Math.min(bytes, file.size) })
    try {
      const attachment = await this.#keys.send(`file ${id}`, null, (key) =>
        this.#deps.send(file, { name: file.name, key, onSent, signal: end.signal }),
      )
      if (this.#has(id)) this.#set(id, { state: 'done', attachment })
      else this.#drop(attachment.id)
    } catch (failure) {
      this.#set(id, { state: 'failed', failure })
    } finally {
      this.#ends.delete(id)
    }
  }

  /** The site forgets an unsent file within a day, also if this request is lost. */
  #drop(attachmentId: string): void {
    this.#deps.drop(attachmentId).catch(() => {})
  }

  #has(id: number): boolean {
    return this.#list.some((item) => item.id === id)
  }

  #set(id: number, state: ItemState): void {
    if (this.#has(id)) this.#tell(this.#list.map((item) => (item.id === id ? { ...bare(item), ...state } : item)))
  }

  #tell(list: readonly TrayItem[]): void {
    this.#list = list
    this.#deps.changed()
  }
}

/** An item without what belongs to its state. */
const bare = ({ id, name, size, kind, file }: TrayItem) => ({ id, name, size, kind, file })
