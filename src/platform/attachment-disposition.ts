/**
 * The Content-Disposition of a file that browsers save and never show, by RFC 6266: a plain form of the name for old clients, and the exact
 * one. `name` is well-formed Unicode.
 */
export const attachmentDisposition = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
