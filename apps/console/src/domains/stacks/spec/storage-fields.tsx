import { AutoComplete, Form as Antd, Input, Select, Switch } from 'antd'
import { hostFolders } from '@gantry/contract/clusters/host-folders'
import { maskedValue } from '@gantry/contract/stacks/spec'
import type { Volume } from '@gantry/contract/stacks/spec-storage'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { useParamIfAny, useTeamId } from '../../../ui/link.tsx'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import { Remove } from './list-fields.tsx'
import styles from './spec.module.css'

const kinds: readonly Volume['type'][] = ['claim', 'existing', 'empty', 'host']

/** Volumes that the containers of a service share or keep. */
export function VolumeList() {
  const form = Antd.useFormInstance()
  const list: readonly (Partial<Volume> | undefined)[] = Antd.useWatch('volumes', form) ?? []
  return (
    <Antd.List name="volumes">
      {(rows, { add, remove }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => {
            const type = list[name]?.type ?? 'claim'
            return (
              <div key={key} className={`g-field-row ${styles.row} ${styles.volumeRow}`}>
                <Field filled within="volumes" name={[name, 'name']} label={t('stacks-ui-name')}>
                  <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('data')} />
                </Field>
                <Field filled within="volumes" name={[name, 'path']} label={t('stacks-ui-path')}>
                  <Input
                    className="g-mono"
                    spellCheck={false}
                    autoComplete="off"
                    placeholder={example('/var/lib/app')}
                  />
                </Field>
                <Field filled within="volumes" name={[name, 'type']} label={t('stacks-ui-volume-type')}>
                  <Select
                    options={kinds.map((value) => ({ value, label: t(`stacks-ui-volume-${value}`) }))}
                    onChange={(next: Volume['type']) => {
                      const { name: called, path } = list[name] ?? {}
                      // Each type has its own fields, and no others.
                      form.setFieldValue(['volumes', name], {
                        name: called,
                        path,
                        readOnly: next === 'host',
                        type: next,
                      })
                    }}
                  />
                </Field>
                {type === 'host' && (
                  <Field filled within="volumes" name={[name, 'folder']} label={t('stacks-ui-volume-folder')}>
                    <FolderInput />
                  </Field>
                )}
                {type === 'host' && (
                  <Field
                    within="volumes"
                    name={[name, 'readOnly']}
                    label={t('host-folder-ui-read-only')}
                    value="checked"
                  >
                    <Switch />
                  </Field>
                )}
                {type === 'host' ? null : type === 'existing' ? (
                  <Field filled within="volumes" name={[name, 'claim']} label={t('stacks-ui-volume-claim-name')}>
                    <Input className="g-mono" spellCheck={false} autoComplete="off" />
                  </Field>
                ) : (
                  <Field
                    filled={type === 'claim'}
                    within="volumes"
                    name={[name, 'size']}
                    label={t('stacks-ui-volume-size')}
                  >
                    <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('20Gi')} />
                  </Field>
                )}
                {type === 'claim' && (
                  <Field within="volumes" name={[name, 'storageClass']} label={t('stacks-ui-volume-class')}>
                    <Input className="g-mono" spellCheck={false} autoComplete="off" />
                  </Field>
                )}
                <Remove what={t('stacks-ui-volume')} onClick={() => remove(name)} />
              </div>
            )
          })}
          <Button icon="add" small onClick={() => add({ type: 'claim', readOnly: false })}>
            {t('stacks-ui-volume-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

interface FolderInputProps {
  value?: string
  onChange?: (value: string) => void
  id?: string
}

/** A folder of hosts; those open to the team are offered if there is a single cluster. */
function FolderInput(props: FolderInputProps) {
  const teamId = useTeamId()
  const env = useParamIfAny('env_id')
  const { data = [] } = useRead(
    hostFolders.ofTeam,
    { params: { teamId, env: env ?? '' } },
    { enabled: env !== undefined },
  )
  return (
    <AutoComplete
      {...props}
      className="g-mono"
      options={data.map(({ path, readOnly }) => ({
        value: path,
        label: readOnly ? `${path} (${t('host-folder-ui-read-only')})` : path,
      }))}
    />
  )
}

/** Files in the main container; a secret one is stored encrypted and never shown again. */
export function FileList() {
  const form = Antd.useFormInstance()
  const list: readonly ({ secret?: boolean; content?: string } | undefined)[] = Antd.useWatch('files', form) ?? []
  return (
    <Antd.List name="files">
      {(rows, { add, remove }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => (
            <div key={key} className={`g-field-row ${styles.row} ${styles.variableRow}`}>
              <Field filled within="files" name={[name, 'path']} label={t('stacks-ui-path')}>
                <Input
                  className="g-mono"
                  spellCheck={false}
                  autoComplete="off"
                  placeholder={example('/etc/app/app.conf')}
                />
              </Field>
              <Field filled within="files" name={[name, 'content']} label={t('stacks-ui-file-content')}>
                <ValueArea secret={list[name]?.secret ?? false} />
              </Field>
              <Field filled within="files" name={[name, 'secret']} label={t('stacks-ui-secret')} value="checked">
                <Switch
                  onChange={(secret) => {
                    // The mask stands for a secret; as plain text it would be eight literal asterisks.
                    if (!secret && list[name]?.content === maskedValue)
                      form.setFieldValue(['files', name, 'content'], '')
                  }}
                />
              </Field>
              <Remove what={t('stacks-ui-file')} onClick={() => remove(name)} />
            </div>
          ))}
          <Button icon="add" small onClick={() => add({ content: '', secret: false })}>
            {t('stacks-ui-file-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}
