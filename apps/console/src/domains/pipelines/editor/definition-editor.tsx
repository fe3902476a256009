import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { useEffect, useRef } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { addStage, moveStageTo } from '../definition/draft.ts'
import { type Editing, EditingContext } from './editing.ts'
import { Gap } from './moving.tsx'
import { StageCard } from './stage-card.tsx'
import styles from './editor.module.css'

interface EditorProps {
  editing: Omit<Editing, 'moved'>
}

/** Stages from top to bottom, their jobs side by side, with steps; all can be moved by pointer and by keyboard. */
export function DefinitionEditor({ editing }: EditorProps) {
  const { draft, change, problems, readOnly } = editing
  const box = useRef<HTMLDivElement>(null)
  const goal = useRef<string>(undefined)
  useEffect(() => {
    if (goal.current === undefined) return
    box.current?.querySelector<HTMLElement>(goal.current)?.focus()
    goal.current = undefined
  })
  const add = () => change(addStage(draft, t('pipelines-ui-stage')))
  if (draft.length === 0)
    return (
      <EmptyState
        type={1}
        title={t('pipelines-ui-no-stages')}
        memo={t('pipelines-ui-no-stages-memo')}
        add={{ label: t('pipelines-ui-stage-add'), needs: definitions.set, onClick: add }}
      />
    )
  const whole = problems.get('stages')
  const gap = (at: number) => (
    <Gap kind="stage" onDrop={(what) => what.kind === 'stage' && change(moveStageTo(draft, what.stage, at))} />
  )
  return (
    <EditingContext
      value={{
        ...editing,
        moved: (key, by) => {
          goal.current = `[data-key="${key}"] [data-move="${by}"] button`
        },
      }}
    >
      <div className={styles.editor} ref={box}>
        <Problem text={whole} />
        <ol className={styles.stages}>
          {draft.map((one, at) => (
            <li key={one.key}>
              {gap(at)}
              <StageCard one={one} at={at} />
            </li>
          ))}
        </ol>
        {gap(draft.length)}
        {!readOnly && (
          <div>
            <Button icon="add" onClick={add}>
              {t('pipelines-ui-stage-add')}
            </Button>
          </div>
        )}
      </div>
    </EditingContext>
  )
}
