import { clearButton } from '../../ui/form/clear-button.tsx'
import { example } from '../../ui/form/example.ts'
import { AutoComplete, Select } from 'antd'
import { useState } from 'react'
import { registries } from '@gantry/contract/images/registries'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { useMay } from '../../api/session.ts'
import { fetchDelayMs, useDelayed, useMore } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'

export { UsedBy, UsesOf } from './contents/uses.tsx'

/** The help of an image path's field, for an image in this registry. */
export function useImagePath(registryId: number | undefined): { help: string; placeholder: string } {
  const query = useRead(registries.list, { params: { teamId: useTeamId() } }, { enabled: useMay(registries.list) })
  const prefix = query.data?.find(({ id }) => id === registryId)?.prefix ?? ''
  return prefix === ''
    ? { help: t('images-ui-path-help'), placeholder: example('team/app') }
    : { help: t('images-ui-path-in-prefix', { prefix }), placeholder: example(`${prefix}app`) }
}

interface RegistrySelectProps {
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
  label?: string
  disabled?: boolean
  status?: 'error'
}

/** Picks one of the registries that the team may use, its own and shared ones. A field of a Form. */
export function RegistrySelect({ id, value, onChange, label, disabled = false, status }: RegistrySelectProps) {
  const teamId = useTeamId()
  const query = useRead(registries.list, { params: { teamId } })
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="g-select"
      placeholder={t('ui-choose-one')}
      loading={query.isFetching}
      allowClear={clearButton()}
      disabled={disabled}
      {...(status ? { status } : {})}
      // A Harbor's projects can only be pulled from.
      options={(query.data ?? [])
        .filter(({ harborId }) => harborId === null)
        .map((registry) => ({
          value: registry.id,
          label: registry.sandbox ? t('images-ui-sandbox-name', { name: registry.name }) : registry.name,
        }))}
      notFoundContent={
        query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('images-ui-none-to-choose')
      }
      {...(onChange ? { onChange } : {})}
    />
  )
}

interface ImagePathInputProps {
  id?: string
  registryId: number | undefined
  value: string
  onChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
  status?: 'error'
  /** Whether tags are offered after a colon. */
  tagged?: boolean
}

/** The path of an image as free text; offers matching repositories of the registry, searched by the server. */
export function ImagePathInput({ registryId = 0, value, onChange, tagged = false, ...control }: ImagePathInputProps) {
  const [open, setOpen] = useState(false)
  const params = { teamId: useTeamId(), registryId }
  const typed = useDelayed(value, fetchDelayMs)
  const [repo = '', tag] = tagged ? typed.split(':') : [typed]
  const enabled = useMay(registries.tags) && open && registryId > 0
  const repositories = useMore(registries.repositories, { params }, repo, 20, enabled && tag === undefined)
  const tags = useMore(registries.tags, { params, query: { repo } }, tag ?? '', 20, enabled && tag !== undefined)
  const offered =
    tag === undefined
      ? repositories.items.map(({ name }) => ({ value: name }))
      : tags.items.map(({ name, dangling }) => ({
          value: `${repo}:${name}`,
          ...(dangling && { label: t('images-ui-dangling', { tag: name }), disabled: true }),
        }))
  return (
    <AutoComplete
      {...control}
      className="g-select g-mono"
      value={value}
      onChange={onChange}
      onOpenChange={setOpen}
      options={offered.filter((one) => one.value !== value)}
    />
  )
}
