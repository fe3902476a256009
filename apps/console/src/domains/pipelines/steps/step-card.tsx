import type { StepInput } from '@gantry/contract/pipelines/definition'
import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { Icon } from '../../../ui/icon.tsx'
import {
  changeStep,
  type DraftStep,
  moveStepTo,
  nextForStep,
  type StepList,
  removeStep,
  stepsBefore,
} from '../definition/draft.ts'
import { isWrong, pathOf } from '../definition/draft-problems.ts'
import { firstLine, stepTypeOf } from '../definition/words.ts'
import { useEditing } from '../editor/editing.ts'
import { Grip, RowTools } from '../editor/moving.tsx'
import { Notes } from '../editor/notes.tsx'
import { StepPlaceContext } from './step-field.tsx'
import { StepForm } from './step-form.tsx'
import styles from './steps.module.css'

interface StepCardProps {
  one: DraftStep
  place: StepList
  row: number
}

/** One step: a row with a summary, and its form when open. */
export function StepCard({ one, place, row }: StepCardProps) {
  const { draft, change, problems, tried, readOnly, open, toggle, moved, removed, parameters } = useEditing()
  const id = useId()
  const { step, key } = one
  const path = `${pathOf(place)}.steps.${row}`
  const isOpen = open.has(key)
  const wrong = tried && isWrong(problems, path)
  const move = (by: 1 | -1) => {
    const next = nextForStep(draft, place, row, by)
    if (!next) return undefined
    return () => {
      change(moveStepTo(draft, place, row, next.place, next.at))
      moved(key, by)
    }
  }
  const before = stepsBefore(draft, place, row)
  return (
    <div className={wrong ? `${styles.stepCard} ${styles.stepWrong}` : styles.stepCard} data-key={key}>
      <div className={styles.stepHead}>
        <Grip what={{ kind: 'step', place, row }} />
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => toggle(key)}>
          <Icon name={isOpen ? 'chevron' : 'next'} />
          <strong className="g-clip">{step.name || t('pipelines-ui-step-unnamed')}</strong>
          <span className={styles.kind}>{stepTypeOf(step.type)}</span>
          {wrong && <Icon name="error" label={t('pipelines-ui-step-wrong')} />}
          <span className={`g-quiet g-clip g-mono ${styles.stepSum}`}>{summaryOf(step)}</span>
        </button>
        {!readOnly && (
          <RowTools
            name={step.name}
            up={move(-1)}
            down={move(1)}
            onRemove={() => {
              change(removeStep(draft, place, row))
              removed(step.name)
            }}
          />
        )}
      </div>
      <div className={styles.stepNotes}>
        <Notes path={path} own={Object.keys(step)} open={isOpen} />
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <StepPlaceContext value={{ path, problems, tried, readOnly }}>
            <StepForm
              step={step}
              onChange={(next) => change(changeStep(draft, place, row, next), key)}
              images={before.filter(({ type }) => type === 'image' || type === 'copy').map(({ name }) => name)}
              parameters={parameters.map(({ name }) => name)}
              outputs={before
                .filter(({ type }) =>
                  ['script', 'http', 'pipeline', 'cache', 'coverage', 'scan', 'image', 'copy'].includes(type),
                )
                .map(({ name }) => `${name}.`)}
            />
          </StepPlaceContext>
        )}
      </div>
    </div>
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
    case 'coverage':
    case 'scan':
      return step.files
    case 'image':
      return step.repository === '' ? '' : `${step.repository}:${step.tag ?? '${number}'}`
    case 'cache':
      return step.key
    case 'code-quality':
      return firstLine(step.run?.trim() || 'sonar-scanner')
    case 'copy':
      return step.repository === '' ? '' : `${step.from} → ${step.repository}:${step.tag ?? '${number}'}`
    case 'mail':
      return step.to.join(', ')
    case 'http':
      return `${step.method ?? 'GET'} ${step.url}`
    case 'pipeline':
      return step.branch ?? ''
    case 'helm':
      return step.chart === '' ? step.release : `${step.release}: ${step.chart} ${step.version}`
    case 'blueprint':
      return ''
    case 'deploy':
      return step.service
  }
}
