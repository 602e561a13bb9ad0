/** Headers of everything that a node sends from a customer's folder: no cache keeps it, and no browser runs it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

/** The page of the site reads these beside the body. */
const EXPOSED =
  'etag, content-range, content-length, retry-after, location, upload-offset, upload-length, upload-metadata, ' +
  'upload-expires, tus-resumable, tus-version, tus-extension, tus-max-size'
/** Every answer about files carries them. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  'access-control-expose-headers': EXPOSED,
}
