import { contents } from '@gantry/contract/images/contents'
import { useEffect, useState } from 'react'
import { refreshReads } from '../../../api/queries.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { checkAll, deleteAll, type Outcome, type Plan, type Wanted } from './deletion.ts'

interface DeletionDialogProps {
  repoId: string
  tags: readonly Wanted[]
  onClose: () => void
}

type Phase =
  | { at: 'checking' }
  | { at: 'failed'; error: unknown }
  | { at: 'asking'; plan: Plan }
  | { at: 'deleting'; plan: Plan }
  | { at: 'done'; outcome: Outcome }

/** Previews which tags are deleted and which must stay, asks, deletes, and offers to retry failures. */
export function DeletionDialog({ repoId, tags, onClose }: DeletionDialogProps) {
  const [phase, setPhase] = useState<Phase>({ at: 'checking' })
  const [request, ask] = useState({ repoId, tags })
  useEffect(() => {
    const ended = new AbortController()
    checkAll(request.repoId, request.tags, ended.signal).then(
      (plan) => !ended.signal.aborted && setPhase({ at: 'asking', plan }),
      (error: unknown) => !ended.signal.aborted && setPhase({ at: 'failed', error }),
    )
    return () => ended.abort()
  }, [request])

  const remove = async (goes: readonly Wanted[], plan: Plan) => {
    setPhase({ at: 'deleting', plan })
    const outcome = await deleteAll(repoId, goes)
    await refreshReads([contents.removeTags])
    if (outcome.failed.length > 0) return setPhase({ at: 'done', outcome })
    toast.ok(t('images-ui-tags-deleted', { count: outcome.deleted }))
    onClose()
  }
  const title =
    tags.length === 1 ? t('images-ui-tag-delete-title', { tag: tags[0]?.tag ?? '' }) : t('images-ui-tags-delete')
  const goes = phase.at === 'asking' || phase.at === 'deleting' ? phase.plan.goes : []
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closes={phase.at === 'deleting' ? 'button' : 'anyhow'}
      buttons={
        <>
          {phase.at !== 'deleting' && (
            <Button onClick={onClose}>{phase.at === 'done' ? t('ui-close') : t('ui-cancel')}</Button>
          )}
          {(phase.at === 'asking' || phase.at === 'deleting') && (
            <Button
              primary
              danger
              loading={phase.at === 'deleting'}
              disabled={goes.length === 0 && t('images-ui-tags-delete-none')}
              onClick={() => void remove(goes, phase.plan)}
            >
              {t('ui-delete')}
            </Button>
          )}
          {phase.at === 'done' && (
            <Button primary icon="refresh" onClick={() => void remove(phase.outcome.failed, { goes: [], stays: [] })}>
              {t('images-ui-tags-retry', { count: phase.outcome.failed.length })}
            </Button>
          )}
        </>
      }
    >
      {phase.at === 'checking' && (
        <p aria-live="polite" className="g-faint">
          {t('images-ui-tags-delete-checking')}
        </p>
      )}
      {phase.at === 'failed' && (
        <Failed
          error={phase.error}
          retry={() => {
            setPhase({ at: 'checking' })
            ask({ repoId, tags })
          }}
        />
      )}
      {(phase.at === 'asking' || phase.at === 'deleting') && <PlanView plan={phase.plan} />}
      {phase.at === 'done' && (
        <>
          <p aria-live="polite">{t('images-ui-tags-deleted', { count: phase.outcome.deleted })}</p>
          <Reasons rows={phase.outcome.failed} />
        </>
      )}
    </Dialog>
  )
}

function PlanView({ plan: { goes, stays } }: { plan: Plan }) {
  return (
    <>
      {goes.length > 0 && (
        <>
          <p className="g-dialog-text">{t('images-ui-tags-delete-goes', { count: goes.length })}</p>
          <ul className="g-goes" ref={scrollStop}>
            {goes.map((one) => (
              <li key={one.tag}>
                <span className="g-mono">{one.tag}</span>
                {one.with !== '' && (
                  <span className="g-faint"> · {t('images-ui-tags-delete-with', { tag: one.with })}</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {stays.length > 0 && (
        <>
          <p>{t('images-ui-tags-delete-stays', { count: stays.length })}</p>
          <Reasons rows={stays} />
        </>
      )}
    </>
  )
}

const Reasons = ({ rows }: { rows: readonly { tag: string; text: string }[] }) => (
  <ul className="g-outcomes g-left-out" ref={scrollStop}>
    {rows.map(({ tag, text }) => (
      <li key={tag}>
        <span className="g-mono">{tag}</span>
        <em>{text}</em>
      </li>
    ))}
  </ul>
)
