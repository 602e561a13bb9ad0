'use client'

import { ApiFailure } from '@/lib/browser-client/failure.ts'
import type { AttachmentWords } from '@/lib/attachments/attachment-words.ts'
import { words, type Words } from '../../fields/languages.ts'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'

const own = {
  attach: words('Attach files', 'Fájl csatolása', 'Dateien anhängen'),
  rule: words(
    'Up to 5 pictures, text files or zip archives, 10 MB each',
    'Legfeljebb 5 kép, szövegfájl vagy zip-archívum, egyenként legfeljebb 10 MB',
    'Bis zu 5 Bilder, Textdateien oder ZIP-Archive mit je höchstens 10 MB',
  ),
  files: words('Attached files', 'Csatolt fájlok', 'Angehängte Dateien'),
  remove: words('Remove: {name}', 'Eltávolítás: {name}', 'Entfernen: {name}'),
  cancel: words('Cancel: {name}', 'Megszakítás: {name}', 'Abbrechen: {name}'),
  retry: words('Try again: {name}', 'Újrapróbálás: {name}', 'Erneut versuchen: {name}'),
  uploading: words('Uploading: {name}', 'Feltöltés: {name}', 'Wird hochgeladen: {name}'),
  uploaded: words('Uploaded: {name}', 'Feltöltve: {name}', 'Hochgeladen: {name}'),
  gone: words(
    'We no longer have this file. Attach it again.',
    'Ez a fájl már nincs meg nálunk. Csatold újra.',
    'Wir haben diese Datei nicht mehr. Hänge sie erneut an.',
  ),
  removed: words('This file no longer exists.', 'Ez a fájl már nem létezik.', 'Diese Datei gibt es nicht mehr.'),
  full: words(
    'You can attach up to 5 files to a message. The others were left out.',
    'Egy üzenethez legfeljebb 5 fájlt csatolhatsz. A többi kimaradt.',
    'Du kannst höchstens 5 Dateien an eine Nachricht anhängen. Die übrigen wurden ausgelassen.',
  ),
  tooLarge: words(
    'This file is too large. The limit is 10 MB.',
    'Ez a fájl túl nagy: legfeljebb 10 MB lehet.',
    'Diese Datei ist zu groß: Höchstens 10 MB sind möglich.',
  ),
  empty: words('This file is empty.', 'Ez a fájl üres.', 'Diese Datei ist leer.'),
  kind: words(
    'You can only attach PNG, JPEG or WebP pictures, text files in UTF-8 and zip archives.',
    'Csak PNG-, JPEG- vagy WebP-képet, UTF-8 kódolású szövegfájlt és zip-archívumot csatolhatsz.',
    'Du kannst nur Bilder im Format PNG, JPEG oder WebP, Textdateien in UTF-8 und ZIP-Archive anhängen.',
  ),
  unreadable: words(
    "Your browser couldn't read this. If it's a folder, attach it as a zip archive.",
    'A böngésződ nem tudta beolvasni. Mappát zip-archívumként csatolhatsz.',
    'Dein Browser konnte das nicht lesen. Einen Ordner kannst du als ZIP-Archiv anhängen.',
  ),
  underWay: words(
    "Your files are still uploading. Send the message when they're done.",
    'A fájljaid feltöltése még tart. Küldd el az üzenetet, ha elkészült.',
    'Deine Dateien werden noch hochgeladen. Sende die Nachricht, sobald sie fertig sind.',
  ),
  failed: words(
    "Some files aren't attached. Try them again or remove them, then send the message.",
    'Néhány fájl nincs csatolva. Próbáld újra vagy távolítsd el őket, és utána küldd el az üzenetet.',
    'Einige Dateien sind nicht angehängt. Versuche es erneut oder entferne sie, und sende dann die Nachricht.',
  ),
  open: words(
    'Open the picture in a new tab: {name}',
    'Kép megnyitása új lapon: {name}',
    'Bild in neuem Tab öffnen: {name}',
  ),
  save: words('Download: {name}', 'Letöltés: {name}', 'Herunterladen: {name}'),
  unshown: words(
    "Your browser can't show this picture. You can still download it.",
    'A böngésződ nem tudja megjeleníteni ezt a képet. Letölteni ettől még tudod.',
    'Dein Browser kann dieses Bild nicht anzeigen. Herunterladen kannst du es trotzdem.',
  ),
  unreachable: words(
    'No response. Check your connection.',
    'Nem jött válasz. Ellenőrizd az internetkapcsolatodat.',
    'Keine Antwort. Prüfe deine Verbindung.',
  ),
  broken: words('Something went wrong on our side.', 'Hiba történt nálunk.', 'Bei uns ist etwas schiefgegangen.'),
}

type Say = (text: Words) => string

const reasonIn = (failure: unknown, say: Say): string => {
  if (!(failure instanceof ApiFailure) || failure.code === 'UNREADABLE') return say(own.broken)
  if (failure.code === 'OFFLINE') return say(own.unreachable)
  return failure.code === 'PAYLOAD_TOO_LARGE' ? say(own.tooLarge) : failure.message || say(own.broken)
}

/** The texts of files beside messages, in the language of the member of staff. */
export const useAttachmentWords = (): AttachmentWords => {
  const { say, locale } = useAdminLanguage()
  // A name may hold what stands for others in replacements.
  const about = (text: Words) => (name: string) => say(text).replace('{name}', () => name)
  return {
    locale,
    attach: say(own.attach),
    rule: say(own.rule),
    files: say(own.files),
    remove: about(own.remove),
    cancel: about(own.cancel),
    retry: about(own.retry),
    uploading: about(own.uploading),
    uploaded: about(own.uploaded),
    gone: say(own.gone),
    removed: say(own.removed),
    full: say(own.full),
    faults: {
      'too large': say(own.tooLarge),
      empty: say(own.empty),
      kind: say(own.kind),
      unreadable: say(own.unreadable),
    },
    obstacles: { uploading: say(own.underWay), failed: say(own.failed) },
    failure: (failure) => reasonIn(failure, say),
    open: about(own.open),
    save: about(own.save),
    unshown: say(own.unshown),
    again: say(common.again),
  }
}
