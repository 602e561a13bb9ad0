import path from 'node:path'

/**
 * Folder of the repository or of the installed program; bundles are in another place than the sources, so no
 * import.meta.
 */
export const projectRoot = process.env.BAKTER_ROOT ?? process.cwd()

/** The folder of uploaded pictures. */
export const mediaFolder = process.env.MEDIA_DIR ?? path.resolve(projectRoot, 'media')
