import { Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { openDiff } from '../../ui/code-mirror.ts'
import { specText } from './spec-text.ts'

interface ReviewProps {
  service: ServiceDetail
  next: ServiceSpec
  onSend: (next: ServiceSpec) => Promise<unknown>
  onClose: () => void
}

/** What an upgrade would change, old and new side by side, before it is sent. */
export function ReviewDialog({ service, next, onSend, onClose }: ReviewProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const before = specText(service.spec)
  const after = specText(next)
  const send = async () => {
    setBusy(true)
    setProblem('')
    try {
      await onSend(next)
    } catch (error) {
      setProblem(wordsOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={960}
      title={t('stacks-ui-review-title', { name: service.name })}
      onCancel={onClose}
      footer={
        <div className="g-row g-row-end">
          <Button onClick={onClose}>{t('ui-yaml-edit-again')}</Button>
          <Button primary icon="upgrade" needs="stack_service_edit" loading={busy} onClick={() => void send()}>
            {t('stacks-ui-upgrade')}
          </Button>
        </div>
      }
    >
      <p className="g-dialog-text">
        {t(service.state === 'stable' ? 'stacks-ui-review-text' : 'stacks-ui-review-text-replace')}
      </p>
      {before === after ? (
        <p className="g-note g-note-warn">{t('stacks-ui-review-same')}</p>
      ) : (
        <Difference before={before} after={after} />
      )}
      {problem !== '' && (
        <p className="g-note g-note-bad" role="alert">
          {problem}
        </p>
      )}
    </Modal>
  )
}

/** Two texts side by side, their differences marked. */
export function Difference({ before, after }: { before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      place.current
        ? openDiff(place.current, before, after, { before: t('stacks-ui-old'), after: t('stacks-ui-new') })
        : undefined,
    [before, after],
  )
  return <div className="s-diff g-yaml-box" role="group" aria-label={t('stacks-ui-difference')} ref={place} />
}
