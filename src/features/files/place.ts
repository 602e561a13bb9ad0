'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import { folderOf, partsOfPath } from '#contracts/panel/file-path.ts'

/** Where the reader is: a folder, and the file that is open beside it. */
export type FilesPlace = { readonly folder: string; readonly file: string | null }

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const decoded = (path: string): string | undefined => {
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

const EDIT = /^(?:\/[a-z]{2})?\/panel\/[^/]+\/edit\/(.+)$/

/** Reads the place from the address: `/panel/{id}/files?path=…` or `/panel/{id}/edit/{path}`. A path that is none is the top. */
export const placeOf = (pathname: string, search: URLSearchParams): FilesPlace => {
  const file = decoded(EDIT.exec(pathname)?.[1] ?? '')
  if (file !== undefined && file !== '' && partsOfPath(file) !== undefined) return { folder: folderOf(file), file }
  const folder = search.get('path') ?? ''
  return { folder: partsOfPath(folder) === undefined ? '' : folder, file: null }
}

/** Whether both are shown alike: beside a file, its own folder is. */
export const isSamePlace = (one: FilesPlace, other: FilesPlace): boolean =>
  one.file === other.file && (one.file !== null || one.folder === other.folder)

/** The address of a place, with the language prefix of the page. */
export const addressOf = (serverId: string, { folder, file }: FilesPlace, pathname: string): string => {
  const prefix = /^\/[a-z]{2}(?=\/panel\/)/.exec(pathname)?.[0] ?? ''
  const panel = `${prefix}/panel/${encodeURIComponent(serverId)}`
  if (file !== null) return `${panel}/edit/${encoded(file)}`
  return folder === '' ? `${panel}/files` : `${panel}/files?path=${encodeURIComponent(folder)}`
}

/** The place in the address, and how to go to another one: the page stays, and the back button returns. */
export const useFilesPlace = (serverId: string): readonly [FilesPlace, (next: FilesPlace) => void] => {
  const pathname = usePathname()
  const search = useSearchParams()
  const place = useMemo(() => placeOf(pathname, search), [pathname, search])
  const go = useCallback(
    (next: FilesPlace) => window.history.pushState(null, '', addressOf(serverId, next, window.location.pathname)),
    [serverId],
  )
  return [place, go]
}
