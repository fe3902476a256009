import { Form as Antd, Input, InputNumber, Select } from 'antd'
import { familyOf, LbProtocol, type Outward, type OutwardInput } from '@gantry/contract/stacks/outward'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { Lines, Remove } from '../spec/list-fields.tsx'
import { IngressFields } from './ingress-fields.tsx'
import styles from './outward.module.css'
import {
  CertificateFields,
  GroupField,
  type StackPlace,
  Surrounded,
  type Surroundings,
  Taken,
  TargetFields,
  useTargets,
} from './way-parts.tsx'

export type Kind = Outward['type']

/** The initial values of an editor. */
export function freshOutward(type: Kind): Partial<OutwardInput> {
  switch (type) {
    case 'external':
      return { type, addresses: [], ports: [] }
    case 'lb':
      return { type, rules: [freshRule(80)] as never }
    case 'ingress':
      return { type, hosts: [{ paths: [{ path: '/' }] }] as never }
  }
}
const freshRule = (port?: number) => ({ protocol: 'HTTP' as const, path: '/', port, targets: [{ weight: 1 }] })

/** All fields of an `outward` service of this stack, in a Form. */
export function OutwardFields({ type, place }: { type: Kind; place: StackPlace }) {
  return <OutwardFieldsIn type={type} around={{ place, targets: useTargets(place) }} />
}

/** The same, with any surroundings. */
export const OutwardFieldsIn = ({ type, around }: { type: Kind; around: Surroundings }) => (
  <Surrounded value={around}>
    <FieldsOf type={type} />
  </Surrounded>
)

function FieldsOf({ type }: { type: Kind }) {
  switch (type) {
    case 'external':
      return <ExternalFields />
    case 'lb':
      return <LbFields />
    case 'ingress':
      return <IngressFields />
  }
}

function ExternalFields() {
  return (
    <>
      <Section title={t('outward-ui-where')} about={t('outward-ui-where-about')}>
        <div>
          <Field name={['outward', 'addresses']} label={t('outward-ui-addresses')} help={t('stacks-ui-line-each')}>
            <Lines />
          </Field>
          <Field name={['outward', 'dns']} label={t('outward-ui-dns')}>
            <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('db.example.com')} />
          </Field>
        </div>
      </Section>
      <Section title={t('stacks-ui-ports')} about={t('outward-ui-ports-about')}>
        <Antd.List name={['outward', 'ports']}>
          {(rows, { add, remove }, { errors }) => (
            <div className={styles.rows}>
              {rows.map(({ key, name }) => (
                <div key={key} className={`g-field-row ${styles.ports}`}>
                  <Field filled within={['outward', 'ports']} name={[name, 'port']} label={t('stacks-ui-port')}>
                    <InputNumber min={1} max={65_535} precision={0} placeholder={example('5432')} />
                  </Field>
                  <Field filled within={['outward', 'ports']} name={[name, 'protocol']} label={t('stacks-ui-protocol')}>
                    <Select options={['TCP', 'UDP'].map((value) => ({ value, label: value }))} />
                  </Field>
                  <Remove what={t('stacks-ui-port')} onClick={() => remove(name)} />
                </div>
              ))}
              <Antd.ErrorList errors={errors} />
              <Button icon="add" small onClick={() => add({ protocol: 'TCP' })}>
                {t('stacks-ui-port-add')}
              </Button>
            </div>
          )}
        </Antd.List>
      </Section>
    </>
  )
}

type RuleDraft = Partial<Extract<OutwardInput, { type: 'lb' }>['rules'][number]>

function LbFields() {
  const form = Antd.useFormInstance()
  const rules: readonly (RuleDraft | undefined)[] = Antd.useWatch(['outward', 'rules'], form) ?? []
  const isSecure = rules.some((one) => one?.protocol !== undefined && familyOf(one.protocol) === 'https')
  return (
    <>
      <Section title={t('outward-ui-rules')} about={t('outward-ui-rules-about')}>
        <div>
          <GroupField required={false} />
          <Antd.List name={['outward', 'rules']}>
            {(rows, { add, remove }) => (
              <div className={styles.rows}>
                {rows.map(({ key, name }) => (
                  <RuleFields
                    key={key}
                    at={name}
                    draft={rules[name]}
                    onRemove={rows.length > 1 ? () => remove(name) : undefined}
                  />
                ))}
                <Button icon="add" small onClick={() => add(freshRule())}>
                  {t('outward-ui-rule-add')}
                </Button>
              </div>
            )}
          </Antd.List>
        </div>
      </Section>
      {isSecure && (
        <Section title={t('outward-ui-certificates')} about={t('outward-ui-certificates-about')}>
          <CertificateList />
        </Section>
      )}
    </>
  )
}

const list = ['outward', 'rules'] as const

interface RuleProps {
  at: number
  draft: RuleDraft | undefined
  onRemove: (() => void) | undefined
}

function RuleFields({ at, draft, onRemove }: RuleProps) {
  const form = Antd.useFormInstance()
  const protocol = draft?.protocol ?? 'HTTP'
  const isRouted = familyOf(protocol).startsWith('http')
  const title = draft?.name === undefined || draft.name === '' ? t('outward-ui-rule-number', { n: at + 1 }) : draft.name
  return (
    <fieldset className={styles.rule}>
      <legend>{title}</legend>
      <div className={`g-field-row ${styles.fields}`}>
        <Field filled within={list} name={[at, 'name']} label={t('outward-ui-rule-name')}>
          <Input spellCheck={false} autoComplete="off" maxLength={40} placeholder={example('web')} />
        </Field>
        <Field filled within={list} name={[at, 'protocol']} label={t('stacks-ui-protocol')}>
          <Select
            options={LbProtocol.options.map((value) => ({ value, label: value }))}
            onChange={(next: LbProtocol) => {
              // Rules without host and path lead to a single target.
              if (familyOf(next).startsWith('http')) return
              const { host: _host, path: _path, ...rest } = draft ?? {}
              form.setFieldValue([...list, at], { ...rest, protocol: next, targets: rest.targets?.slice(0, 1) })
            }}
          />
        </Field>
        <Field filled within={list} name={[at, 'port']} label={t('stacks-ui-port')}>
          <InputNumber min={1} max={65_535} precision={0} placeholder={example('80')} />
        </Field>
        {isRouted && (
          <>
            <Field within={list} name={[at, 'host']} label={t('outward-ui-host')}>
              <Input
                className="g-mono"
                spellCheck={false}
                autoComplete="off"
                placeholder={example('shop.example.com')}
              />
            </Field>
            <Field filled within={list} name={[at, 'path']} label={t('stacks-ui-path')}>
              <Input className="g-mono" spellCheck={false} autoComplete="off" />
            </Field>
          </>
        )}
        <div className={styles.whole}>
          <Field within={list} name={[at, 'labels']} label={t('outward-ui-labels')} help={t('outward-ui-labels-help')}>
            <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('foo=bar;tier=web')} />
          </Field>
        </div>
      </div>
      <Taken route={{ protocol, port: draft?.port ?? 0, host: draft?.host ?? '', path: draft?.path ?? '/' }} />
      <Antd.List name={[at, 'targets']}>
        {(rows, { add, remove }) => (
          <div className={styles.rows}>
            {rows.map(({ key, name }) => (
              <div key={key} className={`g-field-row ${styles.target}`}>
                <TargetFields within={[...list, at, 'targets']} at={name} />
                {isRouted && (
                  <Field
                    filled
                    within={[...list, at, 'targets']}
                    name={[name, 'weight']}
                    label={t('outward-ui-weight')}
                  >
                    <InputNumber min={1} max={10} precision={0} />
                  </Field>
                )}
                {rows.length > 1 && <Remove what={t('outward-ui-target')} onClick={() => remove(name)} />}
              </div>
            ))}
            <span className="g-line-buttons">
              {isRouted && (
                <Button icon="add" small onClick={() => add({ weight: 1 })}>
                  {t('outward-ui-target-add')}
                </Button>
              )}
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

function CertificateList() {
  const within = ['outward', 'certificates'] as const
  return (
    <Antd.List name={[...within]}>
      {(rows, { add, remove }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => (
            <div key={key} className={`g-field-row ${styles.fields}`}>
              <Field filled within={within} name={[name, 'host']} label={t('outward-ui-host')}>
                <Input className="g-mono" spellCheck={false} autoComplete="off" />
              </Field>
              <CertificateFields within={within} at={[name]} />
              <Remove what={t('outward-ui-certificate')} onClick={() => remove(name)} />
            </div>
          ))}
          <Button icon="add" small onClick={() => add({})}>
            {t('outward-ui-certificate-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}
