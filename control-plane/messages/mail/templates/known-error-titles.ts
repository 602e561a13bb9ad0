import type { Locale, LocalizedText } from '#contracts/locale.ts'
import type { KnownErrorId } from '#domain/known-errors/rules.ts'

/** The titles of the known errors, in the words of the console's cards: src/messages has the same texts. */
const TITLES: Readonly<Record<Locale, Readonly<Record<KnownErrorId, string>>>> = {
  en: {
    eula: "The Minecraft EULA hasn't been accepted",
    'java-version': 'Wrong Java version',
    'no-jar': 'The program file is missing or damaged',
    'port-in-use': "The port is in use or isn't yours",
    'out-of-memory': 'The server ran out of memory',
    'disk-full': 'The storage is full',
    'world-locked': 'The world is still locked',
    'world-corrupt': 'Part of the world is damaged',
    'missing-plugin': 'A plugin, mod or resource is missing',
    'bad-plugin': "A plugin can't be loaded",
    'missing-module': "A module isn't installed",
    'no-start-file': 'The start file is missing',
    'licence-key': 'The licence key or token is missing or invalid',
    'session-servers': "The game's sign-in servers aren't responding",
    permission: "The server can't access one of its files",
    'bad-settings': 'A settings file is invalid',
    syntax: "There's a syntax error in the code",
  },
  hu: {
    eula: 'A Minecraft EULA nincs elfogadva',
    'java-version': 'Nem megfelelő Java-verzió',
    'no-jar': 'A programfájl hiányzik vagy sérült',
    'port-in-use': 'A port foglalt, vagy nem a tiéd',
    'out-of-memory': 'Elfogyott a szerver memóriája',
    'disk-full': 'Megtelt a tárhely',
    'world-locked': 'A világ még zárolva van',
    'world-corrupt': 'A világ egy része sérült',
    'missing-plugin': 'Hiányzik egy plugin, mod vagy erőforrás',
    'bad-plugin': 'Egy plugin nem tölthető be',
    'missing-module': 'Egy modul nincs telepítve',
    'no-start-file': 'Hiányzik az indítófájl',
    'licence-key': 'A licenckulcs vagy a token hiányzik vagy érvénytelen',
    'session-servers': 'A játék bejelentkezési szerverei nem válaszolnak',
    permission: 'A szerver nem fér hozzá egy fájljához',
    'bad-settings': 'Egy beállításfájl hibás',
    syntax: 'Szintaktikai hiba van a kódban',
  },
  de: {
    eula: 'Die Minecraft-EULA ist nicht akzeptiert',
    'java-version': 'Falsche Java-Version',
    'no-jar': 'Die Programmdatei fehlt oder ist beschädigt',
    'port-in-use': 'Der Port ist belegt oder gehört dir nicht',
    'out-of-memory': 'Dem Server ging der Arbeitsspeicher aus',
    'disk-full': 'Der Speicherplatz ist voll',
    'world-locked': 'Die Welt ist noch gesperrt',
    'world-corrupt': 'Ein Teil der Welt ist beschädigt',
    'missing-plugin': 'Ein Plugin, eine Mod oder eine Ressource fehlt',
    'bad-plugin': 'Ein Plugin lässt sich nicht laden',
    'missing-module': 'Ein Modul ist nicht installiert',
    'no-start-file': 'Die Startdatei fehlt',
    'licence-key': 'Der Lizenzschlüssel oder das Token fehlt oder ist ungültig',
    'session-servers': 'Die Anmeldeserver des Spiels antworten nicht',
    permission: 'Der Server kann auf eine seiner Dateien nicht zugreifen',
    'bad-settings': 'Eine Einstellungsdatei ist ungültig',
    syntax: 'Im Code ist ein Syntaxfehler',
  },
}

/** The title of a known error; undefined for one that this release does not know. */
export const knownErrorTitle = (error: string | undefined, language: Locale): string | undefined =>
  error !== undefined && Object.hasOwn(TITLES[language], error) ? TITLES[language][error as KnownErrorId] : undefined

/** How a reader is told why something failed: by a known error of ours, or by the rule of staff that fits. */
export const errorTitle = (
  { error, staffError }: { readonly error: string | null; readonly staffError?: LocalizedText | null | undefined },
  language: Locale,
): string | undefined => knownErrorTitle(error ?? undefined, language) ?? staffError?.[language]
