'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { askAdmin } from './ask-admin.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useRead } from './use-read.ts'

const texts = {
  runs: words(
    'Billing is running. The clock is right.',
    'A számlázás fut. Az óra pontos.',
    'Die Abrechnung läuft. Die Uhr geht richtig.',
  ),
  stopped: words('Billing is stopped', 'A számlázás áll', 'Die Abrechnung steht'),
  why: words(
    'The clock jumped by {jump}, noticed {when}. Until someone confirms the time, nobody is charged or reminded, and no server is deleted.',
    'Az óra ennyit ugrott: {jump}, észlelve: {when}. Amíg valaki meg nem erősíti, hogy pontos az idő, nincs terhelés, emlékeztető és törlés.',
    'Die Uhr ist um {jump} gesprungen, bemerkt {when}. Bis jemand die Zeit bestätigt, wird nichts abgebucht, niemand erinnert und kein Server gelöscht.',
  ),
  now: words("This browser's time", 'Ennek a böngészőnek az ideje', 'Die Zeit dieses Browsers'),
  confirm: words('The time is right: continue', 'Az idő pontos: folytatás', 'Die Zeit stimmt: weiter'),
  sure: words("Is the server's time right?", 'Pontos a kiszolgáló ideje?', 'Stimmt die Zeit des Servers?'),
  due: words(
    'Everything due by that time is charged immediately, each period once.',
    'Ami eddig esedékes, azonnal terhelődik, időszakonként egyszer.',
    'Alles bis dahin Fällige wird sofort abgebucht, jeder Zeitraum einmal.',
  ),
  done: words('Billing continues.', 'A számlázás folytatódik.', 'Die Abrechnung geht weiter.'),
}

const MINUTE = 60_000

const jumpWords = (jumpMs: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'minute',
    maximumFractionDigits: 0,
    signDisplay: 'always',
  }).format(jumpMs / MINUTE)

/** Whether automatic billing runs, and the administrator's confirmation that the clock is right. */
export const BillingClock = () => {
  const { say, moment, locale } = useAdminLanguage()
  const { body: clock, isFailed, show } = useRead('GET /api/admin/billing-clock')
  const [isAsking, setAsking] = useState(false)
  const confirm = async () => {
    const answer = await askAdmin('POST /api/admin/billing-clock')
    if (!answer.ok) return answer
    show(answer.body)
    toast.success(say(texts.done))
    return undefined
  }
  if (isFailed) return <p role="alert">{say(common.failed)}</p>
  if (clock === undefined) return <p role="status">{say(common.loading)}</p>
  const { stopped } = clock
  if (stopped === null) return <p role="status">{say(texts.runs)}</p>
  const why = say(texts.why)
    .replace('{jump}', jumpWords(stopped.jumpMs, locale))
    .replace('{when}', moment(stopped.noticedAt))
  return (
    <section aria-label={say(texts.stopped)}>
      <h2 className="bakter-fault">{say(texts.stopped)}</h2>
      <p>{why}</p>
      <Button size="medium" onClick={() => setAsking(true)}>
        {say(texts.confirm)}
      </Button>
      {isAsking ? (
        <ActDialog
          title={say(texts.sure)}
          confirm={say(texts.confirm)}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>
            {say(texts.now)}: <b>{moment(new Date().toISOString())}</b>
          </p>
          <p>{say(texts.due)}</p>
        </ActDialog>
      ) : null}
    </section>
  )
}
