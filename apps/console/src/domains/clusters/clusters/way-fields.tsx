import { example } from '../../../ui/form/example.ts'
import { Form as Antd, Input } from 'antd'
import { t, type PhraseKey } from '../../../api/language.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { KubeconfigFields } from './kubeconfig-fields.tsx'
import { connectionMethods, type ConnectionMethod } from './cluster-credentials.ts'
import styles from './clusters.module.css'

const words: Record<ConnectionMethod, { title: PhraseKey; text: PhraseKey }> = {
  kubeconfig: { title: 'clusters-ui-way-kubeconfig', text: 'clusters-ui-way-kubeconfig-text' },
  token: { title: 'clusters-ui-way-token', text: 'clusters-ui-way-token-text' },
  agent: { title: 'clusters-ui-way-agent', text: 'clusters-ui-way-agent-text' },
}

interface WayChoiceProps {
  way: ConnectionMethod | undefined
  /** Whether the credentials may stay as they are. */
  keep?: boolean
  onChange: (way: ConnectionMethod | undefined) => void
}

export function WayChoice({ way, keep = false, onChange }: WayChoiceProps) {
  const kept = { value: 'keep', title: t('clusters-ui-way-keep'), memo: t('clusters-ui-way-keep-text') }
  const cards = connectionMethods.map((value) => ({ value, title: t(words[value].title), memo: t(words[value].text) }))
  return (
    <Antd.Item label={t('clusters-ui-way')}>
      <ChoiceCards
        label={t('clusters-ui-way')}
        choices={keep ? [kept, ...cards] : cards}
        value={way ?? kept.value}
        onChange={(value) => onChange(connectionMethods.find((one) => one === value))}
      />
    </Antd.Item>
  )
}

export function WayFields({ way }: { way: ConnectionMethod | undefined }) {
  if (way === 'kubeconfig') return <KubeconfigFields />
  if (way === 'token') return <TokenFields />
  return way === 'agent' ? <p className="g-note">{t('clusters-ui-agent-next')}</p> : null
}

function TokenFields() {
  return (
    <>
      <Field name="server" label={t('clusters-ui-server')} help={t('clusters-ui-server-help')}>
        <Input spellCheck={false} autoComplete="off" placeholder={example('https://cluster.example.com:6443')} />
      </Field>
      <Field name="token" label={t('clusters-ui-token')} help={t('clusters-ui-token-help')}>
        <Input.Password spellCheck={false} autoComplete="new-password" />
      </Field>
      <Field name="ca" label={t('clusters-ui-ca')} help={t('clusters-ui-ca-help')}>
        <Input.TextArea
          className={`${styles.kubeconfig}`}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          placeholder={'-----BEGIN CERTIFICATE-----\n…'}
        />
      </Field>
    </>
  )
}
