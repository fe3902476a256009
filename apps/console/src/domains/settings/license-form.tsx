import { Input } from 'antd'
import { type LicenseClaims, license, type LicenseStatus } from '@gantry/contract/settings/license'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { reloadRights, useUser } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { confirmDelete } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Time } from '../../ui/time.tsx'

/** The license of the installation's distributor or operator, if there is an issuer. */
export function LicenseForm() {
  const query = useRead(license.get)
  const state = useRead(license.status)
  const { admin } = useUser()
  const save = useWrite(license.set, { done: 'save-success', quiet: true })
  const write = async (text: string) => {
    await save.mutateAsync({ named: '', body: { license: text } })
    // the banner depends on the session
    await reloadRights()
  }
  const askRemove = (holder: string) =>
    confirmDelete({
      title: t('license-ui-remove-title', { holder }),
      text: t('license-ui-remove-memo'),
      run: () => write(''),
    })
  return (
    <Loaded query={query}>
      {({ issuer, license: current }) =>
        issuer === '' ? (
          <p>{t('license-ui-none-needed')}</p>
        ) : (
          <>
            {current ? (
              <Current license={current} status={state.data} issuer={issuer} />
            ) : (
              <p>{t('license-ui-none')}</p>
            )}
            {admin && (
              <Form
                key={current?.issuedAt}
                schema={license.set.body}
                initial={{ license: '' }}
                submit={t('ui-save')}
                onSubmit={({ license: text }) => write(text)}
                foot={
                  current && (
                    <Button icon="delete" danger onClick={() => void askRemove(current.holder)}>
                      {t('license-ui-remove')}
                    </Button>
                  )
                }
              >
                <Field name="license" label={t('license-ui-text')} help={t('license-ui-text-help')} filled>
                  <Input.TextArea rows={4} maxLength={8000} spellCheck={false} autoComplete="off" />
                </Field>
              </Form>
            )}
          </>
        )
      }
    </Loaded>
  )
}

interface CurrentProps {
  license: LicenseClaims
  status: LicenseStatus | undefined
  issuer: string
}

function Current({ license: { holder, issuedAt, expiredAt, notes, limits }, status, issuer }: CurrentProps) {
  const state = status?.expired ? 'expired' : status?.expiresInTenDays ? 'expiring' : 'valid'
  const look = { expired: 'failed', expiring: 'waiting', valid: 'success' }[state]
  return (
    <Facts
      facts={[
        { label: t('license-ui-state'), value: status && <StateBadge state={look} text={t(`license-ui-${state}`)} /> },
        { label: t('license-ui-holder'), value: holder },
        { label: t('license-ui-issued'), value: <Time at={issuedAt} /> },
        { label: t('license-ui-expires'), value: <Time at={expiredAt} /> },
        ...Object.entries(limits).map(([label, value]) => ({ label, value })),
        { label: t('license-ui-notes'), value: notes, wide: true },
        { label: t('license-ui-issuer'), value: <code>{issuer}</code>, wide: true },
      ]}
    />
  )
}
