import * as z from 'zod'
import { UPLOAD_HOURS } from '#contracts/panel/uploads.ts'

const KEPT_MS = UPLOAD_HOURS * 3_600_000
const TAB_KEY = 'files-tab'

const Remembered = z.object({
  /** Tells this file and its place from every other. */
  fingerprint: z.string(),
  path: z.string(),
  /** The file's own name, which its place may not have. */
  name: z.string(),
  bytes: z.number(),
  /** How much of it the node has. */
  sent: z.number(),
  /** Where the node has it. */
  url: z.string(),
  touchedAtMs: z.number(),
  /** The tab that sends it. */
  tab: z.string(),
  /** Whether the reader has paused it. */
  isPaused: z.boolean().default(false),
})
export type RememberedUpload = z.infer<typeof Remembered>

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The uploads of one person to one server that are not complete, kept in this browser so that they go on after a reload. The node
 * forgets them after a day, and so does the browser. A browser without storage keeps none, and uploads work without.
 */
export class RememberedUploads {
  readonly #store: Store
  readonly #key: string
  readonly #now: () => number

  constructor(store: Store, { serverId, personId, now }: { serverId: string; personId: string; now: () => number }) {
    this.#store = store
    this.#key = `files-uploads:${serverId}:${personId}`
    this.#now = now
  }

  list(): RememberedUpload[] {
    try {
      const all = z.array(Remembered).parse(JSON.parse(this.#store.getItem(this.#key) ?? '[]'))
      return all.filter(({ touchedAtMs }) => this.#now() - touchedAtMs < KEPT_MS)
    } catch {
      return []
    }
  }

  find(fingerprint: string): RememberedUpload | undefined {
    return this.list().find((each) => each.fingerprint === fingerprint)
  }

  /** Adds it, or says that it has moved on. */
  keep(upload: Omit<RememberedUpload, 'touchedAtMs' | 'isPaused'> & { readonly isPaused?: boolean }): void {
    const others = this.list().filter(({ fingerprint }) => fingerprint !== upload.fingerprint)
    this.#write([...others, { isPaused: false, ...upload, touchedAtMs: this.#now() }])
  }

  forget(fingerprint: string): void {
    this.#write(this.list().filter((each) => each.fingerprint !== fingerprint))
  }

  #write(all: readonly RememberedUpload[]): void {
    try {
      if (all.length === 0) this.#store.removeItem(this.#key)
      else this.#store.setItem(this.#key, JSON.stringify(all))
    } catch {
      // Storage is full or switched off.
    }
  }
}

/** This tab, also after it was loaded again. */
export const tabOf = (store: Store): string => {
  try {
    const known = store.getItem(TAB_KEY)
    if (known !== null) return known
    const made = Math.random().toString(36).slice(2)
    store.setItem(TAB_KEY, made)
    return made
  } catch {
    return ''
  }
}
