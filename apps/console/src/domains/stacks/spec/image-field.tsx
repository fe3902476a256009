import { clearButton } from '../../../ui/form/clear-button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Form as Antd, Input, Segmented, Select } from 'antd'
import { useState } from 'react'
import { registries, type Registry } from '@gantry/contract/images/registries'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { useMay } from '../../../api/session.ts'
import { Field } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { MissingPermission } from '../../../ui/may.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { imageOf, imageParts } from './image-parts.ts'
import styles from './spec.module.css'

const hostOf = ({ url }: Registry): string => url.replace(/^https?:\/\//, '').replace(/\/+$/, '')

/** The team's registries, if the user may see them. Forms with a choice among them render after they are loaded. */
export function useRegistries() {
  const enabled = useMay(registries.list)
  return useRead(registries.list, { params: { teamId: useTeamId() } }, { enabled, staleMs: 60_000 })
}

/**
 * A service's image, as fields of a Form: selected from a registry of the team by repository and tag, or typed. The
 * registry stays selected for a typed name, because its password is used.
 */
export function ImageFields() {
  const teamId = useTeamId()
  const may = useMay(registries.list)
  const query = useRegistries()
  const form = Antd.useFormInstance()
  const image: string = Antd.useWatch('image', form) ?? ''
  const registryId: number | null | undefined = Antd.useWatch('registryId', form)
  const registry = query.data?.find(({ id }) => id === registryId)
  const parts = imageParts(image)
  const fits = registry !== undefined && (image === '' || parts.host === hostOf(registry))
  const [way, setWay] = useState<'pick' | 'write'>()
  // Initially the image decides: a name that belongs to no registry of the team is edited as text.
  const mode = way ?? (!may || query.isError || (image !== '' && !fits) ? 'write' : 'pick')

  // A repository without a tag is not an image yet.
  const [picked, setPicked] = useState('')
  const path = fits && parts.path !== '' ? parts.path : picked
  const put = (next: string) => form.setFieldsValue({ image: next })
  return (
    <>
      <div className={styles.between}>
        <Segmented
          aria-label={t('stacks-ui-image-way')}
          value={mode}
          onChange={setWay}
          options={[
            { value: 'pick', label: t('stacks-ui-image-pick'), disabled: !may },
            { value: 'write', label: t('stacks-ui-image-write') },
          ]}
        />
        {!may && (
          <span className="g-faint">
            <MissingPermission needs={registries.list} />
          </span>
        )}
      </div>
      <div className="g-columns">
        <Field
          filled={mode === 'pick'}
          name="registryId"
          label={t('stacks-ui-registry')}
          help={mode === 'write' ? t('stacks-ui-registry-help') : undefined}
        >
          <Select
            className="g-select"
            allowClear={clearButton()}
            placeholder={t(mode === 'pick' ? 'ui-choose-one' : 'stacks-ui-registry-none')}
            loading={query.isFetching}
            notFoundContent={query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('no-data')}
            options={(query.data ?? []).map((one) => ({
              value: one.id,
              label: one.sandbox ? `${one.name} · ${t('stacks-ui-simulated')}` : one.name,
            }))}
            onChange={() => {
              if (mode !== 'pick') return
              setPicked('')
              put('')
            }}
          />
        </Field>
        {mode === 'pick' && registry && (
          <>
            <Antd.Item label={t('stacks-ui-repository')} htmlFor="image-repository">
              <RemoteSelect
                id="image-repository"
                endpoint={registries.repositories}
                input={{ params: { teamId, registryId: registry.id } }}
                pageSize={20}
                option={({ name }) => ({ value: name, label: name })}
                {...(path === '' ? {} : { value: path })}
                onChange={(next) => {
                  setPicked(next ?? '')
                  put('')
                }}
              />
            </Antd.Item>
            <Antd.Item label={t('stacks-ui-tag')} htmlFor="image-tag">
              <RemoteSelect
                key={path}
                id="image-tag"
                endpoint={registries.tags}
                input={{ params: { teamId, registryId: registry.id }, query: { repo: path } }}
                pageSize={20}
                disabled={path === ''}
                option={({ name, dangling }) => ({
                  value: name,
                  label: dangling ? t('images-ui-dangling', { tag: name }) : name,
                  disabled: dangling,
                })}
                {...(fits && parts.tag !== '' ? { value: parts.tag } : {})}
                onChange={(tag) => put(tag === undefined ? '' : imageOf({ host: hostOf(registry), path, tag }))}
              />
            </Antd.Item>
          </>
        )}
      </div>
      <Field
        name="image"
        label={t('stacks-ui-image')}
        help={mode === 'write' ? t('stacks-ui-image-help') : t('stacks-ui-image-picked')}
      >
        <Input
          className="g-mono"
          spellCheck={false}
          autoComplete="off"
          readOnly={mode === 'pick'}
          placeholder={mode === 'pick' ? '' : example('registry.example.org/team/app:1.4')}
          // Emptying a typed name must not switch back to the selection.
          onChange={() => setWay(mode)}
        />
      </Field>
    </>
  )
}
