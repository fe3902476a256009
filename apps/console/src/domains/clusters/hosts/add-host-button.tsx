import { Input, Segmented } from 'antd'
import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { exactTime } from '../../../ui/format.ts'
import { ShownOnce } from '../agents/shown-once.tsx'
import { ClusterSelect } from '../clusters/cluster-select.tsx'

const file = 'join.sh'

/** Opens the dialog that adds a host; for administrators. `cluster`: only to that cluster. */
export function AddHostButton({ cluster }: { cluster?: Cluster }) {
  const dialog = useDialog()
  return (
    <>
      <Button primary={cluster === undefined} icon="add" needs={clusters.script} onClick={() => dialog.show(true)}>
        {t('hosts-ui-add')}
      </Button>
      {dialog.open && <AddHostDialog cluster={cluster} onClose={dialog.hide} />}
    </>
  )
}

/** Once the script is shown, only the button closes the dialog: Escape and a click outside would lose it. */
function AddHostDialog({ cluster, onClose }: { cluster: Cluster | undefined; onClose: () => void }) {
  const make = useWrite(clusters.script, { quiet: true })
  const made = make.data
  return (
    <Dialog
      width={640}
      title={t('hosts-ui-add-title')}
      closes={made ? 'button' : 'anyhow'}
      onClose={onClose}
      buttons={
        made && (
          <Button primary onClick={onClose}>
            {t('ui-close')}
          </Button>
        )
      }
    >
      {made ? (
        <ShownOnce
          text={made.script}
          file={file}
          type="text/x-shellscript"
          about={t('hosts-ui-add-run', { file, time: exactTime(made.expiresAt) })}
          command={`sudo sh ${file}`}
          warning={t('hosts-ui-add-once')}
        />
      ) : (
        <Form
          schema={clusters.script.body}
          initial={cluster ? { envUuid: cluster.uuid, os: 'linux' } : { os: 'linux' }}
          submit={t('hosts-ui-add-make')}
          onCancel={onClose}
          onSubmit={(body) => make.mutateAsync({ body })}
        >
          <p className="g-dialog-text">{t('hosts-ui-add-help')}</p>
          <Field filled name="envUuid" label={t('hosts-ui-cluster')}>
            {cluster ? <Fixed name={cluster.name} /> : <ClusterSelect />}
          </Field>
          <Field filled name="os" label={t('hosts-ui-add-os')}>
            <Segmented
              options={[
                { value: 'linux', label: t('hosts-ui-add-linux') },
                { value: 'windows', label: t('hosts-ui-add-windows') },
              ]}
            />
          </Field>
        </Form>
      )}
    </Dialog>
  )
}

/** A field with a fixed value. */
const Fixed = ({ id, name }: { id?: string; name: string }) => (
  <Input {...(id === undefined ? {} : { id })} value={name} readOnly />
)
