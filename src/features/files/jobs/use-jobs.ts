'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import type { Files } from '../files-context.tsx'
import { filesKey, jobsQuery, useFileCall } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'
import { isOpen, isSilent } from './job-end.ts'

/** The long work on the files of a server, whoever began it. Lists are read again when some of it has ended. */
export const useJobs = (files: Files) => {
  const client = useQueryClient()
  const { data } = useQuery(jobsQuery(files))
  const end = useFileCall(files, 'end-job')
  const toast = useToast()
  const troubleText = useTroubleText()
  const jobs = (data?.jobs ?? []).filter((job) => !isSilent(job))
  const ended = (data?.jobs ?? []).filter((job) => !isOpen(job)).length
  useEffect(() => {
    // Not its own list, which has just been read.
    const predicate = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[2] !== 'jobs'
    if (ended > 0) void client.invalidateQueries({ queryKey: filesKey(files.server.id), predicate })
  }, [client, ended, files.server.id])
  const endJob = ({ id, path }: FileJob): void =>
    end.mutate({ id }, { onError: (failure) => toast({ text: troubleText(failure, nameOf(path)), lamp: 'crash' }) })
  return { jobs, end: endJob }
}
