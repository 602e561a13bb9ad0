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

const below = async (entry: FileSystemEntry, prefix: string): Promise<Chosen[]> => {
  const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
  if (isFile(entry)) return [{ path, file: await fileOf(entry) }]
  const inside = await entriesOf(entry as FileSystemDirectoryEntry)
  const all: Chosen[] = []
  for (const each of inside) all.push(...(await below(each, path)))
  return all
}

/** The files of a drop, those of its folders with their relative paths. */
export const droppedFiles = async (transfer: DataTransfer): Promise<Chosen[]> => {
  // The list is emptied once the event is over, so it is read before anything is awaited.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const all: Chosen[] = []
  for (const entry of entries) all.push(...(await below(entry, '')))
  return all
}

/** The files of an input; those of a chosen folder with their relative paths. */
export const pickedFiles = (files: FileList | null): Chosen[] =>
  [...(files ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
