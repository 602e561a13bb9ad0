const PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/**
 * A text as a name in an address: small letters without accents, digits and hyphens, at most `longest` characters and cut
 * between words. Empty for a text without a letter or digit.
 */
export const addressNameOf = (text: string, longest: number): string => {
  const plain = text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  const name = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
  if (name.length <= longest) return name
  const cut = name.slice(0, longest + 1)
  const end = cut.lastIndexOf('-')
  return cut.slice(0, end > 0 ? end : longest)
}

/** Whether a text can be a name in an address. An id is none: the address of an id redirects to the one with the name. */
export const isAddressName = (text: string): boolean => PATTERN.test(text) && !UUID.test(text)

/** Whether the text is an id as the CMS gives them. */
export const isDocumentId = (text: string): boolean => UUID.test(text)

/** Distinct names for texts that stand on one page, in their order: an equal name gets a number. */
export const distinctNames = (texts: readonly string[], otherwise: string): readonly string[] => {
  const taken = new Set<string>()
  return texts.map((text) => {
    const name = addressNameOf(text, 60) || otherwise
    let distinct = name
    for (let count = 2; taken.has(distinct); count += 1) distinct = `${name}-${count}`
    taken.add(distinct)
    return distinct
  })
}
