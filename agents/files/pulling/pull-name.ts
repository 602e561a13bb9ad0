import { MIMEType } from 'node:util'
import { isNewName } from '#contracts/panel/file-path.ts'

const UNNAMED = 'download'

/** Header bytes arrive as Latin-1; most sources mean UTF-8. */
const asText = (header: string): string => {
  const text = Buffer.from(header, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? header : text
}

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The part after the last slash of either kind, as browsers keep it. */
const lastPart = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()

/** The parameters of a Content-Disposition header: they have the grammar of a media type's. */
const disposed = (header: string): readonly string[] => {
  try {
    const { params } = new MIMEType(`x/${header}`)
    const exact = /^utf-8'[^']*'(.*)$/i.exec(params.get('filename*') ?? '')?.[1]
    const plain = params.get('filename')
    return [...(exact === undefined ? [] : [unescaped(exact)]), ...(plain === null ? [] : [asText(plain)])]
  } catch {
    return []
  }
}

/** The name of a file from the web: as its source says in Content-Disposition, else the end of its address. */
export const nameOfSource = (url: URL, disposition: string | undefined): string => {
  const found = [...disposed(disposition ?? ''), unescaped(url.pathname)].map(lastPart)
  return found.find(isNewName) ?? UNNAMED
}
