export type Catalog = { [name: string]: string | Catalog }

const PLAIN = 'aeiouAEIOU'
const MARKED = 'āēīōūĀĒĪŌŪ'
/** Marks the texts of the pseudo catalog: vowels with a bar. */
export const PSEUDO = new RegExp(`[${MARKED}]`)

/** The added length of a text, about that of German over English. */
const LONGER = 0.35

const marked = (text: string): string => {
  const letters = [...text].map((letter) => MARKED[PLAIN.indexOf(letter)] ?? letter).join('')
  const words = text.trim().length
  return words < 2 ? letters : `${letters}${' ōū'.repeat(Math.ceil((words * LONGER) / 3))}`
}

/** The end of the part in braces that begins at `from`. */
const closing = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length - 1
}

/** `{count, plural, one {# day} other {# days}}`: the words of its branches change, its names do not. */
const branches = (argument: string): string => {
  if (!/,\s*(?:plural|select|selectordinal)\s*,/.test(argument)) return argument
  let result = '{'
  for (let at = 1; at < argument.length - 1; at += 1) {
    if (argument[at] !== '{') result += argument[at]
    else {
      const end = closing(argument, at)
      result += `{${pseudoText(argument.slice(at + 1, end))}}`
      at = end
    }
  }
  return `${result}}`
}

/** A message of the catalog, longer and with marked vowels; its arguments and tags stay as they are. */
export const pseudoText = (text: string): string => {
  let result = ''
  let words = ''
  const flush = () => {
    result += words.trim() === '' ? words : marked(words)
    words = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') {
      flush()
      const end = closing(text, at)
      result += branches(text.slice(at, end + 1))
      at = end
    } else if (text[at] === '<') {
      flush()
      const end = text.indexOf('>', at)
      result += text.slice(at, end + 1)
      at = end
    } else words += text[at]
  }
  flush()
  return result
}

/** The catalog that tests show instead of the English one: hard-coded texts stand out. */
export const pseudoCatalog = (catalog: Catalog): Catalog =>
  Object.fromEntries(
    Object.entries(catalog).map(([name, value]) => [
      name,
      typeof value === 'string' ? pseudoText(value) : pseudoCatalog(value),
    ]),
  )
