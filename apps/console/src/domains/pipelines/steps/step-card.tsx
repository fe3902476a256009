import type { StepInput } from '@gantry/contract/pipelines/definition'
import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { canMoveStep, type Draft } from '../definition/draft.ts'
import { isWrong } from '../definition/draft-problems.ts'
import { StepPlaceContext, type StepPlace } from './step-field.tsx'
import { StepForm } from './step-form.tsx'
import { firstLine, stepTypeOf } from '../definition/words.ts'
import styles from './steps.module.css'

interface StepCardProps {
  step: StepInput
  open: boolean
  onToggle: () => void
  place: StepPlace
  draft: Draft
  /** The stage, and the step's row in it. */
  at: number
  row: number
  onChange: (step: StepInput) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

/** One step: a row that says what it does, and its form when it is open. */
export function StepCard({ step, open, onToggle, place, draft, at, row, onChange, onMove, onRemove }: StepCardProps) {
  const id = useId()
  const wrong = place.tried && isWrong(place.problems, place.path)
  return (
    <li className={wrong ? `${styles.stepCard} ${styles.stepWrong}` : styles.stepCard}>
      <div className={styles.stepHead}>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={onToggle}>
          <Icon name={open ? 'chevron' : 'next'} />
          <strong className="g-clip">{step.name || t('pipelines-ui-step-unnamed')}</strong>
          <span className={styles.kind}>{stepTypeOf(step.type)}</span>
          {wrong && <Icon name="error" label={t('pipelines-ui-step-wrong')} />}
          <span className={`g-quiet g-clip g-mono ${styles.stepSum}`}>{summaryOf(step)}</span>
        </button>
        {!place.readOnly && (
          <span className="g-tools">
            <Button
              small
              quiet
              icon="up"
              label={t('pipelines-ui-move-up', { name: step.name })}
              disabled={!canMoveStep(draft, at, row, -1) && t('pipelines-ui-first')}
              onClick={() => onMove(-1)}
            />
            <Button
              small
              quiet
              icon="chevron"
              label={t('pipelines-ui-move-down', { name: step.name })}
              disabled={!canMoveStep(draft, at, row, 1) && t('pipelines-ui-last')}
              onClick={() => onMove(1)}
            />
            <Button
              small
              quiet
              icon="delete"
              label={t('pipelines-ui-remove', { name: step.name })}
              onClick={onRemove}
            />
          </span>
        )}
      </div>
      <div id={id} hidden={!open}>
        {open && (
          <StepPlaceContext value={place}>
            <StepForm step={step} onChange={onChange} images={imagesBefore(draft, at, row)} />
          </StepPlaceContext>
        )}
      </div>
    </li>
  )
}

function summaryOf(step: StepInput): string {
  switch (step.type) {
    case 'checkout':
      return ''
    case 'script':
      return firstLine(step.run.split('\n').find((line) => !/^\s*(#|set\b|$)/.test(line)) ?? '')
    case 'report':
    case 'artifact':
      return step.files
    case 'image':
      return step.repository === '' ? '' : `${step.repository}:${step.tag ?? '${number}'}`
    case 'deploy':
      return step.service
  }
}

const imagesBefore = (draft: Draft, at: number, row: number): string[] =>
  draft
    .slice(0, at + 1)
    .flatMap((stage, i) => (i < at ? stage.steps : stage.steps.slice(0, row)))
    .filter(({ step }) => step.type === 'image')
    .map(({ step }) => step.name)
