import { type Harbor, harbors } from '@gantry/contract/harbor/servers'
import { Input } from 'antd'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'

/** Adds or changes a Harbor. The credentials are tested before it is saved. */
export function HarborDialog({ harbor, onClose }: { harbor?: Harbor; onClose: () => void }) {
  const create = useWrite(harbors.create, { done: 'add-success', quiet: true })
  const update = useWrite(harbors.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={harbor ? t('harbor-ui-edit', { name: harbor.name }) : t('harbor-ui-add')}
      onClose={onClose}
      schema={harbors.create.body}
      {...(harbor ? { initial: inputOf(harbor) } : {})}
      submit={harbor ? t('ui-save') : t('harbor-ui-add')}
      foot={<Verify id={harbor?.id} />}
      onSubmit={async (body) => {
        if (harbor)
          await update.mutateAsync({ params: { id: harbor.id }, body: { ...body, revision: harbor.revision } })
        else await create.mutateAsync({ body })
      }}
    >
      <Field name="name" label={t('harbor-ui-name')}>
        <Input autoFocus maxLength={30} />
      </Field>
      <Field name="url" label={t('harbor-ui-url')} help={t('harbor-ui-url-help')}>
        <Input inputMode="url" spellCheck={false} placeholder={example('https://harbor.example.org')} />
      </Field>
      <Field name="username" label={t('harbor-ui-username')} help={t('harbor-ui-username-help')}>
        <Input autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        name="password"
        label={t('harbor-ui-password')}
        help={t(harbor ? 'harbor-ui-password-kept' : 'harbor-ui-password-help')}
      >
        <Input.Password autoComplete="new-password" />
      </Field>
      <Field name="ca" label={t('harbor-ui-ca')} help={t('harbor-ui-ca-help')}>
        <Input.TextArea rows={3} spellCheck={false} className="g-mono" />
      </Field>
    </FormDialog>
  )
}

const inputOf = ({ name, url, username, password, ca }: Harbor) => ({ name, url, username, password, ca })

const Verify = ({ id }: { id: number | undefined }) => (
  <TryForm
    label={t('harbor-ui-verify')}
    fine={t('check-success')}
    fields={['url', 'username', 'password', 'ca']}
    ask={(typed) => call(harbors.verify, { body: harbors.verify.body.parse({ ...typed, id }) })}
  >
    {({ version }) => <p className="g-faint">{t('harbor-ui-version-is', { version })}</p>}
  </TryForm>
)
