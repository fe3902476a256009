import type { Build } from '@gantry/contract/pipelines/builds'
import { terminals } from '@gantry/contract/pipelines/terminals'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { socketTerminal } from '../../../ui/log/socket-terminal.ts'
import { MissingPermission } from '../../../ui/may.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { useSecond } from '../builds/duration.tsx'
import { elapsed } from '../builds/elapsed.ts'
import type { OpenableJob } from './openable-jobs.ts'

const Terminal = later(async () => (await import('../../../ui/log/terminal.tsx')).Terminal)

const needs = terminals.open
const maxMinutes = 30

/** A terminal in the job of a build that the address names; it closes with the tab. */
export function BuildTerminal({ build, jobs }: { build: Build; jobs: readonly OpenableJob[] }) {
  const may = useMay(needs)
  const [{ job }, setUrl] = useUrlState({ job: '' })
  const choose = (index: string) => setUrl({ job: index }, { replace: true })
  if (!may)
    return (
      <p className="g-note g-note-warn">
        <MissingPermission needs={needs} />
      </p>
    )
  if (job !== '') return <JobTerminal key={job} build={build} job={Number(job)} jobs={jobs} close={() => choose('')} />
  return (
    <>
      <p className="g-note">{t('pipelines-ui-terminal-about', { minutes: maxMinutes })}</p>
      <div className="g-row">
        {jobs.map(({ index, name }) => (
          <Button key={index} icon="terminal" needs={needs} onClick={() => choose(String(index))}>
            {jobs.length === 1 ? t('pipelines-ui-terminal-open') : t('pipelines-ui-terminal-open-in', { name })}
          </Button>
        ))}
      </div>
    </>
  )
}

interface JobProps {
  build: Build
  job: number
  jobs: readonly OpenableJob[]
  close: () => void
}

function JobTerminal({ build: { pipelineId, number }, job, jobs, close }: JobProps) {
  // The name of the job when the terminal was opened, even if the job has ended since.
  const [name] = useState(() => jobs.find(({ index }) => index === job)?.name ?? `#${number}`)
  const [until, setUntil] = useState<number>()
  return (
    <>
      <div className="g-bar">
        <span>{t('pipelines-ui-terminal-in', { name })}</span>
        <span className="g-bar-end g-row">
          {until !== undefined && <Left until={until} />}
          <Button small icon="close" onClick={close}>
            {t('pipelines-ui-terminal-close')}
          </Button>
        </span>
      </div>
      <Terminal
        name={t('pipelines-ui-terminal-in', { name })}
        connect={async (hears) => {
          const given = await call(terminals.open, { params: { id: pipelineId, number, job } })
          const line = await socketTerminal(given, {
            ...hears,
            ended: (message) => {
              setUntil(undefined)
              hears.ended(message)
            },
          })
          setUntil(Date.now() + given.seconds * 1000)
          return line
        }}
      />
    </>
  )
}

function Left({ until }: { until: number }) {
  const now = useSecond()
  // formatted as a duration from now to the end
  const left = elapsed(new Date(now).toISOString(), null, Math.max(now, until))
  return <span className="g-num g-quiet">{t('pipelines-ui-terminal-left', { time: left })}</span>
}
