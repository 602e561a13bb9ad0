import { isNewName, partsOfPath } from '#contracts/panel/file-path.ts'
import { webAddressOf } from '#contracts/panel/web-address.ts'

/** The fields of the question about a file from the web, as they were typed. */
export type TypedPull = { readonly address: string; readonly folder: string; readonly name: string }
/** A refusal in the reader's language, and the field that it is about. */
export type PullFault = { readonly field: keyof TypedPull; readonly text: string }
export type PullFaultCode = 'address' | 'folder' | 'name' | 'taken'

/** The request of typed fields: blanks at their ends and slashes around the folder do not count. */
export const typedPull = ({ address, folder, name }: TypedPull): TypedPull => ({
  address: address.trim(),
  folder: folder.trim().replaceAll(/^\/+|\/+$/g, ''),
  name: name.trim(),
})

/** The first fault of the fields that needs no answer of the node; undefined if there is none. */
export const faultOfPull = (
  { address, folder, name }: TypedPull,
  open: { readonly folder: string; readonly taken: readonly string[] },
): PullFaultCode | undefined => {
  if (webAddressOf(address) === undefined) return 'address'
  if (partsOfPath(folder) === undefined) return 'folder'
  if (name === '') return undefined
  if (!isNewName(name)) return 'name'
  return folder === open.folder && open.taken.includes(name) ? 'taken' : undefined
}
