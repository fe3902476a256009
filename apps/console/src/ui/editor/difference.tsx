import { useEffect, useRef } from 'react'
import { t } from '../../api/language.ts'
import { openDiff } from './code-mirror.ts'
import './yaml-editor.css'

/** Two texts side by side, with their differences marked. */
export function Difference({ before, after }: { before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      place.current
        ? openDiff(place.current, before, after, { before: t('ui-review-old'), after: t('ui-review-new') })
        : undefined,
    [before, after],
  )
  return <div className="g-pane g-diff g-yaml-box" role="group" aria-label={t('ui-review-difference')} ref={place} />
}
