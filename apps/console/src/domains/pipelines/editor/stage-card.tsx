import { Input } from 'antd'
import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import {
  addJob,
  changeStage,
  type DraftStage,
  moveJobTo,
  moveStage,
  removeStage,
  takesJob,
  unwrapJob,
} from '../definition/draft.ts'
import { isWrong } from '../definition/draft-problems.ts'
import { wordsOfCondition } from './condition-fields.tsx'
import { useEditing } from './editing.ts'
import { JobCard } from './job-card.tsx'
import { Gap, Grip, RowTools } from './moving.tsx'
import { Notes } from './notes.tsx'
import { StageSettings } from './stage-settings.tsx'
import { StepList } from './step-list.tsx'
import styles from './editor.module.css'

interface StageCardProps {
  one: DraftStage
  at: number
}

/** One stage: its name, its mode, and its steps, or its parallel jobs. */
export function StageCard({ one, at }: StageCardProps) {
  const { draft, change, readOnly, open, toggle, problems, tried } = useEditing()
  const id = useId()
  const isOpen = open.has(one.key)
  const path = `stages.${at}`
  const wrong =
    tried &&
    ['name', 'mode', 'approval', 'when', 'handsOn', 'keepsWorkspace'].some((field) =>
      isWrong(problems, `${path}.${field}`),
    )
  const { stage, jobs } = one
  const add = () => {
    const made = addJob(draft, at, t('pipelines-ui-job'))
    change(made.draft)
    toggle(made.key, true)
  }
  const facts = [
    stage.mode === 'manual' && t('pipelines-ui-mode-manual'),
    stage.mode === 'approve' && t('pipelines-ui-mode-approve'),
    wordsOfCondition(stage.when),
  ].filter((fact) => fact !== false && fact !== '')
  return (
    <section
      className={wrong ? `${styles.stage} ${styles.wrong}` : styles.stage}
      data-key={one.key}
      aria-label={stage.name || t('pipelines-ui-step-unnamed')}
    >
      <StageHead one={one} at={at} />
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
        own={['name', 'steps', 'jobs', 'approval', 'when', 'handsOn', 'keepsWorkspace']}
        open={isOpen}
      />
      {isOpen && (
        <div className={styles.panel}>
          <StageSettings id={id} one={one} at={at} />
        </div>
      )}
      {jobs.length > 0 ? (
        <>
          <div className={styles.jobs}>
            {jobs.map((job, row) => (
              <div
                key={job.key}
                className={open.has(job.key) ? `${styles.jobCell} ${styles.jobCellOpen}` : styles.jobCell}
              >
                <JobGap at={at} row={row} />
                <JobCard one={job} at={at} row={row} />
              </div>
            ))}
          </div>
          <JobGap at={at} row={jobs.length} />
        </>
      ) : (
        <>
          <StepList place={{ stage: at }} />
          <JobGap at={at} row={0} />
        </>
      )}
      {!readOnly && (
        <span className={styles.stageAdd}>
          <Button small icon="add" onClick={add}>
            {t(one.steps.length > 0 ? 'pipelines-ui-job-beside' : 'pipelines-ui-job-add')}
          </Button>
          {jobs.length === 1 && (
            <Button small quiet onClick={() => change(unwrapJob(draft, at))}>
              {t('pipelines-ui-job-unwrap')}
            </Button>
          )}
        </span>
      )}
    </section>
  )
}

function JobGap({ at, row }: { at: number; row: number }) {
  const { draft, change } = useEditing()
  return (
    <Gap
      kind="job"
      not={!takesJob(draft, at)}
      onDrop={(what) => what.kind === 'job' && change(moveJobTo(draft, what.stage, what.row, at, row))}
    />
  )
}

function StageHead({ one, at }: StageCardProps) {
  const { draft, change, readOnly, problems, tried, open, toggle, moved, removed } = useEditing()
  const { stage } = one
  const bad = problems.has(`stages.${at}.name`) && (tried || stage.name === '')
  const isOpen = open.has(one.key)
  const move = (by: 1 | -1) => {
    if (!draft[at + by]) return undefined
    return () => {
      change(moveStage(draft, at, by))
      moved(one.key, by)
    }
  }
  return (
    <div className={styles.stageHead}>
      <Grip what={{ kind: 'stage', stage: at }} />
      <span className={styles.number} aria-hidden>
        {at + 1}
      </span>
      <Input
        className={styles.stageName}
        variant="borderless"
        aria-label={t('pipelines-ui-stage-name', { number: at + 1 })}
        value={stage.name}
        maxLength={30}
        disabled={readOnly}
        {...(bad ? { status: 'error' as const, 'aria-invalid': true } : {})}
        onChange={(event) => change(changeStage(draft, at, { ...stage, name: event.target.value }), one.key)}
      />
      <Button
        small
        quiet
        icon="gear"
        pressed={isOpen}
        label={t('pipelines-ui-stage-settings', { name: stage.name })}
        onClick={() => toggle(one.key)}
      />
      {!readOnly && (
        <RowTools
          name={stage.name}
          up={move(-1)}
          down={move(1)}
          onRemove={() => {
            change(removeStage(draft, at))
            removed(stage.name)
          }}
        />
      )}
    </div>
  )
}
