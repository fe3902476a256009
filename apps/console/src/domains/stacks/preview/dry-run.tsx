import type { DryRun } from '@gantry/contract/stacks/preview/dry-run'
import { useEffect, useState } from 'react'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import styles from './dry-run.module.css'

interface Props {
  /** Sends a dry run to the cluster; called once for each opening. */
  ask: () => Promise<DryRun>
}

/** The cluster's answer about a specification before it is applied. */
export function DryRunResult({ ask }: Props) {
  const [answer, setAnswer] = useState<DryRun>()
  const [problem, setProblem] = useState('')
  const [first] = useState(() => ask)
  useEffect(() => {
    let isOpen = true
    first().then(
      (found) => isOpen && setAnswer(found),
      (error: unknown) => isOpen && setProblem(wordsOf(error)),
    )
    return () => {
      isOpen = false
    }
  }, [first])
  if (problem !== '') return <Problem text={problem} />
  if (!answer)
    return (
      <p className="g-faint" role="status">
        {t('preview-ui-asking')}
      </p>
    )
  return <Answer answer={answer} />
}

function Answer({ answer: { objects, silent } }: { answer: DryRun }) {
  const refused = objects.filter(({ refusal }) => refusal !== '')
  return (
    <section aria-label={t('preview-ui-title')} className={styles.answer}>
      {silent !== '' && <p className="g-note g-note-warn">{t('preview-ui-silent', { reason: silent })}</p>}
      {refused.length > 0 ? (
        <Problem text={t('preview-ui-refused', { count: refused.length })} />
      ) : (
        silent === '' && (
          <p className="g-note" role="status">
            {t('preview-ui-taken', { count: objects.length })}
          </p>
        )
      )}
      <ul className={styles.objects}>
        {objects.map(({ kind, name, change, refusal }) => (
          <li key={`${kind}/${name}`}>
            <span className="g-faint">{t(`preview-ui-${change}`)}</span>
            <span>
              <span translate="no">{kind}</span> <span className="g-mono">{name}</span>
              {refusal !== '' && <span className={styles.refusal}>{refusal}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The same as a dialog, for a form without a review. */
export function DryRunDialog({ name, ask, onClose }: Props & { name: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('preview-ui-dialog', { name })}
      onClose={onClose}
      buttons={<Button onClick={onClose}>{t('ui-close')}</Button>}
    >
      <DryRunResult ask={ask} />
    </Dialog>
  )
}
