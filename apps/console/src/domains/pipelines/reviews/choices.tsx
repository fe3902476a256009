import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { type Deciding, needsOf, type Question } from './question.ts'

interface ChoicesProps {
  question: Question
  /** Why the reader may not decide, and who may; empty where they may. */
  obstacle?: string
  /** The reader is known to hold the permission, perhaps in another team than the one they are in. */
  held?: boolean
  small?: boolean
  onChoose: (deciding: Deciding) => void
}

/** The two ways to decide, the same wherever a build waits for people. A fork is let in, or its build stopped. */
export function Choices({ question, obstacle = '', held = false, small = false, onChoose }: ChoicesProps) {
  const common = { small, disabled: obstacle !== '' && obstacle, ...(held ? {} : { needs: needsOf(question) }) }
  return (
    <div className="g-row">
      <Button {...common} icon="check" onClick={() => onChoose({ question, pass: true })}>
        {t(question.kind === 'start' ? 'pipelines-ui-gate-pass' : 'pipelines-ui-approve')}
      </Button>
      {question.kind !== 'fork' && (
        <Button {...common} danger onClick={() => onChoose({ question, pass: false })}>
          {t('pipelines-ui-reject')}
        </Button>
      )}
    </div>
  )
}
