import { Input } from 'antd'
import { useState } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Menu } from '../../../ui/menu.tsx'
import {
  addStage,
  addStep,
  changeStep,
  jobsOfStage,
  moveStage,
  moveStep,
  newStep,
  removeStage,
  removeStep,
  renameStage,
  stepTypes,
  type Draft,
  type DraftStage,
} from './draft.ts'
import { StepCard } from '../steps/step-card.tsx'
import { stepTypeOf } from './words.ts'
import styles from './definition.module.css'

export interface EditorProps {
  draft: Draft
  onChange: (draft: Draft) => void
  problems: ReadonlyMap<string, string>
  /** A save was tried, so that every problem shows. */
  tried: boolean
  readOnly: boolean
}

/** Stages from top to bottom, their steps in them; everything can be done by keyboard, also moving. */
export function DefinitionEditor({ draft, onChange, problems, tried, readOnly }: EditorProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) =>
    setOpen((now) => {
      const next = new Set(now)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const add = () => onChange(addStage(draft, t('pipelines-ui-stage')))
  if (draft.length === 0)
    return (
      <EmptyState
        type={1}
        title={t('pipelines-ui-no-stages')}
        memo={t('pipelines-ui-no-stages-memo')}
        add={{ label: t('pipelines-ui-stage-add'), needs: 'pipeline_pipeline_edit', onClick: add }}
      />
    )
  const whole = problems.get('stages')
  return (
    <div className={styles.editor}>
      {whole !== undefined && (
        <p className="g-note g-note-bad" role="alert">
          {whole}
        </p>
      )}
      <ol className={styles.editorStages}>
        {draft.map((stage, at) => (
          <li key={stage.key} className={styles.editorStage}>
            <StageHead
              stage={stage}
              at={at}
              draft={draft}
              onChange={onChange}
              problems={problems}
              tried={tried}
              readOnly={readOnly}
            />
            {jobsOfStage(stage).length > 0 && <JobsOfStage stage={stage} />}
            <ol className={styles.editorSteps}>
              {stage.steps.map(({ key, step }, row) => (
                <StepCard
                  key={key}
                  step={step}
                  open={open.has(key)}
                  onToggle={() => toggle(key)}
                  place={{ path: `stages.${at}.steps.${row}`, problems, tried, readOnly }}
                  draft={draft}
                  at={at}
                  row={row}
                  onChange={(next) => onChange(changeStep(draft, at, row, next))}
                  onMove={(by) => onChange(moveStep(draft, at, row, by))}
                  onRemove={() => onChange(removeStep(draft, at, row))}
                />
              ))}
            </ol>
            {!readOnly && jobsOfStage(stage).length === 0 && (
              <Menu
                start
                menu={{
                  items: stepTypes.map((type) => ({ key: type, label: stepTypeOf(type) })),
                  onClick: ({ key: type }) => {
                    const chosen = stepTypes.find((each) => each === type)
                    if (!chosen) return
                    const made = addStep(draft, at, newStep(chosen, stepTypeOf(chosen)))
                    onChange(made.draft)
                    toggle(made.key)
                  },
                }}
              >
                <Button small icon="add">
                  {t('pipelines-ui-step-add')}
                </Button>
              </Menu>
            )}
          </li>
        ))}
      </ol>
      {!readOnly && (
        <div>
          <Button icon="add" onClick={add}>
            {t('pipelines-ui-stage-add')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The jobs of a stage as they are: they are written as text. */
function JobsOfStage({ stage }: { stage: DraftStage }) {
  return (
    <>
      <ul className={styles.editorSteps}>
        {jobsOfStage(stage).map((job) => (
          <li key={job.name} className={styles.editorJob}>
            <strong>{job.name}</strong>
            <span className="g-quiet">{job.steps.map(({ name }) => name).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <p className="g-quiet g-small">{t('pipelines-ui-jobs-as-text')}</p>
    </>
  )
}

interface StageHeadProps extends EditorProps {
  stage: DraftStage
  at: number
}

function StageHead({ stage, at, draft, onChange, problems, tried, readOnly }: StageHeadProps) {
  const path = `stages.${at}`
  const problem = problems.get(`${path}.name`) ?? problems.get(`${path}.steps`) ?? problems.get(`${path}.jobs`)
  const shown = problem !== undefined && (tried || stage.name === '')
  const remove = async () => {
    const yes =
      (stage.steps.length === 0 && jobsOfStage(stage).length === 0) ||
      (await confirm({
        title: t('pipelines-ui-stage-remove-title', { name: stage.name }),
        goes: [...stage.steps.map(({ step }) => step.name), ...jobsOfStage(stage).map(({ name }) => name)],
        danger: true,
        ok: t('pipelines-ui-stage-remove'),
      }))
    if (yes) onChange(removeStage(draft, at))
  }
  return (
    <>
      <div className={styles.stageHead}>
        <Input
          className={styles.stageName}
          variant="borderless"
          aria-label={t('pipelines-ui-stage-name', { number: at + 1 })}
          value={stage.name}
          maxLength={30}
          disabled={readOnly}
          {...(shown ? { status: 'error' as const } : {})}
          onChange={(event) => onChange(renameStage(draft, at, event.target.value))}
        />
        {(stage.more.mode ?? 'auto') !== 'auto' && (
          <span className="g-quiet g-small">
            {t(stage.more.mode === 'manual' ? 'pipelines-ui-mode-manual' : 'pipelines-ui-mode-approve')}
          </span>
        )}
        {!readOnly && (
          <span className="g-tools">
            <Button
              small
              quiet
              icon="up"
              label={t('pipelines-ui-move-up', { name: stage.name })}
              disabled={at === 0 && t('pipelines-ui-first')}
              onClick={() => onChange(moveStage(draft, at, -1))}
            />
            <Button
              small
              quiet
              icon="chevron"
              label={t('pipelines-ui-move-down', { name: stage.name })}
              disabled={at === draft.length - 1 && t('pipelines-ui-last')}
              onClick={() => onChange(moveStage(draft, at, 1))}
            />
            <Button
              small
              quiet
              icon="delete"
              label={t('pipelines-ui-remove', { name: stage.name })}
              onClick={() => void remove()}
            />
          </span>
        )}
      </div>
      {shown && <p className="g-bad g-small">{problem}</p>}
    </>
  )
}
