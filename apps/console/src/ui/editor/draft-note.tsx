import { useState } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { exactTime } from '../format.ts'
import { dropYamlDraft, yamlDraft } from './yaml-draft.ts'

interface DraftNoteProps {
  /** The key of the editor's draft. */
  draftKey: string
  /** The saved text. */
  value: string
  /** Shows the editor. */
  onOpen: () => void
  onDiscard?: () => void
}

/** Tells beside a form that there is a draft as YAML, which the form does not show. */
export function DraftNote({ draftKey, value, onOpen, onDiscard }: DraftNoteProps) {
  const [draft, setDraft] = useState(() => yamlDraft(draftKey))
  if (!draft || draft.text === value) return null
  const discard = () => {
    dropYamlDraft(draftKey)
    setDraft(undefined)
    onDiscard?.()
  }
  return (
    <div className="g-note g-note-warn">
      <p>{t('ui-yaml-draft-elsewhere', { time: exactTime(draft.at) })}</p>
      <div className="g-row">
        <Button small onClick={onOpen}>
          {t('ui-yaml-draft-open')}
        </Button>
        <Button small quiet onClick={discard}>
          {t('ui-yaml-discard')}
        </Button>
      </div>
    </div>
  )
}
