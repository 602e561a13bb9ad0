import type { PostSeed } from './post-seed.ts'

/** Posts about reading the panel, and about asking for help. */
export const helpPosts: readonly PostSeed[] = [
  {
    drawing: 'lamps',
    publishedAt: '2026-10-14T08:00:00.000Z',
    tags: ['first-steps'],
    en: {
      title: 'Five lamps, and what each of them says',
      slug: 'five-lamps',
      lead: 'A triangle, a half disc, a square, a ring and a dashed ring. Why every state has a shape of its own and not only a colour.',
      body: [
        { heading: 'The shapes' },
        {
          table: [
            ['Lamp', 'State'],
            ['Green disc with a triangle', 'The server is running.'],
            ['Amber half disc', 'It is starting, stopping or being installed.'],
            ['Red square', 'It has crashed, or it didn’t start.'],
            ['Grey ring', 'It is stopped.'],
            ['Dashed ring', 'The machine can’t be reached right now.'],
          ],
        },
        {
          text: 'One man in twelve sees red and green as nearly the same colour. So no lamp says anything by its colour alone: the shape says it again, and the word beside it a third time.',
        },
        { heading: 'Stopped or dashed?' },
        {
          text: 'A ring is a state: the server is stopped, and you can start it. A dashed ring means that we don’t know. Your game may well be running while our systems can’t reach its machine, and we would rather say that than guess.',
        },
        { heading: 'When the square appears' },
        {
          steps: [
            'Open the console: the last lines before the end usually name the cause.',
            'A known error gets a card with what to do about it.',
            'With automatic start on, the server tries again by itself. After several crashes in a row it stays stopped, so that its world comes to no harm.',
          ],
        },
        {
          text: 'More about this is in the guide [A server crashes or doesn’t start](/dashboard/guides/servers#crashed-server).',
        },
      ],
    },
    hu: {
      title: 'Öt lámpa, és hogy melyik mit mond',
      slug: 'ot-lampa',
      lead: 'Háromszög, félkör, négyzet, gyűrű és szaggatott gyűrű. Miért van minden állapotnak alakja is, nem csak színe.',
      body: [
        { heading: 'Az alakok' },
        {
          table: [
            ['Lámpa', 'Állapot'],
            ['Zöld kör háromszöggel', 'A szerver fut.'],
            ['Borostyán félkör', 'Indul, leáll vagy telepítés alatt van.'],
            ['Piros négyzet', 'Összeomlott, vagy nem indult el.'],
            ['Szürke gyűrű', 'Le van állítva.'],
            ['Szaggatott gyűrű', 'A gépe most nem érhető el.'],
          ],
        },
        {
          text: 'Minden tizenkettedik férfi szinte egyformának látja a pirosat és a zöldet. Ezért egyik lámpa sem csak a színével beszél: az alakja is elmondja ugyanazt, és mellette a szó is.',
        },
        { heading: 'Gyűrű vagy szaggatott gyűrű?' },
        {
          text: 'A gyűrű állapot: a szerver áll, és el tudod indítani. A szaggatott gyűrű azt jelenti, hogy nem tudjuk. A játék közben akár futhat is, csak a rendszereink nem érik el a gépét, és ezt inkább kimondjuk, mint hogy találgassunk.',
        },
        { heading: 'Ha megjelenik a négyzet' },
        {
          steps: [
            'Nyisd meg a konzolt: a leállás előtti utolsó sorok többnyire megnevezik az okot.',
            'Az ismert hiba kártyát kap, rajta a teendővel.',
            'Bekapcsolt automatikus indításnál a szerver magától újra megpróbálja. Több egymás utáni összeomlás után leállítva marad, nehogy kárt tegyen a világában.',
          ],
        },
        {
          text: 'Bővebben erről az útmutatóban: [Összeomlott vagy nem indul a szerver](/dashboard/guides/servers#crashed-server).',
        },
      ],
    },
    de: {
      title: 'Fünf Lampen, und was jede von ihnen sagt',
      slug: 'fuenf-lampen',
      lead: 'Ein Dreieck, ein Halbkreis, ein Quadrat, ein Ring und ein gestrichelter Ring. Warum jeder Zustand eine eigene Form hat und nicht nur eine Farbe.',
      body: [
        { heading: 'Die Formen' },
        {
          table: [
            ['Lampe', 'Zustand'],
            ['Grüner Kreis mit Dreieck', 'Der Server läuft.'],
            ['Bernsteinfarbener Halbkreis', 'Er startet, stoppt oder wird installiert.'],
            ['Rotes Quadrat', 'Er ist abgestürzt oder nicht gestartet.'],
            ['Grauer Ring', 'Er ist gestoppt.'],
            ['Gestrichelter Ring', 'Seine Maschine ist gerade nicht erreichbar.'],
          ],
        },
        {
          text: 'Jeder zwölfte Mann sieht Rot und Grün als fast dieselbe Farbe. Darum spricht keine Lampe nur durch ihre Farbe: Die Form sagt dasselbe noch einmal, und das Wort daneben ein drittes Mal.',
        },
        { heading: 'Ring oder gestrichelter Ring?' },
        {
          text: 'Ein Ring ist ein Zustand: Der Server ist gestoppt, und du kannst ihn starten. Ein gestrichelter Ring heißt, dass wir es nicht wissen. Vielleicht läuft dein Spiel, während unsere Systeme seine Maschine nicht erreichen, und das sagen wir lieber, als zu raten.',
        },
        { heading: 'Wenn das Quadrat erscheint' },
        {
          steps: [
            'Öffne die Konsole: Die letzten Zeilen vor dem Ende nennen meist die Ursache.',
            'Zu einem bekannten Fehler erscheint eine Karte, auf der steht, was du tun kannst.',
            'Mit automatischem Start versucht es der Server von selbst noch einmal. Nach mehreren Abstürzen hintereinander bleibt er gestoppt, damit seine Welt keinen Schaden nimmt.',
          ],
        },
        {
          text: 'Mehr dazu steht in der Anleitung [Ein Server stürzt ab oder startet nicht](/dashboard/guides/servers#crashed-server).',
        },
      ],
    },
  },
  {
    drawing: 'ticket',
    publishedAt: '2026-09-23T08:00:00.000Z',
    tags: ['support'],
    en: {
      title: 'A ticket that gets a quick answer',
      slug: 'a-ticket-that-gets-a-quick-answer',
      lead: 'The slowest part of support is asking back. What to write, what to leave out, and what goes along by itself.',
      body: [
        { heading: 'Three sentences are enough' },
        {
          steps: [
            'What did you do? “I uploaded a plugin and restarted.”',
            'What did you expect? “That players can join.”',
            'What happened instead? “Since 20:15 the server stops after ten seconds.”',
          ],
        },
        { heading: 'What you don’t have to write' },
        {
          text: 'If you choose the server in the ticket, its state, its latest errors and the last lines of its console go along. You see them before you send, and you can leave out any line. Addresses and keys are replaced before anyone reads them.',
        },
        {
          note: 'Nobody here needs your password. Don’t send it, not even if someone asks for it.',
          title: 'No passwords.',
        },
        { heading: 'One ticket, one thing' },
        {
          text: 'A ticket about a lag and an invoice waits for two people. Open two, and each goes to someone who knows about it. While you type, the page shows guides that fit your words: sometimes the answer is there before you have sent the question.',
        },
      ],
    },
    hu: {
      title: 'Hibajegy, amelyre gyors válasz jön',
      slug: 'hibajegy-gyors-valasszal',
      lead: 'Az ügyfélszolgálatban a visszakérdezés a leglassabb. Mit írj bele, mit hagyj ki, és mi jut el hozzánk magától.',
      body: [
        { heading: 'Három mondat elég' },
        {
          steps: [
            'Mit csináltál? „Feltöltöttem egy plugint, és újraindítottam.”',
            'Mit vártál? „Hogy be tudjanak lépni a játékosok.”',
            'Mi történt helyette? „20:15 óta tíz másodperc után leáll a szerver.”',
          ],
        },
        { heading: 'Amit nem kell leírnod' },
        {
          text: 'Ha a hibajegyben kiválasztod a szervert, az állapota, a legutóbbi hibái és a konzol utolsó sorai is eljutnak hozzánk. Küldés előtt megmutatjuk őket, és bármelyik sort kihagyhatod. A címeket és a kulcsokat lecseréljük, mielőtt bárki olvasná.',
        },
        {
          note: 'A jelszavadra itt senkinek sincs szüksége. Ne küldd el, akkor se, ha valaki kéri.',
          title: 'Jelszót soha.',
        },
        { heading: 'Egy hibajegy, egy ügy' },
        {
          text: 'Az a hibajegy, amely egyszerre szól laggról és számláról, két emberre vár. Nyiss kettőt, és mindegyik ahhoz kerül, aki ért hozzá. Gépelés közben az oldal megmutatja a szavaidhoz illő útmutatókat: néha ott a válasz, mielőtt elküldted volna a kérdést.',
        },
      ],
    },
    de: {
      title: 'Ein Ticket, das schnell beantwortet wird',
      slug: 'ein-ticket-mit-schneller-antwort',
      lead: 'Am langsamsten ist im Support das Nachfragen. Was du schreiben solltest, was du weglassen kannst und was von selbst mitgeht.',
      body: [
        { heading: 'Drei Sätze reichen' },
        {
          steps: [
            'Was hast du getan? „Ich habe ein Plugin hochgeladen und neu gestartet.“',
            'Was hast du erwartet? „Dass Spieler beitreten können.“',
            'Was ist stattdessen passiert? „Seit 20:15 stoppt der Server nach zehn Sekunden.“',
          ],
        },
        { heading: 'Was du nicht schreiben musst' },
        {
          text: 'Wählst du im Ticket den Server aus, gehen sein Zustand, seine letzten Fehler und die letzten Zeilen seiner Konsole mit. Du siehst sie vor dem Senden und kannst jede Zeile weglassen. Adressen und Schlüssel werden ersetzt, bevor jemand sie liest.',
        },
        {
          note: 'Niemand hier braucht dein Passwort. Sende es nicht, auch nicht, wenn jemand danach fragt.',
          title: 'Keine Passwörter.',
        },
        { heading: 'Ein Ticket, eine Sache' },
        {
          text: 'Ein Ticket über Lags und eine Rechnung wartet auf zwei Menschen. Öffne zwei, und jedes geht an jemanden, der sich damit auskennt. Während du tippst, zeigt die Seite Anleitungen, die zu deinen Worten passen: Manchmal steht die Antwort da, bevor du die Frage gesendet hast.',
        },
      ],
    },
  },
]
