import { type Certificate, CertificateInput, certificates } from '@gantry/contract/certificates/certificates'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { ValueArea } from '../../ui/form/value-area.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'

/** Adds a certificate; with `?id`, replaces that one and its key. */
export function CertificatePage() {
  const [{ id }] = useUrlState({ id: '' })
  return id === '' ? <CertificateForm /> : <KnownCertificate id={Number(id)} />
}

function KnownCertificate({ id }: { id: number }) {
  // a form in use does not follow others' changes
  const query = useRead(certificates.get, { params: { certificateId: id } }, { staleMs: Infinity })
  return <Loaded query={query}>{(certificate) => <CertificateForm certificate={certificate} />}</Loaded>
}

function CertificateForm({ certificate }: { certificate?: Certificate }) {
  const go = useGo()
  const back = to('sys-certificates')
  const writes = { quiet: true } as const
  const create = useWrite(certificates.create, { ...writes, done: 'add-success' })
  const renew = useWrite(certificates.renew, { ...writes, done: 'update-success' })
  return (
    <Page
      title={certificate ? t('certificates-ui-renew-title', { name: certificate.name }) : t('certificates-ui-add')}
      about={certificate ? t('certificates-ui-renew-about') : t('certificates-ui-add-about')}
      crumbs={[{ label: t('route-sys-certificates'), to: back }]}
    >
      <Form
        schema={CertificateInput}
        {...(certificate && { initial: { name: certificate.name } })}
        submit={certificate ? t('certificates-ui-renew') : t('certificates-ui-add')}
        onCancel={() => go(back)}
        onSubmit={async (body) => {
          if (certificate)
            await renew.mutateAsync({
              named: certificate.name,
              params: { certificateId: certificate.id },
              body: { ...body, revision: certificate.revision },
            })
          else await create.mutateAsync({ named: body.name, body })
          go(back)
        }}
      >
        <Field name="name" label={t('certificates-ui-name')}>
          <Input autoFocus={!certificate} maxLength={60} />
        </Field>
        <Field name="certificate" label={t('certificates-ui-certificate')} help={t('certificates-ui-certificate-help')}>
          <ValueArea rows={8} />
        </Field>
        <Field name="privateKey" label={t('certificates-ui-key')} help={t('certificates-ui-key-help')}>
          <ValueArea secret rows={8} />
        </Field>
      </Form>
    </Page>
  )
}
