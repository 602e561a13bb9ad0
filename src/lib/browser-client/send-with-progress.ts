const HEADER_LINE = /^([^:\r\n]+): ?(.*)$/gm

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const [, name = '', value = ''] of request.getAllResponseHeaders().matchAll(HEADER_LINE)) {
    headers.append(name, value)
  }
  return headers
}

/** A response to these has no body. */
const BODILESS = [204, 205, 304]

/**
 * Sends a file and says how many of its bytes are on their way: progress of fetch cannot be read in every browser, that of
 * XMLHttpRequest can. It answers and rejects like fetch; `init.signal` ends it.
 */
export const sendWithProgress = (url: string, init: RequestInit, onSent: (bytes: number) => void): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { method = 'POST', headers, body, signal } = init
    const request = new XMLHttpRequest()
    request.open(method, url)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => {
      const { status, responseText } = request
      resolve(new Response(BODILESS.includes(status) ? null : responseText, { status, headers: headersOf(request) }))
    }
    request.onerror = () => reject(new TypeError('Failed to send'))
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'))
    if (signal?.aborted) return reject(new DOMException('Aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body instanceof Blob ? body : null)
  })
