import { useEffect } from 'react'
import { t } from '../api/language.ts'
import { loading, watchLoading } from '../api/loading.ts'
import { useStore } from '../api/store.ts'
import styles from './shell.module.css'

export function LoadingOverlay() {
  useEffect(watchLoading, [])
  if (!useStore(loading)) return null
  return (
    <div className={styles.overlay} role="alert" aria-busy>
      <span className={styles.spinner} />
      {t('ui-loading')}
    </div>
  )
}
