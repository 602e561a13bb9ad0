import type { GuideSeed } from './guide-seed.ts'

/** Guides to servers in trouble, behind those of `servers.ts`. */
export const serverTroubleGuides: readonly GuideSeed[] = [
  {
    slug: 'crashed-server',
    en: {
      title: "A server crashes or doesn't start",
      summary: 'Find the reason in the console, and what usually helps.',
      words: "crash crashed crashing down offline error lag out of memory won't start stuck loading broken exit code",
      body: [
        {
          text: "With automatic start on, a server that crashes restarts by itself. If it crashes several times in a row, it stays stopped until someone starts it, so that it doesn't damage its world.",
        },
        {
          steps: [
            'Open its console from [My servers](/dashboard/servers). The reason is usually in the last lines before the end; “Errors” hides everything else.',
            'If we know the error, a card above the log explains it and offers a fix where there is one.',
            'Undo your last change: a new plugin or mod, another version, an edited file. Deleted files are in the bin.',
            'Out of memory? Fewer plugins, a shorter view distance or a [larger size](/dashboard/guides/services#change-the-size) help.',
          ],
        },
        {
          text: 'Still stuck? [Open a ticket](/dashboard/ticket) and choose the server there: its state, its latest errors and the last lines of its console go along, without addresses and keys. You see them first, and can leave lines out.',
        },
      ],
    },
    hu: {
      title: 'Összeomlik vagy nem indul a szerver',
      summary: 'Így találod meg az okát a konzolban, és ez szokott segíteni.',
      words:
        'összeomlás összeomlott leállt lefagyott crash hiba lag laggol kevés memória nem indul el elakadt betöltés nem megy kilépési kód',
      body: [
        {
          text: 'Ha az automatikus indítás be van kapcsolva, az összeomlott szerver magától újraindul. Ha egymás után többször összeomlik, leállítva marad, amíg valaki el nem indítja, nehogy kárt tegyen a világában.',
        },
        {
          steps: [
            'Nyisd meg a konzolját a [Szervereim](/dashboard/servers) közül. Az ok többnyire a vége előtti utolsó sorokban van; a „Hiba” szűrő minden mást elrejt.',
            'Ha ismerjük a hibát, a napló fölött egy kártya elmagyarázza, és ahol lehet, javítást is kínál.',
            'Vond vissza az utolsó változtatásodat: új bővítményt vagy modot, másik verziót, szerkesztett fájlt. A törölt fájlok a lomtárban vannak.',
            'Elfogyott a memória? Kevesebb bővítmény, kisebb látótávolság vagy [nagyobb méret](/dashboard/guides/services#change-the-size) segít.',
          ],
        },
        {
          text: 'Még mindig nem megy? [Nyiss hibajegyet](/dashboard/ticket), és válaszd ki benne a szervert: az állapota, a legutóbbi hibái és a konzol utolsó sorai is eljutnak hozzánk, címek és kulcsok nélkül. Előbb megmutatjuk őket, és bármelyik sort kihagyhatod.',
        },
      ],
    },
    de: {
      title: 'Ein Server stürzt ab oder startet nicht',
      summary: 'So findest du den Grund in der Konsole, und das hilft meistens.',
      words: 'absturz abgestürzt crash offline fehler lag ruckelt arbeitsspeicher startet nicht hängt kaputt exit-code',
      body: [
        {
          text: 'Ist der automatische Start eingeschaltet, startet ein abgestürzter Server von selbst neu. Stürzt er mehrmals hintereinander ab, bleibt er gestoppt, bis ihn jemand startet, damit seine Welt keinen Schaden nimmt.',
        },
        {
          steps: [
            'Öffne seine Konsole unter [Meine Server](/dashboard/servers). Der Grund steht meist in den letzten Zeilen vor dem Ende; der Filter „Fehler“ blendet alles andere aus.',
            'Kennen wir den Fehler, erklärt ihn eine Karte über dem Protokoll und bietet, wo es geht, eine Lösung an.',
            'Mach deine letzte Änderung rückgängig: ein neues Plugin oder Mod, eine andere Version, eine bearbeitete Datei. Gelöschte Dateien liegen im Papierkorb.',
            'Zu wenig Arbeitsspeicher? Weniger Plugins, eine kleinere Sichtweite oder eine [größere Größe](/dashboard/guides/services#change-the-size) helfen.',
          ],
        },
        {
          text: 'Kommst du nicht weiter? [Öffne ein Ticket](/dashboard/ticket) und wähle dort den Server aus: Sein Zustand, seine letzten Fehler und die letzten Zeilen seiner Konsole gehen mit, ohne Adressen und Schlüssel. Du siehst sie vorher und kannst Zeilen weglassen.',
        },
      ],
    },
  },
  {
    slug: 'storage-full',
    en: {
      title: 'When the storage is full',
      summary: "A server without room can't save. Find what takes it, and make room.",
      words: 'disk space quota no space left stopped full world too large cleanup',
      body: [
        {
          text: 'When the storage is full, no new file fits, and at 110% the server stops. We notify you before that if files grow so fast that it would be full within a day.',
        },
        {
          steps: [
            'Open “Files” of the server from [My servers](/dashboard/servers). The bar at its side shows how much is used, including the bin.',
            'Find the large folders: the action “Size” counts what a folder contains.',
            'Delete old logs, archives and unused worlds, and empty the bin.',
            'Start the server again. If you need everything, choose a [larger size](/dashboard/guides/services#change-the-size).',
          ],
        },
      ],
    },
    hu: {
      title: 'Ha betelt a tárhely',
      summary: 'Hely nélkül a szerver nem tud menteni. Keresd meg, mi foglalja, és szabadíts fel.',
      words: 'lemez hely kvóta megtelt tele nincs hely leállt világ túl nagy takarítás',
      body: [
        {
          text: 'Ha betelik a tárhely, új fájl nem fér be, és 110%-nál a szerver leáll. Előbb értesítünk, ha a fájlok olyan gyorsan nőnek, hogy egy napon belül betelne.',
        },
        {
          steps: [
            'Nyisd meg a szerver „Fájlok” oldalát a [Szervereim](/dashboard/servers) közül. A sáv megmutatja, mennyi foglalt, a lomtárral együtt.',
            'Keresd meg a nagy mappákat: a „Méret” művelet megszámolja, mi van egy mappában.',
            'Töröld a régi naplókat, az archívumokat és a nem használt világokat, és ürítsd ki a lomtárat.',
            'Indítsd el újra a szervert. Ha mindenre szükséged van, válassz [nagyobb méretet](/dashboard/guides/services#change-the-size).',
          ],
        },
      ],
    },
    de: {
      title: 'Wenn der Speicherplatz voll ist',
      summary: 'Ohne Platz kann ein Server nicht speichern. Finde, was ihn belegt, und schaffe Platz.',
      words: 'festplatte platz quota kein platz voll gestoppt welt zu groß aufräumen',
      body: [
        {
          text: 'Ist der Speicherplatz voll, passt keine neue Datei mehr, und bei 110 % stoppt der Server. Vorher sagen wir dir Bescheid, wenn die Dateien so schnell wachsen, dass er in einem Tag voll wäre.',
        },
        {
          steps: [
            'Öffne „Dateien“ des Servers unter [Meine Server](/dashboard/servers). Der Balken zeigt, wie viel belegt ist, der Papierkorb eingerechnet.',
            'Finde die großen Ordner: Die Aktion „Größe“ zählt, was ein Ordner enthält.',
            'Lösche alte Protokolle, Archive und unbenutzte Welten und leere den Papierkorb.',
            'Starte den Server wieder. Brauchst du alles, wähle eine [größere Größe](/dashboard/guides/services#change-the-size).',
          ],
        },
      ],
    },
  },
]
