'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Suspense, useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { TicketCategories } from '#contracts/http/ticket.ts'
import { TICKET_BOUNDS, TicketOpening, TicketView } from '#contracts/http/ticket.ts'
import { useAttachments } from '@/lib/attachments/use-attachments.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { keys, meQuery, serversQuery } from '@/lib/queries/queries.ts'
import { switchesQuery } from '@/lib/queries/use-switches.ts'
import { Field, Select } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { BackToTickets } from './back-to-tickets.tsx'
import { GuidesLink } from './guides-link.tsx'
import { TICKET_LINKS } from './ticket-links.ts'
import { AboutServer } from './opening/about-server.tsx'
import { GuidesHint, GuidesThatFit } from './opening/guides-that-fit.tsx'
import { useGuidesThatFit } from './opening/use-guides-that-fit.ts'
import { useAboutServer } from './opening/use-about-server.ts'
import { ticketCategoriesQuery, ticketQuery } from './ticket-queries.ts'
import { useReplyTimeText } from './use-reply-time.ts'
import { MessageBox } from './writing/message-box.tsx'
import { SendButton } from './writing/send-button.tsx'
import { draftName, ticketDrafts } from './writing/ticket-draft.ts'
import { useDraftOf, useKeptDraft } from './writing/use-kept-draft.ts'
import { useMovedWriting } from './writing/use-moved-writing.ts'
import './opening/opening.css'
import './support.css'

type FormProps = { userId: string; categories: TicketCategories; followsId: string | undefined }

const draftOf = (followsId: string | undefined): string => (followsId === undefined ? 'new' : `after-${followsId}`)

/** The form's values begin with the kept draft. A category that is gone by now is chosen again. */
const useOpening = ({ userId, categories, followsId }: FormProps) => {
  const client = useQueryClient()
  const router = useRouter()
  const place = { userId, ticket: draftOf(followsId) }
  const draft = useDraftOf(place)
  const [only] = categories.length === 1 ? categories : []
  const known = categories.find(({ id }) => id === draft.categoryId) ?? only
  const files = useAttachments({ userId, message: place.ticket })
  const about = useAboutServer(userId, draft)
  const opening = useKeyedMutation({
    path: '/api/ticket',
    schema: TicketView,
    draft: draftName(place),
    // Another look at the server shows other lines of its console, and the ticket is the same.
    sameAs: ({ server, ...said }: TicketOpening) => ({ ...said, server: server?.id }),
    onRefused: (refusal) => {
      const fields = refusal instanceof ApiFailure ? refusal.fields : {}
      files.refused(fields)
      if (fields['server'] !== undefined) about.lookAgain()
    },
    stale: [keys.tickets],
  })
  const form = useApiForm({
    schema: TicketOpening,
    defaultValues: {
      title: draft.title ?? '',
      categoryId: known?.id ?? '',
      message: draft.message ?? '',
      ...(followsId === undefined ? {} : { followsId }),
    },
    fields: ['categoryId', 'title', 'message', 'attachments', 'server'],
    send: (body: TicketOpening) => opening.mutateAsync({ ...body, ...files.body(), ...about.body() }),
    onDone: (view) => {
      ticketDrafts.forget(place)
      files.sent()
      client.setQueryData(keys.ticket(view.ticket.id), view)
      router.replace(TICKET_LINKS.one(view.ticket.id))
    },
  })
  const [title, categoryId, message] = form.form.watch(['title', 'categoryId', 'message'])
  // A text that was sent is no draft any more, also while the next page is on its way.
  const chosen = title + message === '' ? {} : { categoryId, ...about.kept }
  const typed = form.answer === null ? { title, message, ...chosen } : {}
  return { ...form, categoryId, title, message, files, about, isKept: useKeptDraft(place, typed) }
}

type CategoryProps = {
  categories: TicketCategories
  chosen: string
  isMissing: boolean
  field: UseFormRegisterReturn
}

const CategorySelect = ({ categories, chosen, isMissing, field }: CategoryProps) => {
  const t = useTranslations('tickets')
  const replyTimeText = useReplyTimeText()
  const category = categories.find(({ id }) => id === chosen)
  return (
    <Select
      label={t('category')}
      help={category?.replyTime ? replyTimeText(category.replyTime) : undefined}
      error={isMissing ? t('chooseCategory') : undefined}
      {...field}
    >
      <option value="" disabled>
        {t('choose')}
      </option>
      {categories.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

const OpeningForm = (props: FormProps) => {
  const t = useTranslations('tickets')
  const tw = useTranslations('tickets.writing')
  const failureText = useFailureText()
  const { form, submit, failure, isBusy, errorOf, answer, categoryId, title, message, files, about, isKept } =
    useOpening(props)
  const guides = useGuidesThatFit({ title, message })
  const guidesId = useId()
  const messageField = form.register('message')
  return (
    <div className="tk-opening">
      <form
        className="tk-form"
        noValidate
        onSubmit={(event) => void (files.mayGo() && !about.isPending ? submit(event) : event.preventDefault())}
      >
        <CategorySelect
          categories={props.categories}
          chosen={categoryId}
          isMissing={errorOf('categoryId') !== undefined}
          field={form.register('categoryId')}
        />
        <AboutServer about={about} isChanged={errorOf('server') !== undefined} isBusy={isBusy || answer !== null} />
        <Field
          label={t('titleField')}
          maxLength={TICKET_BOUNDS.title}
          autoComplete="off"
          error={errorOf('title')}
          {...form.register('title')}
        />
        <GuidesHint guides={guides} listId={guidesId} />
        <MessageBox
          label={t('message')}
          hint={tw('hint')}
          value={message}
          error={
            errorOf('message') === undefined
              ? undefined
              : message.trim() === ''
                ? t('writeMessage')
                : errorOf('message')
          }
          note={isKept ? tw('kept') : null}
          inputRef={messageField.ref}
          onChange={(text) =>
            form.setValue('message', text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
          }
          send={<SendButton busy={isBusy || about.isPending || answer !== null}>{t('open')}</SendButton>}
          files={files}
          isBusy={isBusy || answer !== null}
        />
        {failure === null ? null : (
          <Notice tone="stop" role="alert">
            {failureText(failure)}
          </Notice>
        )}
      </form>
      <GuidesThatFit guides={guides} id={guidesId} />
    </div>
  )
}

/** A reply that its old ticket takes no more begins the new one. It is moved before the draft is read, so that it is in the form from the start. */
const OpeningPlace = (props: FormProps) =>
  useMovedWriting(props.userId, props.followsId, draftOf(props.followsId)) ? <OpeningForm {...props} /> : null

/** The closed ticket that the new one goes on with, if the reader has it. */
const useFollowed = () => {
  const asked = useSearchParams().get('follows') ?? ''
  const query = useQuery({ ...ticketQuery(asked), enabled: asked !== '' })
  return {
    query: asked === '' ? { data: null, isError: false } : query,
    ticket: asked === '' ? undefined : query.data?.ticket,
  }
}

const Opening = () => {
  const t = useTranslations('tickets')
  const tw = useTranslations('switches')
  const categories = useQuery(ticketCategoriesQuery())
  const switches = useQuery(switchesQuery())
  const me = useQuery(meQuery())
  const followed = useFollowed()
  const servers = useQuery(serversQuery())
  const phase = useTogether(categories, switches, me, servers, followed.query)
  const { ticket } = followed
  return (
    <Together phase={phase} reading={t('reading')}>
      {switches.data?.tickets === false ? (
        <Notice tone="wait" role="status">
          {tw('tickets')}
        </Notice>
      ) : (
        <Region query={categories} skeleton={null} failed={t('categoriesFailed')}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState>{t('noCategories')}</EmptyState>
            ) : me.data === undefined ? null : (
              <>
                {ticket ? (
                  <p className="t2">{t('following', { title: ticket.title, number: ticket.identifier })}</p>
                ) : null}
                <OpeningPlace userId={me.data.id} categories={all} followsId={ticket?.id} />
              </>
            )
          }
        </Region>
      )}
    </Together>
  )
}

/** A new ticket. While staff have switched tickets off there is no form, and the draft waits. */
export const NewTicketPage = () => {
  const t = useTranslations('tickets')
  return (
    <div className="page">
      <header className="page-h">
        <div>
          <BackToTickets />
          <h1>{t('new')}</h1>
        </div>
        <div className="end">
          <GuidesLink />
        </div>
      </header>
      {/* The address names the ticket before it, which the server that builds the page does not know. */}
      <Suspense
        fallback={
          <Together phase="seen" reading={t('reading')}>
            {null}
          </Together>
        }
      >
        <Opening />
      </Suspense>
    </div>
  )
}
