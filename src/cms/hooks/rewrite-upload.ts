import { APIError, type CollectionBeforeOperationHook, MissingFile } from 'payload'
import { isHasherBusy } from '../../identity/context/password-hasher.ts'
import { administrator } from '../access/administrator.ts'
import { textIn, words } from '../fields/languages.ts'
import { rewritePicture } from '../../identity/people/rewrite-picture.ts'
import type { PictureFault } from '../../identity/people/rewrite-picture.ts'

const sentences = {
  FORMAT: words(
    'Only PNG, JPEG, WebP and AVIF pictures can be uploaded.',
    'Csak PNG-, JPEG-, WebP- és AVIF-képet tölthetsz fel.',
    'Es können nur Bilder im Format PNG, JPEG, WebP oder AVIF hochgeladen werden.',
  ),
  TOO_LARGE: words(
    'This picture is too large: at most 40 million pixels, and 16,383 on a side. The frames of an animation count together.',
    'Ez a kép túl nagy: legfeljebb 40 millió képpont lehet, oldalanként 16 383. Animációnál a képkockák összege számít.',
    'Dieses Bild ist zu groß: höchstens 40 Millionen Pixel und 16.383 je Seite. Bei Animationen zählen alle Einzelbilder zusammen.',
  ),
  DAMAGED: words(
    'This picture is damaged or cut off, or takes too long to decode.',
    'Ez a kép hibás vagy csonka, vagy túl sokáig tart a feldolgozása.',
    'Dieses Bild ist beschädigt oder unvollständig, oder es zu lesen dauert zu lange.',
  ),
  BUSY: words(
    'Other pictures are being processed. Try again in a few seconds.',
    'Éppen más képek feldolgozása folyik. Próbáld újra néhány másodperc múlva.',
    'Es werden gerade andere Bilder verarbeitet. Versuche es in ein paar Sekunden noch einmal.',
  ),
} as const

const STATUS: Record<PictureFault, number> = { FORMAT: 400, TOO_LARGE: 422, DAMAGED: 422 }

const withEnding = (name: string, ending: string): string => `${name.replace(/\.[^.]*$/, '') || 'picture'}.${ending}`

/**
 * Replaces an uploaded file with the picture that it shows, before Payload stores it; refuses files that are no
 * picture or exceed the bounds. Only an administrator's files are decoded: Payload refuses everybody else afterwards.
 */
export const rewriteUpload: CollectionBeforeOperationHook = async ({ args, operation, overrideAccess, req }) => {
  if (operation !== 'create' && operation !== 'update') return args
  if (overrideAccess !== true && !administrator({ req })) return args
  if (!req.file) {
    // Payload would download the address in the request's body, and send our cookies there.
    if (operation === 'create') throw new MissingFile(req.t)
    return args
  }
  const picture = await rewritePicture(req.file.data).catch((error: unknown) => {
    if (!isHasherBusy(error)) throw error
    throw new APIError(textIn(req.i18n.language, sentences.BUSY), 503, undefined, true)
  })
  if (!picture.ok)
    throw new APIError(textIn(req.i18n.language, sentences[picture.fault]), STATUS[picture.fault], undefined, true)
  const { data, mimetype, ending } = picture
  req.file = { ...req.file, data, size: data.byteLength, mimetype, name: withEnding(req.file.name, ending) }
  return args
}
