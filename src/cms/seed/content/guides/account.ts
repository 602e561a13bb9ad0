import type { GuideSeed } from './guide-seed.ts'

/** Guides to the account. */
export const accountGuides: readonly GuideSeed[] = [
  {
    slug: 'two-step-sign-in',
    en: {
      title: 'Turn on two-step sign-in',
      summary: 'A code from your phone protects your account even if someone learns your password.',
      words: '2fa totp authenticator security hacked stolen passkey backup code lost phone',
      body: [
        {
          steps: [
            'Open [Settings → Security](/dashboard/settings/security#factor) and choose “Set up app”.',
            'Scan the picture with an authenticator app, such as the one your phone already has.',
            'Enter the first six-digit code that the app shows. All your other devices are signed out.',
            'Save the ten backup codes. We show them only once, and each replaces a code from the app once.',
          ],
        },
        {
          text: 'Lost your phone? Sign in with a backup code, turn the app off and set it up on the new phone. On the same page you can also add a [passkey](/dashboard/settings/security#passkeys): it signs you in with your fingerprint, your face or the PIN of your device.',
        },
      ],
    },
    hu: {
      title: 'Kétlépcsős azonosítás bekapcsolása',
      summary: 'A telefonodról kért kód akkor is védi a fiókodat, ha valaki megtudja a jelszavadat.',
      words: '2fa totp hitelesítő biztonság feltörték ellopták passkey tartalék elveszett telefon kétfaktoros',
      body: [
        {
          steps: [
            'Nyisd meg a [Beállítások → Biztonság](/dashboard/settings/security#factor) oldalt, és válaszd az „Alkalmazás beállítása” gombot.',
            'Olvasd be a képet egy hitelesítő alkalmazással, például azzal, amely már a telefonodon van.',
            'Írd be az első hatjegyű kódot, amelyet az alkalmazás mutat. Minden más eszközödről kijelentkeztetünk.',
            'Mentsd el a tíz tartalék kódot. Csak egyszer mutatjuk meg őket, és mindegyik egyszer pótolja az alkalmazás kódját.',
          ],
        },
        {
          text: 'Elveszett a telefonod? Lépj be egy tartalék kóddal, kapcsold ki az alkalmazást, és állítsd be az új telefonon. Ugyanezen az oldalon [azonosítókulcsot](/dashboard/settings/security#passkeys) is hozzáadhatsz: azzal az ujjlenyomatod, az arcod vagy az eszközöd PIN-kódja léptet be.',
        },
      ],
    },
    de: {
      title: 'Zweistufige Anmeldung einschalten',
      summary: 'Ein Code vom Handy schützt dein Konto auch dann, wenn jemand dein Passwort erfährt.',
      words: '2fa totp authenticator sicherheit gehackt gestohlen passkey verlorenes handy zwei-faktor',
      body: [
        {
          steps: [
            'Öffne [Einstellungen → Sicherheit](/dashboard/settings/security#factor) und wähle „App einrichten“.',
            'Scanne das Bild mit einer Authenticator-App, zum Beispiel der, die dein Handy schon hat.',
            'Gib den ersten sechsstelligen Code ein, den die App zeigt. Alle deine anderen Geräte werden abgemeldet.',
            'Bewahre die zehn Wiederherstellungscodes auf. Wir zeigen sie nur einmal, und jeder ersetzt einmal einen Code der App.',
          ],
        },
        {
          text: 'Handy verloren? Melde dich mit einem Wiederherstellungscode an, schalte die App aus und richte sie auf dem neuen Handy ein. Auf derselben Seite kannst du auch einen [Passkey](/dashboard/settings/security#passkeys) hinzufügen: Damit meldest du dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts an.',
        },
      ],
    },
  },
  {
    slug: 'signed-in-devices',
    en: {
      title: "See where you're signed in",
      summary: "Sign out a device you don't recognize, then change your password.",
      words: 'session stolen account stranger hacked password change e-mail address',
      body: [
        {
          text: "The list [Where you're signed in](/dashboard/settings/security#sessions) shows each browser with its system, its address and when it was last used. “Sign out” ends one of them within seconds, “Sign out everywhere” ends all of them, including this one.",
        },
        {
          steps: [
            "Sign out the device you don't recognize.",
            'Choose a [new password](/dashboard/settings/security#password). All your other devices are signed out with it.',
            "Check the [activities](/dashboard/activities) of your account for anything that wasn't you.",
            'Turn on [two-step sign-in](/dashboard/guides/account#two-step-sign-in).',
          ],
        },
        {
          text: 'If you change your e-mail address, the new one counts once you confirm it there. We also write to the old address, and from that e-mail you can undo the change.',
        },
      ],
    },
    hu: {
      title: 'Hol vagy bejelentkezve?',
      summary: 'Jelentkeztesd ki az ismeretlen eszközt, aztán változtasd meg a jelszavadat.',
      words: 'munkamenet idegen ellopták feltörték belépés jelszó csere e-mail-cím eszköz',
      body: [
        {
          text: 'A [Hol vagy bejelentkezve](/dashboard/settings/security#sessions) lista minden böngészőt megmutat a rendszerével, a címével és azzal, mikor használtad utoljára. A „Kijelentkeztetés” másodperceken belül lezár egyet, a „Kijelentkezés mindenhonnan” mindet, ezt a böngészőt is.',
        },
        {
          steps: [
            'Jelentkeztesd ki azt az eszközt, amelyet nem ismersz.',
            'Adj meg [új jelszót](/dashboard/settings/security#password). Ezzel minden más eszközödről kijelentkeztetünk.',
            'Nézd át a fiókod [tevékenységeit](/dashboard/activities): van-e köztük olyan, amelyet nem te végeztél.',
            'Kapcsold be a [kétlépcsős azonosítást](/dashboard/guides/account#two-step-sign-in).',
          ],
        },
        {
          text: 'Ha e-mail-címet váltasz, az új cím akkor lép életbe, amikor ott megerősíted. A régi címedre is írunk, és abból a levélből visszavonhatod a változtatást.',
        },
      ],
    },
    de: {
      title: 'Nachsehen, wo du angemeldet bist',
      summary: 'Melde ein Gerät ab, das du nicht kennst, und ändere danach dein Passwort.',
      words: 'sitzung fremd gestohlen gehackt login passwort ändern e-mail-adresse gerät',
      body: [
        {
          text: 'Die Liste [Wo du angemeldet bist](/dashboard/settings/security#sessions) zeigt jeden Browser mit System, Adresse und letzter Nutzung. „Abmelden“ beendet einen davon innerhalb von Sekunden, „Überall abmelden“ alle, auch diesen.',
        },
        {
          steps: [
            'Melde das Gerät ab, das du nicht kennst.',
            'Wähle ein [neues Passwort](/dashboard/settings/security#password). Damit werden alle deine anderen Geräte abgemeldet.',
            'Sieh in den [Aktivitäten](/dashboard/activities) deines Kontos nach, ob etwas nicht von dir stammt.',
            'Schalte die [zweistufige Anmeldung](/dashboard/guides/account#two-step-sign-in) ein.',
          ],
        },
        {
          text: 'Änderst du deine E-Mail-Adresse, gilt die neue, sobald du sie dort bestätigst. Wir schreiben auch an die alte Adresse, und aus dieser E-Mail kannst du die Änderung rückgängig machen.',
        },
      ],
    },
  },
  {
    slug: 'app-passwords-and-ssh-keys',
    en: {
      title: 'App passwords and SSH keys',
      summary: 'Let a program such as WinSCP or FileZilla open your files without your own password.',
      words: 'sftp winscp filezilla rclone ftp key refused permission denied',
      body: [
        {
          text: "With two-step sign-in on, your own password doesn't open SFTP. Use one of these instead; both are under [Settings → Security](/dashboard/settings/security#sftp).",
        },
        {
          list: [
            "App password: create one for each program and copy it right away, because it isn't shown again. It opens SFTP and nothing else.",
            'SSH key: paste the content of your .pub file, one line that begins with ssh-ed25519 or ssh-rsa.',
          ],
        },
        {
          text: "Both lists show when each one was last used. Remove what you no longer need: programs that use it can't sign in any more. How to connect is described in [Files and SFTP](/dashboard/guides/servers#files-and-sftp).",
        },
      ],
    },
    hu: {
      title: 'Alkalmazásjelszavak és SSH-kulcsok',
      summary: 'Így nyithatja meg a fájljaidat a WinSCP, a FileZilla vagy más program a saját jelszavad nélkül.',
      words: 'sftp winscp filezilla rclone ftp kulcs belépés elutasítva alkalmazásjelszó',
      body: [
        {
          text: 'Ha be van kapcsolva a kétlépcsős azonosítás, a saját jelszavaddal nem lehet SFTP-n belépni. Helyette ezeket használd; mindkettő a [Beállítások → Biztonság](/dashboard/settings/security#sftp) oldalon van.',
        },
        {
          list: [
            'Alkalmazásjelszó: minden programnak hozz létre egyet, és rögtön másold ki, mert többször nem mutatjuk meg. Csak SFTP-re jó, másra nem.',
            'SSH-kulcs: illeszd be a .pub fájlod tartalmát, azt az egy sort, amely így kezdődik: ssh-ed25519 vagy ssh-rsa.',
          ],
        },
        {
          text: 'Mindkét listán látod, melyiket mikor használtad utoljára. Amelyik már nem kell, azt távolítsd el: az a program többé nem tud belépni vele. A csatlakozást a [Fájlok és SFTP](/dashboard/guides/servers#files-and-sftp) útmutató írja le.',
        },
      ],
    },
    de: {
      title: 'App-Passwörter und SSH-Schlüssel',
      summary: 'So öffnet ein Programm wie WinSCP oder FileZilla deine Dateien ohne dein eigenes Passwort.',
      words: 'sftp winscp filezilla rclone ftp schlüssel anmeldung abgelehnt',
      body: [
        {
          text: 'Bei eingeschalteter zweistufiger Anmeldung öffnet dein eigenes Passwort kein SFTP. Nimm stattdessen eines von diesen; beides liegt unter [Einstellungen → Sicherheit](/dashboard/settings/security#sftp).',
        },
        {
          list: [
            'App-Passwort: Erstelle für jedes Programm eines und kopiere es gleich, denn es wird nicht noch einmal gezeigt. Es öffnet SFTP und sonst nichts.',
            'SSH-Schlüssel: Füge den Inhalt deiner .pub-Datei ein, eine Zeile, die mit ssh-ed25519 oder ssh-rsa beginnt.',
          ],
        },
        {
          text: 'Beide Listen zeigen, wann etwas zuletzt benutzt wurde. Entferne, was du nicht mehr brauchst: Das Programm kann sich damit nicht mehr anmelden. Wie du dich verbindest, steht in [Dateien und SFTP](/dashboard/guides/servers#files-and-sftp).',
        },
      ],
    },
  },
  {
    slug: 'your-data-and-deletion',
    en: {
      title: 'Download your data or delete your account',
      summary: 'Everything we store about you in one file, and what happens when you leave.',
      words: 'gdpr privacy erase erasure remove cancel account export',
      body: [
        {
          text: 'Under [Settings → Account](/dashboard/settings/account#export) you can download everything we store about you as one file: your account, sessions, security log, servers, orders, payments and tickets.',
        },
        {
          text: "To [delete your account](/dashboard/settings/account#deletion), stop your servers first and wait until open orders and top-ups are finished. If you still have a balance or servers, you are asked to give them up: they can't be recovered later.",
        },
        {
          list: [
            'You are signed out everywhere immediately.',
            'You have 14 days to change your mind: use the link in our e-mail, or sign in.',
            'After that we delete your data. The law makes us keep invoices as they were issued; other documents stay without your name.',
          ],
        },
      ],
    },
    hu: {
      title: 'Adatok letöltése, fiók törlése',
      summary: 'Minden, amit rólad tárolunk, egy fájlban; és ami akkor történik, ha elmész.',
      words: 'gdpr adatvédelem megszüntetés megszüntetem export törlöm fiókom',
      body: [
        {
          text: 'A [Beállítások → Fiók](/dashboard/settings/account#export) oldalon egyetlen fájlban letöltheted mindazt, amit rólad tárolunk: a fiókodat, a bejelentkezéseidet, a biztonsági naplót, a szervereidet, a rendeléseidet, a fizetéseidet és a hibajegyeidet.',
        },
        {
          text: 'A [fiókod törléséhez](/dashboard/settings/account#deletion) előbb állítsd le a szervereidet, és várd meg, amíg a nyitott rendelések és feltöltések lezárulnak. Ha van még egyenleged vagy szervered, megkérdezzük, lemondasz-e róla: később nem hozható vissza.',
        },
        {
          list: [
            'Azonnal kijelentkeztetünk mindenhonnan.',
            '14 napod van meggondolni: az e-mailünkben lévő linkkel vagy bejelentkezéssel.',
            'Utána töröljük az adataidat. A számlákat a törvény szerint változatlanul meg kell őriznünk; a többi bizonylat a neved nélkül marad meg.',
          ],
        },
      ],
    },
    de: {
      title: 'Daten herunterladen oder Konto löschen',
      summary: 'Alles, was wir über dich speichern, in einer Datei, und was passiert, wenn du gehst.',
      words: 'dsgvo datenschutz kündigen löschung export entfernen',
      body: [
        {
          text: 'Unter [Einstellungen → Konto](/dashboard/settings/account#export) lädst du alles, was wir über dich speichern, als eine Datei herunter: Konto, Sitzungen, Sicherheitsprotokoll, Server, Bestellungen, Zahlungen und Tickets.',
        },
        {
          text: 'Um [dein Konto zu löschen](/dashboard/settings/account#deletion), stoppe zuerst deine Server und warte, bis offene Bestellungen und Aufladungen abgeschlossen sind. Hast du noch Guthaben oder Server, fragen wir, ob du darauf verzichtest: Später lassen sie sich nicht zurückholen.',
        },
        {
          list: [
            'Du wirst überall sofort abgemeldet.',
            'Du hast 14 Tage, um es dir anders zu überlegen: mit dem Link in unserer E-Mail oder durch Anmelden.',
            'Danach löschen wir deine Daten. Rechnungen müssen wir von Gesetzes wegen unverändert aufbewahren; andere Belege bleiben ohne deinen Namen.',
          ],
        },
      ],
    },
  },
]
