import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { t } from '../../../api/language.ts'
import { addStep, moveStepTo, newStep, type StepList, stepsAt, stepTypes } from '../definition/draft.ts'
import { stepTypeOf } from '../definition/words.ts'
import { StepCard } from '../steps/step-card.tsx'
import { useEditing } from './editing.ts'
import { Gap } from './moving.tsx'
import styles from './editor.module.css'

interface StepListProps {
  place: StepList
}

/** The steps of a stage or a job, with gaps between them for dropping others, and the button that adds one. */
export function StepList({ place }: StepListProps) {
  const { draft, change, toggle, readOnly } = useEditing()
  const steps = stepsAt(draft, place)
  const gap = (at: number) => (
    <Gap
      kind="step"
      onDrop={(what) => what.kind === 'step' && change(moveStepTo(draft, what.place, what.row, place, at))}
    />
  )
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((one, row) => (
          <li key={one.key}>
            {gap(row)}
            <StepCard one={one} place={place} row={row} />
          </li>
        ))}
      </ol>
      {gap(steps.length)}
      {!readOnly && (
        <Menu
          start
          menu={{
            items: stepTypes.map((type) => ({ key: type, label: stepTypeOf(type) })),
            onClick: ({ key: type }) => {
              const chosen = stepTypes.find((each) => each === type)
              if (!chosen) return
              const made = addStep(draft, place, newStep(chosen, stepTypeOf(chosen)))
              change(made.draft)
              toggle(made.key, true)
            },
          }}
        >
          <Button small icon="add">
            {t('pipelines-ui-step-add')}
          </Button>
        </Menu>
      )}
    </>
  )
}
