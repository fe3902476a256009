import type { ReactNode } from 'react'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Choices } from './choices.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import type { Deciding, Question } from './question.ts'
import styles from './reviews.module.css'

interface QuestionCardProps {
  label: string
  title: string
  question: Question
  obstacle: string
  /** Who may decide and until when, and the decisions so far. */
  children?: ReactNode
}

/** The card on the page of a build that waits for people: the question, and the decision. */
export function QuestionCard({ label, title, question, obstacle, children }: QuestionCardProps) {
  const deciding = useDialog<Deciding>()
  return (
    <section className={styles.panel} aria-label={label}>
      <div>
        <h2>{title}</h2>
        {obstacle !== '' && <p className="g-quiet">{obstacle}</p>}
        {children}
      </div>
      <Choices question={question} obstacle={obstacle} onChoose={deciding.show} />
      {deciding.open && <DecideDialog {...deciding.open} onClose={deciding.hide} />}
    </section>
  )
}
