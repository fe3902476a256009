import { Input, Segmented } from 'antd'
import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { exactTime } from '../../../ui/format.ts'
import { ShownOnce } from '../agents/shown-once.tsx'
import { ClusterSelect } from '../environments/cluster-select.tsx'

const file = 'join.sh'

/** Opens the dialog that adds a host; for administrators. `environment`: only to that cluster. */
export function AddHostButton({ environment }: { environment?: Environment }) {
  const dialog = useDialog()
  return (
    <>
      <Button
        primary={environment === undefined}
        icon="add"
        needs={environments.script}
        onClick={() => dialog.show(true)}
      >
        {t('hosts-ui-add')}
      </Button>
      {dialog.open && <AddHostDialog environment={environment} onClose={dialog.hide} />}
    </>
  )
}

/** Once the script is shown, only the button closes the dialog: Escape and a click outside would lose it. */
function AddHostDialog({ environment, onClose }: { environment: Environment | undefined; onClose: () => void }) {
  const make = useWrite(environments.script, { quiet: true })
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
          schema={environments.script.body}
          initial={environment ? { envUuid: environment.uuid, os: 'linux' } : { os: 'linux' }}
          submit={t('hosts-ui-add-make')}
          onCancel={onClose}
          onSubmit={(body) => make.mutateAsync({ body })}
        >
          <p className="g-dialog-text">{t('hosts-ui-add-help')}</p>
          <Field filled name="envUuid" label={t('hosts-ui-cluster')}>
            {environment ? <Fixed name={environment.name} /> : <ClusterSelect />}
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
