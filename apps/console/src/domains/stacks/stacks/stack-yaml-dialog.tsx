import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { saveText } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { copyText } from '../../../ui/copyable.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { YamlEditor } from '../../../ui/editor/editors.tsx'

/** The Kubernetes objects of a stack, to read, copy and download. */
export function StackYamlDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const query = useRead(stacks.yaml, { params: { id: stack.uuid } }, { keep: false })
  const yaml = query.data?.yaml
  return (
    <Dialog
      width={960}
      title={t('stacks-ui-yaml-title', { name: stack.name })}
      onClose={onClose}
      buttons={
        <>
          <Button
            icon="copy"
            disabled={yaml === undefined && t('ui-loading')}
            onClick={() => void copyText(yaml ?? '').then((done) => done && toast.ok(t('ui-copied')))}
          >
            {t('ui-copy')}
          </Button>
          <Button
            icon="download"
            disabled={yaml === undefined && t('ui-loading')}
            onClick={() => saveText(yaml ?? '', `${stack.name}.yaml`, 'application/yaml')}
          >
            {t('ui-log-download')}
          </Button>
          <Button primary onClick={onClose}>
            {t('ui-close')}
          </Button>
        </>
      }
    >
      <p className="g-dialog-text g-faint">{t('stacks-ui-yaml-masked')}</p>
      <Loaded query={query}>
        {(data) => (
          <YamlEditor
            value={data.yaml}
            draftKey={`stack-${stack.uuid}`}
            label={t('stacks-ui-yaml-title', { name: stack.name })}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
