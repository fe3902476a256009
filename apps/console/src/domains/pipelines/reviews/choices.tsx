import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { type Deciding, needsOf, type Question } from './question.ts'

interface ChoicesProps {
  question: Question
  /** Why the user may not decide, and who may; empty if the user may. */
  obstacle?: string
  /** The user is known to have the permission, perhaps in another team than the open one. */
  permitted?: boolean
  small?: boolean
  onChoose: (deciding: Deciding) => void
}

/** The two buttons of a decision about a waiting build. For a fork: let its build start, or stop it. */
export function Choices({ question, obstacle = '', permitted = false, small = false, onChoose }: ChoicesProps) {
  const common = { small, disabled: obstacle !== '' && obstacle, ...(permitted ? {} : { needs: needsOf(question) }) }
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
