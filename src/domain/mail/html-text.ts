const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  aacute: 'á',
  eacute: 'é',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  Aacute: 'Á',
  Eacute: 'É',
  Iacute: 'Í',
  Oacute: 'Ó',
  Uacute: 'Ú',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  Auml: 'Ä',
  szlig: 'ß',
  euro: '€',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  laquo: '«',
  raquo: '»',
  bdquo: '„',
  ldquo: '“',
  rdquo: '”',
}

const LAST_CHARACTER = 0x10_ff_ff

const entity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return NAMED[name] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = Number.isInteger(code) && code > 0 && code <= LAST_CHARACTER && (code < 0xd8_00 || code > 0xdf_ff)
  return isCharacter ? String.fromCodePoint(code) : whole
}

const BREAKS = new Set([
  'br',
  'p',
  'div',
  'tr',
  'li',
  'ul',
  'ol',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'pre',
  'hr',
  'blockquote',
])
/** Their content is not for readers. */
const HIDDEN = new Set(['style', 'script', 'head', 'title', 'template', 'svg'])

/** The text of a page up to its end, read once from left to right, so that no input takes more than linear time. */
class Reader {
  readonly #lines: string[] = []
  #line = ''
  #quotes = 0
  #hiddenBy: string | null = null

  text(raw: string): void {
    if (this.#hiddenBy !== null) return
    const text = raw.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{1,8});/gi, entity).replaceAll(/\s+/g, ' ')
    this.#line += this.#line === '' ? text.trimStart() : text
  }

  tag(raw: string, isSelfClosed: boolean): void {
    const [, slash = '', found = ''] = /^(\/?)([a-z][a-z0-9]*)/i.exec(raw) ?? []
    const name = found.toLowerCase()
    if (this.#hiddenBy !== null) {
      // The end of a head may be left out (HTML 13.1.2.4).
      const isEnd = slash === '/' ? name === this.#hiddenBy : name === 'body' && this.#hiddenBy === 'head'
      if (isEnd) this.#hiddenBy = null
      return
    }
    if (BREAKS.has(name)) this.#end()
    if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes + (slash === '/' ? -1 : 1))
    if (slash === '' && !isSelfClosed && HIDDEN.has(name)) this.#hiddenBy = name
  }

  #end(): void {
    const mark = this.#quotes > 0 ? '> ' : ''
    this.#lines.push(`${mark}${this.#line.trimEnd()}`.trimEnd())
    this.#line = ''
  }

  done(): string {
    this.#end()
    return this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }
}

/** The text of a mail in HTML, as plain text; quotations begin with `>`. It loads nothing and understands no styles. */
export const textOfHtml = (html: string): string => {
  const reader = new Reader()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    reader.text(html.slice(at, open))
    const isComment = html.startsWith('<!--', open)
    const close = html.indexOf(isComment ? '-->' : '>', open)
    if (close === -1) return reader.done()
    if (!isComment) reader.tag(html.slice(open + 1, Math.min(close, open + 40)), html[close - 1] === '/')
    at = close + (isComment ? 3 : 1)
  }
  reader.text(html.slice(at))
  return reader.done()
}
