import { useEffect } from 'react'
import { t } from '../api/language.ts'
import { loading, watchLoading } from '../api/loading.ts'
import { useStore } from '../api/store.ts'

export function LoadingOverlay() {
  useEffect(watchLoading, [])
  if (!useStore(loading)) return null
  return (
    <div className="g-overlay" role="alert" aria-busy>
      <span className="g-spinner" />
      {t('ui-loading')}
    </div>
  )
}
