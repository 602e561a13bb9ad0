import path from 'node:path'

/** Folder of the repository or of the installed program; bundles lie elsewhere than the sources, so no import.meta. */
export const projectRoot = process.env.BAKTER_ROOT ?? process.cwd()

/** Where uploaded pictures lie. */
export const mediaFolder = process.env.MEDIA_DIR ?? path.resolve(projectRoot, 'media')
