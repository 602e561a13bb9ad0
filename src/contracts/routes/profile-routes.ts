import * as z from 'zod'
import { PICTURE_MAX_BYTES } from '#domain/users/picture.ts'
import { Nothing } from '../primitives.ts'
import { PictureCrop, ProfileChange, ProfilePictureAnswer, ProfilePicturePath, ProfileSettings } from '../http/user.ts'

const Bytes = z.instanceof(Uint8Array)

/** Rows of the API table: people's own profile. */
export const PROFILE_ROUTES = {
  'PATCH /api/user/me': {
    summary: 'Change contact details, invoice type, language or time zone',
    auth: 'user',
    limit: 'settings',
    input: ProfileChange,
    maxBytes: 8_192,
    output: ProfileSettings,
  },
  'POST /api/user/picture': {
    summary: 'Set the profile picture from a still JPEG, PNG or WebP, cropped to a square',
    auth: 'user',
    limit: 'picture',
    query: PictureCrop,
    takes: 'file',
    input: Bytes,
    maxBytes: PICTURE_MAX_BYTES,
    output: ProfilePictureAnswer,
    status: 201,
  },
  'DELETE /api/user/picture': {
    summary: 'Remove the profile picture',
    auth: 'user',
    limit: 'picture',
    output: Nothing,
  },
  'GET /api/uploads/profile/{id}': {
    summary: 'Get a profile picture by its ID',
    auth: 'none',
    limit: 'publicRead',
    path: ProfilePicturePath,
    output: Bytes,
    gives: 'image/webp',
  },
} as const
