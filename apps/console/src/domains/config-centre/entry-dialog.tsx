import { type ConfigEntry, configEntries, EntryInput, type Profile } from '@gantry/contract/config-centre/profiles'
import { mask } from '@gantry/contract/validators'
import { Form as Antd, Input, Switch } from 'antd'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { ValueArea } from '../../ui/form/value-area.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Restarts } from './restarts.tsx'

interface EntryDialogProps {
  profile: Profile
  /** The key to change; absent: a new one. */
  entry?: ConfigEntry
  onClose: () => void
}

/** Adds a key, or changes its value; shows before which services will restart. */
export function EntryDialog({ profile, entry, onClose }: EntryDialogProps) {
  const params = { teamId: useTeamId(), uuid: profile.uuid }
  const add = useWrite(configEntries.add, { done: 'add-success', quiet: true })
  const update = useWrite(configEntries.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={entry ? t('config-ui-key-edit-title', { key: entry.key }) : t('config-ui-key-add')}
      closes="asked"
      onClose={onClose}
      schema={EntryInput}
      initial={entry ? { key: entry.key, value: entry.value, secret: entry.secret } : { secret: false }}
      submit={entry ? t('ui-save') : t('config-ui-key-add')}
      needs={entry ? configEntries.update : configEntries.add}
      onSubmit={async (given) => {
        const body = { ...given, value: given.value ?? '' }
        if (entry) await update.mutateAsync({ named: entry.key, params, body: { ...body, revision: entry.revision } })
        else await add.mutateAsync({ named: body.key, params, body })
      }}
    >
      <Fields isNew={!entry} />
      <Restarts project={profile.project} profile={profile.name} />
    </FormDialog>
  )
}

function Fields({ isNew }: { isNew: boolean }) {
  const form = Antd.useFormInstance()
  const secret: boolean = Antd.useWatch('secret', form) ?? false
  return (
    <>
      <Field filled name="key" label={t('config-ui-key')} {...(isNew ? { help: t('config-ui-key-help') } : {})}>
        <Input
          autoFocus={isNew}
          disabled={!isNew}
          className="g-mono"
          spellCheck={false}
          autoComplete="off"
          placeholder={example('LOG_LEVEL')}
        />
      </Field>
      <Field name="value" label={t('config-ui-value')}>
        <ValueArea secret={secret} autoFocus={!isNew} />
      </Field>
      <Field filled name="secret" label={t('config-ui-secret')} help={t('config-ui-secret-help')} value="checked">
        <Switch
          onChange={(next) => {
            // The mask stands for a secret; as a plain value it would be eight literal asterisks.
            if (!next && form.getFieldValue('value') === mask) form.setFieldValue('value', '')
          }}
        />
      </Field>
    </>
  )
}
