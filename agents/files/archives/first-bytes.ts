import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024

/** The first `size` bytes of a file, or fewer if it has shrunk or cannot be read to that end. Closes the file. */
export async function* firstBytes(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < size;) {
      // Each piece waits in a stream until it is read, so that each needs a buffer of its own.
      const piece = Buffer.allocUnsafe(Math.min(size - at, CHUNK_BYTES))
      const { bytesRead } = await file.read(piece, 0, piece.length, at).catch(() => ({ bytesRead: 0 }))
      if (bytesRead === 0) return
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
