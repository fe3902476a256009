import { example } from '../../ui/form/example.ts'
import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { host, HostSettings } from '@gantry/contract/settings/host'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'

/** As specified: reloading the page updates everything that depends on the address. */
const reloadMs = 3_000

/** The public address and the login page's notice. */
export function HostForm() {
  const query = useRead(host.get)
  const [typed, setTyped] = useState<string>()
  const [saved, setSaved] = useState(false)
  const save = useWrite(host.set, { done: () => t('settings-ui-host-reloads'), quiet: true })
  const check = useWrite(host.checkUrl, { done: 'settings-ui-host-reachable' })
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => location.reload(), reloadMs)
    return () => clearTimeout(timer)
  }, [saved])
  return (
    <Loaded query={query}>
      {({ publicUrl, notice, effectiveUrl, revision }) => {
        const url = (typed ?? publicUrl) || effectiveUrl
        return (
          <Form
            schema={HostSettings}
            initial={{ publicUrl, notice }}
            submit={t('ui-save')}
            onChange={(values) => setTyped(values.publicUrl)}
            onSubmit={async (body) => {
              await save.mutateAsync({ body: { ...body, revision } })
              setSaved(true)
            }}
            foot={
              <Button icon="link" loading={check.isPending} onClick={() => check.mutate({ body: { url } })}>
                {t('settings-ui-host-check')}
              </Button>
            }
          >
            <Field
              name="publicUrl"
              label={t('settings-ui-host-url')}
              help={t('settings-ui-host-url-help', { url: effectiveUrl })}
            >
              <Input placeholder={example('https://gantry.example.com')} maxLength={2000} />
            </Field>
            <Field name="notice" label={t('settings-ui-host-notice')} help={t('settings-ui-host-notice-help')}>
              <Input.TextArea rows={3} maxLength={500} showCount />
            </Field>
          </Form>
        )
      }}
    </Loaded>
  )
}
