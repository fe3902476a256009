import { Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { t } from '../../../api/language.ts'
import { clearButton } from '../../../ui/form/clear-button.tsx'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { groups } from '@gantry/contract/pipelines/groups'
import { CredentialSelect } from '../credentials/credential-select.tsx'
import { RegistrySelect } from '../../images/public.tsx'
import { StackSelect } from '../steps/stack-select.tsx'
import { choiceWord } from './change-words.ts'
import { presentSchema, secretFields } from './drafts.ts'

interface ValueFieldProps {
  id: string
  field: string
  schema: z.ZodType
  value: unknown
  onChange: (value: unknown) => void
}

const long = new Set(['run', 'description', 'repository.knownHosts'])

/** The control for a value, by its field and its rules; a structured value is edited as YAML. */
export function ValueField(p: ValueFieldProps) {
  const { id, field, value, onChange } = p
  const schema = presentSchema(p.schema)
  const optional = p.schema instanceof z.ZodNullable
  const none = optional ? null : undefined
  if (field === 'appId') return <GroupField {...p} />
  if (field === 'repository.credentialId')
    return (
      <CredentialSelect
        id={id}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? null)}
      />
    )
  if (field === 'registryId')
    return <RegistrySelect id={id} {...(typeof value === 'number' ? { value } : {})} onChange={onChange} />
  if (field === 'stackUuid')
    return <StackSelect id={id} {...(typeof value === 'string' ? { value } : {})} onChange={onChange} />
  if (schema instanceof z.ZodBoolean)
    return <Switch id={id} checked={value === true} onChange={(next) => onChange(next)} />
  if (schema instanceof z.ZodNumber)
    return (
      <InputNumber
        id={id}
        className="g-select"
        precision={0}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? none)}
      />
    )
  if (schema instanceof z.ZodEnum)
    return (
      <Select
        id={id}
        className="g-select"
        placeholder={t('ui-choose-one')}
        allowClear={optional && clearButton()}
        {...(typeof value === 'string' ? { value } : {})}
        options={schema.options.map((one) => ({ value: String(one), label: choiceWord(field, String(one)) }))}
        onChange={(next: string | undefined) => onChange(next ?? none)}
      />
    )
  if (secretFields.has(field) || long.has(field))
    return (
      <ValueArea
        id={id}
        secret={secretFields.has(field)}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  if (schema instanceof z.ZodString)
    return (
      <Input
        id={id}
        spellCheck={false}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString)
    return (
      <Select
        id={id}
        mode="tags"
        open={false}
        suffixIcon={null}
        className="g-select"
        tokenSeparators={[',']}
        value={Array.isArray(value) ? (value as string[]) : []}
        onChange={onChange}
      />
    )
  return <YamlField {...p} />
}

function GroupField({ id, value, onChange }: ValueFieldProps) {
  const teamId = useTeamId()
  const [label, setLabel] = useState('')
  return (
    <RemoteSelect
      id={id}
      endpoint={groups.list}
      input={{ params: { teamId } }}
      pageSize={10}
      option={(group) => ({ value: group.id, label: group.name })}
      {...(typeof value === 'number' ? { value } : {})}
      {...(label === '' ? {} : { valueLabel: label })}
      onChange={(next, group) => {
        setLabel(group?.name ?? '')
        onChange(next)
      }}
    />
  )
}

/** A structured value. An invalid text is passed on as no value, and the change reports it. */
function YamlField({ id, value, onChange }: ValueFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : stringify(value)))
  return (
    <ValueArea
      id={id}
      placeholder={t('batch-edits-ui-yaml')}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        try {
          onChange(parse(event.target.value))
        } catch {
          onChange(undefined)
        }
      }}
    />
  )
}
