import type { ServerTrouble } from '#domain/servers/server-trouble.ts'
import type { StatusLabel } from '#domain/servers/status.ts'
import { words, type Words } from '../../fields/languages.ts'

/** The states of a server, in the words that its owner reads. */
export const serverStates: Readonly<Record<StatusLabel, Words>> = {
  running: words('Running', 'Fut', 'Läuft'),
  starting: words('Starting', 'Indul', 'Startet'),
  installing: words('Installing', 'Telepítés alatt', 'Wird installiert'),
  stopping: words('Stopping', 'Leállás alatt', 'Wird gestoppt'),
  stopped: words('Stopped', 'Leállítva', 'Gestoppt'),
  suspended: words('Suspended', 'Felfüggesztve', 'Gesperrt'),
  crashed: words('Crashed', 'Összeomlott', 'Abgestürzt'),
  errorOnStartup: words('Error on startup', 'Hiba indításkor', 'Fehler beim Start'),
  maintenance: words('Maintenance', 'Karbantartás', 'Wartung'),
  unknown: words('Unknown', 'Ismeretlen', 'Unbekannt'),
  expired: words('Expired', 'Lejárt', 'Abgelaufen'),
}

export const serverTroubles: Readonly<Record<ServerTrouble, Words>> = {
  'server:crashed': words('Crashed', 'Összeomlott', 'Abgestürzt'),
  'server:crash-loop': words('Kept crashing', 'Újra és újra összeomlott', 'Immer wieder abgestürzt'),
  'server:start-failed': words("Didn't start", 'Nem indult el', 'Nicht gestartet'),
  'server:start-slow': words('Slow to start', 'Lassan indult', 'Langsam gestartet'),
  'server:storage-exceeded': words(
    'Stopped: storage exceeded',
    'Leállt: betelt a tárhely',
    'Gestoppt: Speicherplatz überschritten',
  ),
  'server:storage-filling': words('Storage almost full', 'Majdnem betelt a tárhely', 'Speicherplatz fast voll'),
}
