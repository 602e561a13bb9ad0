import type { DetailedError, HttpRequest, HttpStack, Upload } from 'tus-js-client'
import { UPLOAD_PART_BYTES } from '#contracts/panel/uploads.ts'
import { FileTrouble } from '../file-trouble.ts'
import { readTrouble } from '../node-files.ts'
import type { NodeFiles } from '../node-files.ts'
import type { RememberedUploads } from './remembered-uploads.ts'
import type { Transfer } from './upload-queue.ts'

const RETRY_AFTER_MS = [0, 500, 2_000]
/** What another request may get right at once: a part again, or with a new token. */
const RETRIED: readonly string[] = ['WRONG_CHECKSUM', 'WRONG_OFFSET', 'INVALID_TOKEN']
/** Read of both ends of a file to tell it from another one of the same name, size and time. */
const END_BYTES = 64 * 1024

/** The upload of each file now: one that waits for the connection is ended with it. */
const current = new WeakMap<File, Upload>()

type Part = { readonly node: NodeFiles; readonly remembered: RememberedUploads; readonly tab: string }

const base64 = (digest: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(digest)))

/** Pages without TLS have no hashes. */
const hashes = (): SubtleCrypto | undefined => (globalThis.crypto as Partial<Crypto>).subtle

/** Path, size, time and, where the browser can hash, both ends of the file. */
export const fingerprintOf = async (path: string, file: File, replaces: boolean): Promise<string> => {
  const ends = new Blob([file.slice(0, END_BYTES), file.slice(-END_BYTES)])
  const digest = await hashes()?.digest('SHA-256', await ends.arrayBuffer())
  const sum = digest === undefined ? '' : base64(digest)
  return JSON.stringify([path, file.size, file.lastModified, replaces, sum])
}

/** Adds the checksum of each part, which the library does not do by itself. */
const withChecksums = (stack: HttpStack): HttpStack => ({
  getName: () => stack.getName(),
  createRequest: (method, url) => {
    const request = stack.createRequest(method, url)
    const subtle = hashes()
    return method === 'PATCH' && subtle !== undefined ? checked(request, subtle) : request
  },
})

const checked = (request: HttpRequest, subtle: SubtleCrypto): HttpRequest => {
  const [send, abort] = [request.send.bind(request), request.abort.bind(request)]
  let isAborted = false
  return Object.assign(request, {
    send: async (body: unknown) => {
      if (body instanceof Blob && body.size > 0) {
        const digest = await subtle.digest('SHA-256', await body.arrayBuffer())
        // Aborting what is not sent yet has no effect in a browser.
        if (isAborted) throw new Error('aborted')
        request.setHeader('Upload-Checksum', `sha256 ${base64(digest)}`)
      }
      return send(body)
    },
    abort: () => {
      isAborted = true
      return abort()
    },
  })
}

const troubleOf = (error: Error | DetailedError): FileTrouble => {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (response === null) return new FileTrouble('AWAY')
  try {
    return readTrouble(response.getStatus(), JSON.parse(response.getBody()))
  } catch {
    return readTrouble(response.getStatus(), undefined)
  }
}

/**
 * Sends a file in parts (tus 1.0.0), from where an earlier attempt of this browser has got to. Rejects with `FileTrouble`. Ending
 * by the signal, also after an interruption, removes it at the node.
 */
export const sendInParts = async (
  path: string,
  file: File,
  { node, remembered, tab, replaces, onSent, signal }: Part & Parameters<Transfer['send']>[2],
): Promise<void> => {
  const tus = await import('tus-js-client')
  const [endpoint, fingerprint] = [await node.uploadsAddress(), await fingerprintOf(path, file, replaces)]
  await new Promise<void>((resolve, reject) => {
    const about = { fingerprint, path, name: file.name, bytes: file.size, tab }
    const keep = (sent: number): void => {
      if (upload.url !== null) remembered.keep({ ...about, url: upload.url, sent })
    }
    const end = (): void => {
      if (current.get(file) !== upload) return
      remembered.forget(fingerprint)
      // An answer that is lost costs nothing: the node forgets it in a day.
      upload.abort(true).catch(() => {})
      reject(new FileTrouble('AWAY'))
    }
    const upload: Upload = new tus.Upload(file, {
      endpoint,
      uploadUrl: remembered.find(fingerprint)?.url ?? null,
      chunkSize: UPLOAD_PART_BYTES,
      metadata: { path, replaces: replaces ? 'any' : 'new' },
      storeFingerprintForResuming: false,
      retryDelays: RETRY_AFTER_MS,
      httpStack: withChecksums(new tus.DefaultHttpStack({})),
      onBeforeRequest: async (request) => request.setHeader('Authorization', `Bearer ${await node.token()}`),
      onShouldRetry: (error) => {
        const { code } = troubleOf(error)
        if (code === 'INVALID_TOKEN') node.renewToken()
        return RETRIED.includes(code)
      },
      onUploadUrlAvailable: () => keep(remembered.find(fingerprint)?.sent ?? 0),
      onChunkComplete: (_chunk, sent) => keep(sent),
      onProgress: onSent,
      onSuccess: () => {
        current.delete(file)
        remembered.forget(fingerprint)
        resolve()
      },
      onError: (error) => {
        const trouble = troubleOf(error)
        // The name was taken at the last moment: under another one it is another upload.
        reject(trouble)
        if (trouble.code === 'ALREADY_EXISTS') end()
      },
    })
    current.set(file, upload)
    signal.addEventListener('abort', end, { once: true })
    upload.start()
  })
}

/** Removes an upload at the node that nobody will go on with. */
export const discardUpload = async (node: NodeFiles, url: string): Promise<void> => {
  const tus = await import('tus-js-client')
  await tus.Upload.terminate(url, {
    headers: { Authorization: `Bearer ${await node.token()}` },
    retryDelays: RETRY_AFTER_MS,
  })
}
