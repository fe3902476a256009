import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { later } from '../../ui/feedback/later.ts'
import type { SourceProps } from './source-dialog.tsx'

export const SourceDialog = later(async () => (await import('./source-dialog.tsx')).SourceDialog)

/** The sources of traces and of the service mesh of a cluster, set by administrators. */
export const TracingButtons = ({ cluster }: Pick<SourceProps, 'cluster'>) => (
  <>
    <SourceButton kind="jaeger" cluster={cluster} />
    <SourceButton kind="kiali" cluster={cluster} />
  </>
)

function SourceButton({ kind, cluster }: SourceProps) {
  const dialog = useDialog()
  return (
    <>
      <Button icon="gear" onClick={() => dialog.show(true)}>
        {t(`tracing-ui-source-${kind}`)}
      </Button>
      {dialog.open && <SourceDialog kind={kind} cluster={cluster} onClose={dialog.hide} />}
    </>
  )
}
