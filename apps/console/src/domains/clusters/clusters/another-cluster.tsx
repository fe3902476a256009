import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import styles from './clusters.module.css'

/** Lets an administrator accept a cluster that answers in place of the joined one. */
export function AnotherCluster({ cluster: { uuid, name, cluster, answers } }: { cluster: Cluster }) {
  const accept = useWrite(clusters.accept, {
    done: () => t('clusters-ui-accepted', { name }),
    quiet: true,
  })
  const ask = () =>
    confirm({
      title: t('clusters-ui-accept-title', { name }),
      text: t('clusters-ui-accept-text', { name }),
      warning: t('clusters-ui-accept-ids', { before: cluster, now: answers }),
      danger: true,
      ok: t('clusters-ui-accept'),
      run: () => accept.mutateAsync({ params: { uuid }, body: { cluster: answers } }),
    })
  return (
    <div className={`g-note g-note-bad ${styles.another}`} role="alert">
      <p>{t('clusters-ui-another')}</p>
      <Button onClick={() => void ask()}>{t('clusters-ui-accept')}</Button>
    </div>
  )
}
