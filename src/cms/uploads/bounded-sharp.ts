import type { SharpDependency } from 'payload'
import sharp from 'sharp'
import { PICTURE_MAX_PIXELS } from '#domain/users/picture.ts'

/** Payload's own decoding, for crops of stored pictures, has the bound of uploaded pictures. */
export const boundedSharp: SharpDependency = (input, options) =>
  sharp(input, { ...options, limitInputPixels: PICTURE_MAX_PIXELS })
