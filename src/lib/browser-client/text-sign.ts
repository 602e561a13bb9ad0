/** The FNV hash of 32 bits has this offset and this prime. */
const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/**
 * Stands for a text that a browser must recognize and not keep. It is as short as it is on purpose: too many texts have the same
 * one for anybody to read a password out of it.
 */
export const textSign = (text: string): string => {
  let hash = OFFSET
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), PRIME)
  return (hash >>> 0).toString(36)
}
