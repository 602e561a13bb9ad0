import fs from 'node:fs'
import sevenZip from '7z-wasm'
import program from '7z-wasm/7zz.wasm'
import { ARCHIVE_FD } from '../archives/unpacker.ts'

const STDOUT = 1
const NAME = 'archive'
/** WASI's number for "invalid argument", which is what the file system of this library throws. */
const EINVAL = 28
const READ_ONLY_FILE = 0o100444

/** A password that nobody has: without one the program would ask. */
const COMMANDS = {
  list: ['l', '-slt', '-ba', '-bsp0', '-sccUTF-8', '-pnone'],
  unpack: ['x', '-so', '-bsp0', '-pnone'],
} as const

interface Stream {
  position: number
  stream_ops: Record<string, unknown>
}
type Transfer = [stream: Stream, buffer: Int8Array, offset: number, length: number]

interface FileSystem {
  readonly root: unknown
  readonly ErrnoError: new (code: number) => Error
  createNode(parent: unknown, name: string, mode: number, device: number): Record<string, unknown>
  getStream(fd: number): Stream
}

/** The archive as a file of the program's own file system, read from our descriptor. */
const showArchive = (files: FileSystem): void => {
  const { size } = fs.fstatSync(ARCHIVE_FD)
  const [epoch, blksize] = [new Date(0), 4_096]
  const ids = { dev: 1, ino: 2, nlink: 1, uid: 0, gid: 0, rdev: 0 }
  const times = { atime: epoch, mtime: epoch, ctime: epoch }
  Object.assign(files.createNode(files.root, NAME, READ_ONLY_FILE, 0), {
    node_ops: {
      getattr: () => ({ ...ids, ...times, mode: READ_ONLY_FILE, size, blksize, blocks: Math.ceil(size / 512) }),
    },
    stream_ops: {
      open: () => {},
      close: () => {},
      read: (...[, buffer, offset, length, at]: [...Transfer, at: number]) =>
        fs.readSync(ARCHIVE_FD, buffer, offset, length, at),
      llseek: (stream: Stream, offset: number, whence: number) => {
        const at = offset + ([0, stream.position, size][whence] ?? 0)
        if (at < 0) throw new files.ErrnoError(EINVAL)
        return at
      },
    },
  })
}

/** Everything that the program writes goes to our own output; a reader that is slow makes it wait. */
const passOutput = (files: FileSystem): void => {
  const output = files.getStream(STDOUT)
  output.stream_ops = {
    ...output.stream_ops,
    write: (...[, buffer, offset, length]: Transfer) => {
      for (let at = 0; at < length;) at += fs.writeSync(STDOUT, buffer, offset + at, length - at)
      return length
    },
  }
}

const [, , does, type = ''] = process.argv
const module = await sevenZip({
  wasmBinary: program as unknown as ArrayBuffer,
  printErr: (line) => void process.stderr.write(`${line}\n`),
})
const files = module.FS as unknown as FileSystem
showArchive(files)
passOutput(files)
const command = does === 'list' ? COMMANDS.list : COMMANDS.unpack
// The types of the library do not say that the program's code is returned.
const code: unknown = module.callMain([...command, `-t${type}`, `/${NAME}`])
process.exitCode = typeof code === 'number' ? code : 1
