import type { HeldFolder } from '../platform/held-folder.ts'

const name = (text: string): Buffer => Buffer.from(text)

type OwnFolders = Pick<OwnArea, 'parts' | 'ready' | 'bin' | 'history' | 'uploads'>

/**
 * The node's own folders beside the customer's, on the same disk and of the same user: `parts` for what is not complete yet,
 * `ready` for what is complete and about to get its place, `bin` for what was deleted, `history` for what was replaced,
 * `uploads` for what arrives in parts. No container sees them.
 */
export class OwnArea {
  readonly folder: HeldFolder
  readonly parts: HeldFolder
  readonly ready: HeldFolder
  readonly bin: HeldFolder
  readonly history: HeldFolder
  readonly uploads: HeldFolder

  private constructor(folder: HeldFolder, { parts, ready, bin, history, uploads }: OwnFolders) {
    this.folder = folder
    this.parts = parts
    this.ready = ready
    this.bin = bin
    this.history = history
    this.uploads = uploads
  }

  /** Opens the area. The remains of an interrupted program in `parts` are removed: nobody can ever complete it. */
  static async open(folder: HeldFolder): Promise<OwnArea> {
    const made = async (text: string): Promise<HeldFolder> => {
      await folder.makeFolder(name(text), 0o700).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      return folder.folder(name(text))
    }
    const area = new OwnArea(folder, {
      parts: await made('parts'),
      ready: await made('ready'),
      bin: await made('bin'),
      history: await made('history'),
      uploads: await made('uploads'),
    })
    for await (const left of area.parts.names()) await area.parts.removeAll(left)
    return area
  }
}
