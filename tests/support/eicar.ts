import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** The text that every virus scanner finds. Joined here, so that no scanner finds this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EI', 'CAR-STANDARD-ANTIVIRUS-', 'TEST-FILE!$H+H*'].join('')

/** A zip archive with one compressed file. */
export const zipOf = (name: string, bytes: Uint8Array | string): Promise<Buffer> => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(bytes), name, { compress: true })
  zip.end()
  return buffer(zip.outputStream)
}
