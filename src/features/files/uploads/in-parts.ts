import type { DetailedError, HttpRequest, HttpStack, Upload } from 'tus-js-client'
import { UPLOAD_PART_BYTES } from '#contracts/panel/uploads.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { TroubleCode } from '../file-trouble.ts'
import { readTrouble } from '../node-files.ts'
import type { NodeFiles } from '../node-files.ts'
import type { RememberedUploads } from './remembered-uploads.ts'
import type { SendOptions as QueueOptions } from './upload-queue.ts'

const RETRY_AFTER_MS = [0, 500, 2_000]
/** Another request may succeed at once: a part that is sent again, or one with a new token. */
const RETRIED: readonly unknown[] = ['WRONG_CHECKSUM', 'WRONG_OFFSET', 'INVALID_TOKEN']
/** A response to HEAD has no body that names the refusal. */
const BY_STATUS: Readonly<Record<number, TroubleCode>> = {
  401: 'INVALID_TOKEN',
  403: 'FORBIDDEN',
  404: 'UPLOAD_GONE',
  409: 'ALREADY_EXISTS',
  410: 'UPLOAD_GONE',
  507: 'NO_SPACE',
}
/** The bytes at either end of a file that tell it from another one of the same name, size and time. */
const END_BYTES = 64 * 1024

/** The last upload of each file, which the signal ends also while it waits for the connection. */
const current = new WeakMap<File, Upload>()

type SendOptions = QueueOptions & {
  readonly node: NodeFiles
  readonly remembered: RememberedUploads
  readonly tab: string
}
type Attempt = SendOptions & { readonly fingerprint: string; readonly url: string | null }

export const base64 = (digest: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(digest)))

/** Uploads that this page ends: a list of the node may still show them. */
export const endedUploads = new Set<string>()

/** The id of an upload, by its address at the node. */
export const uploadIdOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Pages without TLS have no hashes. */
export const hashes = (): SubtleCrypto | undefined => (globalThis.crypto as Partial<Crypto>).subtle

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

/** The trouble of a failed request; `ApiFailure` where the site refused a token for it. */
const troubleOf = (error: Error | DetailedError): FileTrouble | ApiFailure => {
  if (!('originalResponse' in error)) return new FileTrouble('AWAY')
  const { originalResponse: response, causingError: cause } = error
  if (cause instanceof FileTrouble || cause instanceof ApiFailure) return cause
  if (response === null) return new FileTrouble('AWAY')
  const [status, text] = [response.getStatus(), response.getBody()]
  if (text === '') return new FileTrouble(BY_STATUS[status] ?? 'AWAY')
  try {
    return readTrouble(status, JSON.parse(text))
  } catch {
    return readTrouble(status, undefined)
  }
}

/**
 * Sends a file in parts (tus 1.0.0), from where an earlier attempt of this browser has got to. Rejects with `FileTrouble`, or with
 * the site's own failure. Ending by the signal, also after an interruption, removes it at the node.
 */
export const sendInParts = async (path: string, file: File, options: SendOptions): Promise<void> => {
  const fingerprint = await fingerprintOf(path, file, options.replaces)
  const known = options.remembered.find(fingerprint)
  if (known !== undefined) {
    try {
      return await attempt(path, file, { ...options, fingerprint, url: known.url })
    } catch (trouble) {
      if (!(trouble instanceof FileTrouble) || trouble.code !== 'UPLOAD_GONE') throw trouble
      options.remembered.forget(fingerprint)
    }
  }
  return attempt(path, file, { ...options, fingerprint, url: null })
}

/** Goes on with the upload at the address, or begins one. With both, the library begins anew whatever the node says of the old one. */
const attempt = async (path: string, file: File, options: Attempt): Promise<void> => {
  const { node, remembered, tab, replaces, onSent, signal, hold, fingerprint, url } = options
  const tus = await import('tus-js-client')
  const endpoint = url === null ? await node.uploadsAddress() : null
  if (signal.aborted || hold.aborted) throw new FileTrouble('AWAY')
  await new Promise<void>((resolve, reject) => {
    const about = { fingerprint, path, name: file.name, bytes: file.size, tab }
    const keep = (sent: number): void => {
      if (upload.url !== null) remembered.keep({ ...about, url: upload.url, sent })
    }
    const end = (): void => {
      if (current.get(file) !== upload) return
      remembered.forget(fingerprint)
      if (upload.url !== null) endedUploads.add(uploadIdOf(upload.url))
      // If the request is lost, the node forgets the upload in a day.
      upload.abort(true).catch(() => {})
      reject(new FileTrouble('AWAY'))
    }
    const rest = (): void => {
      if (current.get(file) !== upload) return
      const sent = remembered.find(fingerprint)?.sent ?? 0
      if (upload.url !== null) remembered.keep({ ...about, url: upload.url, sent, isPaused: true })
      upload.abort(false).catch(() => {})
      reject(new FileTrouble('AWAY'))
    }
    const upload: Upload = new tus.Upload(file, {
      endpoint,
      uploadUrl: url,
      chunkSize: UPLOAD_PART_BYTES,
      metadata: { path, replaces: replaces ? 'any' : 'new', filename: file.name },
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
        reject(trouble)
        // The name is taken: under another name, or in the place of the other file, it is another upload.
        if (trouble.code === 'ALREADY_EXISTS') end()
      },
    })
    current.set(file, upload)
    signal.addEventListener('abort', end, { once: true })
    hold.addEventListener('abort', rest, { once: true })
    upload.start()
  })
}
