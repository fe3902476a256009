import { Form as Antd, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { Remove } from '../spec/list-fields.tsx'
import styles from './outward.module.css'
import { CertificateFields, GroupField, Taken, TargetFields } from './way-parts.tsx'

type HostDraft = Partial<Extract<OutwardInput, { type: 'ingress' }>['hosts'][number]>
const hostList = ['outward', 'hosts'] as const

export function IngressFields() {
  const form = Antd.useFormInstance()
  const hosts: readonly (HostDraft | undefined)[] = Antd.useWatch(['outward', 'hosts'], form) ?? []
  return (
    <Section title={t('outward-ui-hosts')} about={t('outward-ui-hosts-about')}>
      <div>
        <div className="g-columns">
          <GroupField required />
          <Field
            name={['outward', 'timeoutSeconds']}
            label={t('outward-ui-timeout')}
            help={t('outward-ui-timeout-help')}
          >
            <InputNumber min={1} max={3600} precision={0} suffix={t('stacks-ui-seconds')} />
          </Field>
        </div>
        <Antd.List name={[...hostList]}>
          {(rows, { add, remove }) => (
            <div className={styles.rows}>
              {rows.map(({ key, name }) => (
                <HostFields
                  key={key}
                  at={name}
                  draft={hosts[name]}
                  onRemove={rows.length > 1 ? () => remove(name) : undefined}
                />
              ))}
              <Button icon="add" small onClick={() => add({ paths: [{ path: '/' }] })}>
                {t('outward-ui-host-add')}
              </Button>
            </div>
          )}
        </Antd.List>
      </div>
    </Section>
  )
}

interface HostProps {
  at: number
  draft: HostDraft | undefined
  onRemove: (() => void) | undefined
}

function HostFields({ at, draft, onRemove }: HostProps) {
  const form = Antd.useFormInstance()
  const [isSecure, setSecure] = useState(draft?.tls !== undefined)
  const title = draft?.host === undefined || draft.host === '' ? t('outward-ui-host-number', { n: at + 1 }) : draft.host
  const route = { protocol: isSecure ? ('HTTPS' as const) : ('HTTP' as const), port: isSecure ? 443 : 80 }
  const within = [...hostList, at, 'paths']
  return (
    <fieldset className={styles.rule}>
      <legend>{title}</legend>
      <div className={`g-field-row ${styles.fields}`}>
        <Field filled within={hostList} name={[at, 'host']} label={t('outward-ui-host')}>
          <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('shop.example.com')} />
        </Field>
        {isSecure && <CertificateFields within={hostList} at={[at, 'tls']} />}
      </div>
      <Antd.List name={[at, 'paths']}>
        {(rows, { add, remove }) => (
          <div className={styles.rows}>
            {rows.map(({ key, name }) => (
              <div key={key} className={styles.path}>
                <div className={`g-field-row ${styles.target}`}>
                  <Field filled within={within} name={[name, 'path']} label={t('stacks-ui-path')}>
                    <Input className="g-mono" spellCheck={false} autoComplete="off" />
                  </Field>
                  <TargetFields within={within} at={name} />
                  {rows.length > 1 && <Remove what={t('stacks-ui-path')} onClick={() => remove(name)} />}
                </div>
                {draft?.host && (
                  <Taken route={{ ...route, host: draft.host, path: draft.paths?.[name]?.path ?? '/' }} />
                )}
              </div>
            ))}
            <span className={`g-line-buttons ${styles.more}`}>
              <Button icon="add" small onClick={() => add({ path: '/' })}>
                {t('outward-ui-path-add')}
              </Button>
              <Button
                small
                icon={isSecure ? 'delete' : 'add'}
                onClick={() => {
                  form.setFieldValue([...hostList, at, 'tls'], isSecure ? undefined : {})
                  setSecure(!isSecure)
                }}
              >
                {isSecure ? t('stacks-ui-row-remove', { what: t('outward-ui-certificate') }) : t('outward-ui-secure')}
              </Button>
              {onRemove && (
                <Button icon="delete" small onClick={onRemove}>
                  {t('stacks-ui-row-remove', { what: title })}
                </Button>
              )}
            </span>
          </div>
        )}
      </Antd.List>
    </fieldset>
  )
}
