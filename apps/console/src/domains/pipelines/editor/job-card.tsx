import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type DraftJob, moveJobTo, nextForJob, removeJob } from '../definition/draft.ts'
import { isWrong } from '../definition/draft-problems.ts'
import { wordsOfCondition } from './condition-fields.tsx'
import { useEditing } from './editing.ts'
import { JobSettings } from './job-settings.tsx'
import { countText, sizeOf } from './matrix-fields.tsx'
import { Grip, RowTools } from './moving.tsx'
import { Notes } from './notes.tsx'
import { StepList } from './step-list.tsx'
import stepStyles from '../steps/steps.module.css'
import styles from './editor.module.css'

interface JobCardProps {
  one: DraftJob
  at: number
  row: number
}

/** One of a stage's parallel jobs: its head, its settings when open, its steps. */
export function JobCard({ one, at, row }: JobCardProps) {
  const { draft, change, problems, tried, readOnly, open, toggle, moved, removed } = useEditing()
  const id = useId()
  const { job } = one
  const path = `stages.${at}.jobs.${row}`
  const isOpen = open.has(one.key)
  const wrong = tried && isWrong(problems, path)
  const move = (by: 1 | -1) => {
    const next = nextForJob(draft, at, row, by)
    if (!next) return undefined
    return () => {
      change(moveJobTo(draft, at, row, next.stage, next.at))
      moved(one.key, by)
    }
  }
  const times = sizeOf(job.matrix)
  const facts = [
    times !== 1 && t('pipelines-ui-job-times', { count: countText(times) }),
    job.executor && t(`pipelines-ui-job-executor-${job.executor}`),
    ...(job.labels ?? []),
    wordsOfCondition(job.when),
  ].filter((fact) => fact !== false && fact !== undefined && fact !== '')
  return (
    <div
      className={[styles.job, isOpen && styles.jobOpen, wrong && styles.wrong].filter(Boolean).join(' ')}
      data-key={one.key}
    >
      <div className={stepStyles.stepHead}>
        <Grip what={{ kind: 'job', stage: at, row }} />
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => toggle(one.key)}>
          <Icon name={isOpen ? 'chevron' : 'next'} />
          <strong className="g-clip">{job.name || t('pipelines-ui-step-unnamed')}</strong>
          <span className={stepStyles.kind}>{t('pipelines-ui-job')}</span>
          {wrong && <Icon name="error" label={t('pipelines-ui-step-wrong')} />}
        </button>
        {!readOnly && (
          <RowTools
            name={job.name}
            up={move(-1)}
            down={move(1)}
            onRemove={() => {
              change(removeJob(draft, at, row))
              removed(job.name)
            }}
          />
        )}
      </div>
      {facts.length > 0 && !isOpen && (
        <p className={styles.facts}>
          {facts.map((fact) => (
            <span key={String(fact)} className="g-tag">
              {fact}
            </span>
          ))}
        </p>
      )}
      <Notes
        path={path}
        own={['name', 'steps', 'labels', 'executor', 'image', 'services', 'osType', 'when']}
        open={isOpen}
      />
      {isOpen && <JobSettings id={id} one={one} at={at} row={row} />}
      <div className={styles.jobSteps}>
        <StepList place={{ stage: at, job: row }} />
      </div>
    </div>
  )
}
