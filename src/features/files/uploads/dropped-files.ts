/** A file on its way, with its path below the folder it goes to; `replaces` where that is decided already. */
export type Chosen = { readonly path: string; readonly file: File; readonly replaces?: boolean }

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** A browser gives the entries of a folder by hundreds, until there are no more. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all
    all.push(...some)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** The files and folders that somebody has dropped on the page. */
export type Dropped = {
  readonly files: readonly Chosen[]
  /** Folders without anything in them, which no file brings along. */
  readonly emptyFolders: readonly string[]
  /** The names that the browser could not read. */
  readonly unread: readonly string[]
}
type Gathered = { files: Chosen[]; emptyFolders: string[]; unread: string[] }

const gather = async (entry: FileSystemEntry, prefix: string, all: Gathered): Promise<void> => {
  const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
  try {
    if (isFile(entry)) {
      all.files.push({ path, file: await fileOf(entry) })
      return
    }
    const inside = await entriesOf(entry as FileSystemDirectoryEntry)
    if (inside.length === 0) all.emptyFolders.push(path)
    for (const each of inside) await gather(each, path, all)
  } catch {
    all.unread.push(path)
  }
}

/** The files of a drop, those of its folders with their relative paths. */
export const droppedFiles = async (transfer: DataTransfer): Promise<Dropped> => {
  // The list is emptied once the event is over, so it is read before anything is awaited.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const all: Gathered = { files: [], emptyFolders: [], unread: [] }
  for (const entry of entries) await gather(entry, '', all)
  return all
}

/** The files of an input; those of a chosen folder with their relative paths. */
export const pickedFiles = (files: FileList | null): Chosen[] =>
  [...(files ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
